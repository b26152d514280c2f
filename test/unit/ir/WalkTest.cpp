#include "ir/ShortIr.h"

namespace hone::ir::test {

namespace {

std::string describe(const std::vector<Access>& list) {
  std::string text;
  for (const Access& access : list) {
    const char* modes[] = {"read", "write", "update", "address"};
    text += std::string(text.empty() ? "" : ", ") + modes[static_cast<int>(access.mode)] +
            (access.atomic ? " atomic " : " ") + dump(access.place);
    if (access.whole != access.place) text += " as " + dump(access.whole);
  }
  return text;
}

class Renamer : public Rewriter {
 public:
  Renamer(VarPtr from, VarPtr to) : before(std::move(from)), after(std::move(to)) {}

 protected:
  VarPtr mapVar(const VarPtr& v) override { return v == before ? after : v; }

 private:
  VarPtr before, after;
};

// Replaces the literal 1 by 2 and drops comments.
class Editor : public Rewriter {
 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* n = e->as<IntLiteral>();
    return n && n->value == 1 ? intLit(2) : e;
  }
  StmtList mapStmt(const StmtPtr& s) override { return s->is<Comment>() ? StmtList{} : StmtList{s}; }
};

}  // namespace

TEST(Rewriter, sharesEverythingWhenNothingChanges) {
  VarPtr i = local("i"), n = param("n"), a = param("a", ptr(f32()));
  StmtPtr body =
      block({forLoop({declare(i, lit(0))}, lt(ref(i), ref(n)), {update(ref(i), BinaryOp::Add, lit(3))},
                     {assign(at(a, ref(i)), floatLit(1)), ifElse(lt(ref(i), lit(7)), {ret()}, {ret()})})});
  Rewriter nothing;
  EXPECT_EQ(nothing.rewriteBlock(body), body);
  Editor editor;
  EXPECT_EQ(editor.rewriteBlock(body), body) << "no literal 1, no comment";
}

TEST(Rewriter, sharesWhatDidNotChange) {
  VarPtr x = local("x"), y = local("y");
  StmtPtr kept = ifThen(lt(ref(x), lit(5)), {assign(ref(x), lit(5))});
  StmtPtr changed = assign(ref(y), add(lit(1), ref(x)));
  StmtPtr body = block({kept, changed, makeStmt(Comment{"gone"})});
  StmtPtr result = Editor().rewriteBlock(body);
  const auto* list = as<Block>(result);
  ASSERT_EQ(list->stmts.size(), 2u);
  EXPECT_EQ(list->stmts[0], kept);
  EXPECT_NE(list->stmts[1], changed);
  EXPECT_EQ(dump(list->stmts[1]), "y = (2 + x)\n");
  // The untouched operand is the same node.
  const auto* before = as<Binary>(as<Assign>(changed)->value);
  const auto* after = as<Binary>(as<Assign>(list->stmts[1])->value);
  EXPECT_EQ(before->rhs, after->rhs);
  EXPECT_EQ(dump(body), "block\n  if (x < 5)\n    x = 5\n  y = (1 + x)\n  // gone\n")
      << "the input is a value";
}

TEST(Rewriter, keepsLocations) {
  VarPtr x = local("x");
  StmtPtr s = makeStmt(Assign{ref(x), std::nullopt, intLit(1, int32(), lineOf(7)), false}, lineOf(7));
  StmtPtr result = as<Block>(Editor().rewriteBlock(block({s}, lineOf(6))))->stmts[0];
  EXPECT_EQ(result->loc.line, 7u);
  EXPECT_EQ(as<Assign>(result)->value->loc.line, 7u) << "the new literal stands where the old one stood";
  EXPECT_EQ(as<Assign>(result)->value->loc.str(), "test.cu:7");
}

TEST(Rewriter, renamesDeclarationsAndUses) {
  VarPtr x = local("x"), z = local("z", int64());
  StmtPtr body = block({declare(x, lit(0)), assign(ref(x), lit(3))});
  EXPECT_EQ(dump(Renamer(x, z).rewriteBlock(body)), "block\n  decl z: i64 = 0\n  z = 3\n");
}

TEST(Walker, visitsInEvaluationOrder) {
  VarPtr i = local("i"), a = param("a", ptr(f32())), n = param("n");
  StmtPtr loop = forLoop({declare(i, lit(10))}, lt(ref(i), lit(20)), {update(ref(i), BinaryOp::Add, lit(40))},
                         {assign(at(a, lit(30)), floatLit(1))});
  std::string seen;
  walkExprs(loop, [&](const Expr& e) {
    if (const auto* literal = e.as<IntLiteral>()) seen += std::to_string(literal->value) + " ";
  });
  EXPECT_EQ(seen, "20 10 30 40 ") << "own expressions, then init, body, step";

  class Count : public Walker {
   public:
    int stmts = 0, exprs = 0;

   protected:
    bool enter(const Stmt& s) override { return ++stmts, !s.is<Declare>(); }
    bool enter(const Expr&) override { return ++exprs, false; }
  } count;
  count.walk(loop);
  EXPECT_EQ(count.stmts, 5) << "for, declare, block, assign, step";
  EXPECT_EQ(count.exprs, 5) << "cond; the declaration is skipped; place and value twice";
}

TEST(Mentions, ofVariables) {
  const VarPtr i = local("i"), n = local("n"), other = local("other");
  const StmtPtr loop =
      forLoop({declare(i, lit(0))}, lt(ref(i), ref(n)), {update(ref(i), BinaryOp::Add, lit(1))}, {});
  EXPECT_EQ(countMentions(loop, i.get()), 2u);  // the declaration does not count
  EXPECT_TRUE(mentions(loop, n.get()));
  EXPECT_FALSE(mentions(loop, other.get()));
  EXPECT_TRUE(mentions(add(lit(1), ref(n)), {other.get(), n.get()}));
  EXPECT_FALSE(mentions(loop, std::set<const Variable*>{other.get()}));
  EXPECT_EQ(countMentions(mul(ref(n), ref(n)), n.get()), 2u);
}

TEST(Accesses, readsThenWrites) {
  VarPtr a = param("a", ptr(f32())), idx = param("idx", ptr(int32())), i = local("i");
  EXPECT_EQ(describe(accesses(*assign(at(a, at(idx, ref(i))), add(at(a, ref(i)), floatLit(1))))),
            "read a[i], read idx[i], write a[idx[i]]");
  EXPECT_EQ(describe(accesses(*update(at(a, ref(i)), BinaryOp::Add, floatLit(1)))), "update a[i]");
}

TEST(Accesses, localScalarsAreNoMemoryArraysAre) {
  VarPtr x = local("x", f32()), t = local("t", arrayType(f32(), 4));
  VarPtr s = shared("s", int32()), tile = shared("tile", arrayType(arrayType(f32(), 8), 8));
  VarPtr g = variable("g", f32(), Storage::Global, Space::Global);
  EXPECT_EQ(describe(accesses(*assign(ref(x), add(at(t, lit(1)), ref(x))))), "read t[1]");
  EXPECT_EQ(describe(accesses(*assign(ref(s), lit(1)))), "write s");
  EXPECT_EQ(describe(accesses(*assign(ref(x), ref(g)))), "read g");
  EXPECT_EQ(describe(accesses(*assign(subscript(ref(tile), {lit(1), lit(2)}), ref(x)))), "write tile[1, 2]");
}

TEST(Accesses, membersBelongToTheElement) {
  auto record = std::make_shared<Record>();
  record->name = "P";
  record->fields = {{"x", f32()}, {"w", arrayType(f32(), 4)}, {"next", ptr(f32())}};
  VarPtr p = param("p", ptr(structType(record))), y = local("y", f32()), i = local("i");
  EXPECT_EQ(describe(accesses(*assign(ref(y), member(at(p, ref(i)), 0)))), "read p[i] as p[i].x");
  EXPECT_EQ(describe(accesses(*assign(ref(y), subscript(member(at(p, ref(i)), 1), {lit(2)})))),
            "read p[i].w[2]");
  EXPECT_EQ(describe(accesses(*assign(ref(y), subscript(member(at(p, ref(i)), 2), {lit(2)})))),
            "read p[i] as p[i].next, read p[i].next[2]");
}

TEST(Accesses, addressesAndIntrinsics) {
  VarPtr a = param("a", ptr(int32())), i = local("i"), q = local("q", ptr(int32()));
  EXPECT_EQ(describe(accesses(*assign(ref(q), add(ref(a), ref(i))))), "address a[i]");
  EXPECT_EQ(describe(accesses(*eval(call("atomic_add", int32(), {add(ref(a), ref(i)), lit(1)})))),
            "update atomic a[i]");
  EXPECT_EQ(describe(accesses(*eval(call("atomic_add", int32(), {ref(a), lit(1)})))),
            "update atomic a[0][*]");
  EXPECT_EQ(describe(accesses(*assign(ref(i), call("ldg", int32(), {add(ref(a), ref(i))})))), "read a[i]");
}

TEST(Accesses, aViewIsOneAccess) {
  VarPtr a = param("a", ptr(f32())), i = local("i"), v = local("v", vectorType(f32(), 4));
  ExprPtr view = deref(convert(add(ref(a), ref(i)), ptr(vectorType(f32(), 4)), true));
  std::vector<Access> list = accesses(*assign(ref(v), view));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].mode, AccessMode::Read);
  EXPECT_EQ(rootVariable(list[0].place), a);
}

}  // namespace hone::ir::test
