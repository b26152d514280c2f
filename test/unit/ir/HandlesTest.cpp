#include "ir/Handles.h"

#include "ir/ShortIr.h"

namespace hone::ir::test {

namespace {

std::string guardText(const AccessHandle& h) {
  std::string text;
  for (const ExprPtr& guard : h.guards) text += (text.empty() ? "" : " & ") + dump(guard);
  return text;
}

std::string nest(const KernelHandles& all, const AccessHandle& h) {
  std::string text;
  for (int loop : h.loops) text += (text.empty() ? "" : " ") + all.loops[static_cast<size_t>(loop)].name;
  return text;
}

}  // namespace

TEST(Handles, loopsAndAccessesInSourceOrder) {
  VarPtr a = param("a", ptr(f32())), b = param("b", ptr(f32())), n = param("n");
  VarPtr i = local("i"), j = local("j"), k = local("k"), l = local("l"), s = local("s", f32());
  auto loop = [&](const VarPtr& v, StmtList body) {
    return forLoop({declare(v, lit(0))}, lt(ref(v), ref(n)), {update(ref(v), BinaryOp::Add, lit(1))},
                   std::move(body));
  };
  KernelPtr kern = kernel({a, b, n}, {
                                         declare(s, at(a, lit(0))),
                                         loop(i, {loop(j, {update(ref(s), BinaryOp::Add, at(a, ref(j)))}),
                                                  loop(k, {assign(at(b, ref(k)), at(b, ref(i)))})}),
                                         loop(l, {assign(at(a, ref(l)), ref(s))}),
                                     });
  KernelHandles h = handles(*kern);
  ASSERT_EQ(h.loops.size(), 4u);
  EXPECT_EQ(h.loops[0].name, "L1");
  EXPECT_EQ(h.loops[1].name, "L1.1");
  EXPECT_EQ(h.loops[2].name, "L1.2");
  EXPECT_EQ(h.loops[2].parent, 0);
  EXPECT_EQ(h.loops[3].name, "L2");
  std::string text;
  for (const AccessHandle& access : h.accesses)
    text += access.name + " " + dump(access.access.place) + " in [" + nest(h, access) + "]\n";
  EXPECT_EQ(text,
            "a#1 a[0] in []\n"
            "a#2 a[j] in [L1 L1.1]\n"
            "b#1 b[k] in [L1 L1.2]\n"
            "b#2 b[i] in [L1 L1.2]\n"
            "a#3 a[l] in [L2]\n");
}

TEST(Handles, guards) {
  VarPtr a = param("a", ptr(f32())), n = param("n"), i = local("i");
  KernelPtr k = kernel({a, n}, {
                                   declare(i, convert(globalId(), int32())),
                                   ifThen(binary(BinaryOp::Ge, ref(i), ref(n)), {ret()}),
                                   ifElse(lt(ref(i), lit(4)), {assign(at(a, lit(1)), floatLit(1))},
                                          {assign(at(a, lit(2)), floatLit(1))}),
                                   assign(at(a, lit(3)), floatLit(1)),
                               });
  KernelHandles h = handles(*k);
  ASSERT_EQ(h.accesses.size(), 3u);
  EXPECT_EQ(guardText(h.accesses[0]), "!(i >= n) & (i < 4)");
  EXPECT_EQ(guardText(h.accesses[1]), "!(i >= n) & !(i < 4)");
  EXPECT_EQ(guardText(h.accesses[2]), "!(i >= n)");
}

TEST(Handles, leavingAnInnerBlockGuardsOnlyWhatFollowsInIt) {
  VarPtr a = param("a", ptr(f32())), n = param("n"), i = local("i");
  KernelPtr k = kernel(
      {a, n},
      {
          forLoop({declare(i, lit(0))}, lt(ref(i), ref(n)), {update(ref(i), BinaryOp::Add, lit(1))},
                  {ifThen(lt(ref(i), lit(4)), {makeStmt(Continue{})}), assign(at(a, ref(i)), floatLit(1))}),
          assign(at(a, lit(3)), floatLit(1)),
      });
  KernelHandles h = handles(*k);
  ASSERT_EQ(h.accesses.size(), 2u);
  EXPECT_EQ(guardText(h.accesses[0]), "!(i < 4)");
  EXPECT_EQ(guardText(h.accesses[1]), "");
}

TEST(Handles, pointersInStructsGoByTheirPath) {
  auto record = std::make_shared<Record>();
  record->name = "S";
  record->fields = {{"data", ptr(f32())}, {"x", f32()}};
  VarPtr s = param("s", structType(record)), p = param("p", ptr(structType(record)));
  KernelPtr k = kernel({s, p}, {
                                   assign(subscript(member(ref(s), 0), {lit(1)}), floatLit(1)),
                                   assign(member(at(p, lit(1)), 1), floatLit(1)),
                                   assign(subscript(member(at(p, lit(2)), 0), {lit(3)}), floatLit(1)),
                               });
  std::string text;
  for (const AccessHandle& access : handles(*k).accesses) text += access.name + " ";
  EXPECT_EQ(text, "s.data#1 p#1 p#2 p.data#1 ");
}

TEST(Handles, aLocalPointerGoesByItsOwnName) {
  VarPtr a = param("a", ptr(f32())), q = local("q", ptr(f32()));
  KernelPtr k = kernel({a}, {declare(q, add(ref(a), lit(8))), assign(at(q, lit(1)), floatLit(1))});
  std::string text;
  for (const AccessHandle& access : handles(*k).accesses) text += access.name + " ";
  EXPECT_EQ(text, "a#1 q#1 ");
}

}  // namespace hone::ir::test
