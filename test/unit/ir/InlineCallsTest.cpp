#include "ir/InlineCalls.h"

#include "ir/Interpret.h"
#include "ir/ShortIr.h"

namespace hone::ir::test {

namespace {

bool always(const Function&) { return true; }

// The memory of `out` after a run with these integers as the further arguments.
std::vector<int64_t> resultOf(const Kernel& k, const std::vector<int64_t>& ints) {
  ObjectPtr out = Interpreter::array(16);
  for (size_t i = 0; i < out->cells.size(); ++i) out->cells[i].integer = static_cast<int64_t>(i * i) - 20;
  std::vector<Cells> args = {Interpreter::pointerTo(out)};
  for (int64_t value : ints) args.push_back(Interpreter::integer(value));
  Interpreter().run(k, args);
  std::vector<int64_t> values;
  for (const Cell& cell : out->cells) values.push_back(cell.integer);
  return values;
}

class Inlining : public ::testing::Test {
 protected:
  VarPtr out = param("out", ptr(int32())), n = param("n");
  VarPtr x = param("x"), y = param("y");  // of functions

  // Inlines everything in a kernel of (out, n), checks that it is well formed and computes the same; gives
  // the new body.
  std::string inlined(StmtList body, int callsLeft = 0) {
    KernelPtr before = kernel({out, n}, std::move(body));
    EXPECT_EQ(joinLines(verify(*before)), "");
    KernelPtr after = inlineCalls(before, always);
    std::string text = dump(*after);
    EXPECT_EQ(joinLines(verify(*after)), "") << text;
    int left = 0;
    walkExprs(after->body, [&](const Expr& e) {
      const auto* c = e.as<Call>();
      left += c && c->function;
    });
    EXPECT_EQ(left, callsLeft) << text;
    for (int64_t value : {-3, -1, 0, 1, 2, 5, 9})
      EXPECT_EQ(resultOf(*after, {value}), resultOf(*before, {value})) << text;
    return text.substr(text.find('\n') + 1);
  }
  StmtPtr put(int index, ExprPtr value) { return assign(at(out, lit(index)), std::move(value)); }
  ExprPtr ge(ExprPtr a, ExprPtr b) { return binary(BinaryOp::Ge, std::move(a), std::move(b)); }
  ExprPtr neg(ExprPtr a) { return unary(UnaryOp::Neg, std::move(a)); }
};

TEST_F(Inlining, oneReturnBecomesAnExpression) {
  FunctionPtr square = function("square", int32(), {x}, {ret(mul(ref(x), ref(x)))});
  EXPECT_EQ(inlined({put(0, add(call(square, {ref(n)}), lit(1)))}), "  out[0] = ((n * n) + 1)\n");
}

TEST_F(Inlining, argumentsAreEvaluatedOnce) {
  FunctionPtr square = function("square", int32(), {x}, {ret(mul(ref(x), ref(x)))});
  EXPECT_EQ(inlined({put(0, call(square, {at(out, lit(3))}))}),
            "  decl x: const i32 = out[3]\n"
            "  out[0] = (x * x)\n");
}

TEST_F(Inlining, assignedParametersAreCopies) {
  FunctionPtr f = function("f", int32(), {x}, {update(ref(x), BinaryOp::Mul, lit(3)), ret(ref(x))});
  EXPECT_EQ(inlined({put(0, add(call(f, {ref(n)}), ref(n)))}),
            "  decl x: i32 = n\n"
            "  x *= 3\n"
            "  out[0] = (x + n)\n");
}

TEST_F(Inlining, localsGetFreshNames) {
  VarPtr t = local("t");
  FunctionPtr f = function("f", int32(), {x}, {declare(t, mul(ref(x), lit(2))), ret(add(ref(t), lit(1)))});
  EXPECT_EQ(inlined({put(0, add(call(f, {ref(n)}), call(f, {lit(4)})))}),
            "  decl t: i32 = (n * 2)\n"
            "  decl t_2: i32 = (4 * 2)\n"
            "  out[0] = ((t + 1) + (t_2 + 1))\n");
}

TEST_F(Inlining, guardReturnsBecomeElseBranches) {
  FunctionPtr clamp = function(
      "clamp", int32(), {x},
      {ifThen(lt(ref(x), lit(0)), {ret(lit(0))}), ifThen(ge(ref(x), lit(5)), {ret(lit(5))}), ret(ref(x))});
  VarPtr v = local("v");
  EXPECT_EQ(inlined({declare(v, call(clamp, {ref(n)})), put(0, ref(v))}),
            "  decl v: i32\n"
            "  if (n < 0)\n"
            "    v = 0\n"
            "  else\n"
            "    if (n >= 5)\n"
            "      v = 5\n"
            "    else\n"
            "      v = n\n"
            "  out[0] = v\n");
}

TEST_F(Inlining, resultOfAConstantGoesThroughAVariable) {
  FunctionPtr pick =
      function("ns::pick<3>", int32(), {x}, {ifElse(lt(ref(x), lit(0)), {ret(lit(7))}, {ret(lit(8))})});
  auto c = variable("c", int32());
  c->isConst = true;
  VarPtr constant = c;
  EXPECT_EQ(inlined({declare(constant, call(pick, {ref(n)})), put(0, ref(constant))}),
            "  decl pick_result: i32\n"
            "  if (n < 0)\n"
            "    pick_result = 7\n"
            "  else\n"
            "    pick_result = 8\n"
            "  decl c: const i32 = pick_result\n"
            "  out[0] = c\n");
}

TEST_F(Inlining, aReturnInTheMiddleBreaksOutOfALoop) {
  VarPtr t = local("t");
  FunctionPtr f = function("f", int32(), {x},
                           {declare(t, lit(1)),
                            ifThen(lt(ref(x), lit(3)), {ifThen(lt(ref(x), lit(1)), {ret(lit(-1))}),
                                                        update(ref(t), BinaryOp::Add, lit(10))}),
                            ret(add(ref(t), ref(x)))});
  EXPECT_EQ(inlined({put(0, call(f, {ref(n)}))}),
            "  decl f_result: i32\n"
            "  do\n"
            "    decl t: i32 = 1\n"
            "    if (n < 3)\n"
            "      if (n < 1)\n"
            "        f_result = -1\n"
            "        break\n"
            "      t += 10\n"
            "    f_result = (t + n)\n"
            "  while false\n"
            "  out[0] = f_result\n");
}

TEST_F(Inlining, aReturnInsideALoopSetsAFlag) {
  VarPtr i = local("i"), j = local("j");
  auto count = [&](const VarPtr& v, StmtList body) {
    return forLoop({declare(v, lit(0))}, lt(ref(v), lit(4)), {update(ref(v), BinaryOp::Add, lit(1))},
                   std::move(body));
  };
  FunctionPtr find = function(
      "find", int32(), {x},
      {count(i, {count(j, {ifThen(binary(BinaryOp::Eq, add(ref(i), ref(j)), ref(x)), {ret(ref(j))})})}),
       ret(lit(-1))});
  EXPECT_EQ(inlined({put(0, call(find, {ref(n)}))}),
            "  decl find_result: i32\n"
            "  decl returned: bool = false\n"
            "  do\n"
            "    for (decl i: i32 = 0; (i < 4); i += 1)\n"
            "      for (decl j: i32 = 0; (j < 4); j += 1)\n"
            "        if ((i + j) == n)\n"
            "          find_result = j\n"
            "          returned = true\n"
            "          break\n"
            "      if returned\n"
            "        break\n"
            "    if returned\n"
            "      break\n"
            "    find_result = -1\n"
            "  while false\n"
            "  out[0] = find_result\n");
}

TEST_F(Inlining, returnsInsideASwitch) {
  FunctionPtr f =
      function("f", int32(), {x},
               {makeStmt(Switch{ref(x),
                                {{{lit(1)}, false, {ret(lit(10))}},
                                 {{lit(2)}, false, {update(ref(x), BinaryOp::Add, lit(5)), breakOut()}},
                                 {{}, true, {ret(lit(-1))}}}}),
                ret(ref(x))});
  inlined({put(0, call(f, {ref(n)}))});
}

TEST_F(Inlining, voidFunctionsThatLeaveEarly) {
  VarPtr p = param("p", ptr(int32()));
  FunctionPtr f =
      function("f", voidType(), {p, x}, {ifThen(lt(ref(x), lit(1)), {ret()}), assign(at(p, lit(2)), ref(x))});
  f->writesMemory = true;
  EXPECT_EQ(inlined({eval(call(f, {ref(out), ref(n)}))}),
            "  if !(n < 1)\n"
            "    out[2] = n\n");
}

TEST_F(Inlining, referenceParametersNameThePlace) {
  auto r = variable("r", ptr(int32(), Space::Private), Storage::Param);
  r->isReference = true;
  VarPtr reference = r;
  FunctionPtr bump =
      function("bump", voidType(), {reference, x}, {update(deref(ref(reference)), BinaryOp::Add, ref(x))});
  bump->writesMemory = true;
  VarPtr v = local("v");
  EXPECT_EQ(inlined({declare(v, ref(n)), eval(call(bump, {addressOf(ref(v), Space::Private), ref(n)})),
                     put(0, ref(v))}),
            "  decl v: i32 = n\n"
            "  v += n\n"
            "  out[0] = v\n");
}

TEST_F(Inlining, aValueThatTheCalleeChangesThroughAReferenceIsCopied) {
  auto r = variable("r", ptr(int32(), Space::Private), Storage::Param);
  r->isReference = true;
  VarPtr reference = r;
  FunctionPtr f =
      function("f", voidType(), {x, reference},
               {assign(deref(ref(reference)), lit(1)), update(deref(ref(reference)), BinaryOp::Add, ref(x))});
  f->writesMemory = true;
  VarPtr v = local("v");
  EXPECT_EQ(inlined({declare(v, ref(n)), eval(call(f, {ref(v), addressOf(ref(v), Space::Private)})),
                     put(0, ref(v))}),
            "  decl v: i32 = n\n"
            "  decl x: const i32 = v\n"
            "  v = 1\n"
            "  v += x\n"
            "  out[0] = v\n");
}

TEST_F(Inlining, pointersIntoArraysKeepAPointer) {
  VarPtr p = param("p", ptr(int32()));
  FunctionPtr f = function("f", int32(), {p}, {ret(add(at(p, lit(0)), at(p, lit(1))))});
  f->readsMemory = true;
  EXPECT_EQ(inlined({put(0, call(f, {add(ref(out), lit(4))}))}),
            "  decl p: ptr<global i32> = &out[4]\n"
            "  out[0] = (p[0] + p[1])\n");
  EXPECT_EQ(inlined({put(0, call(f, {ref(out)}))}), "  out[0] = (out[0] + out[1])\n");
}

TEST_F(Inlining, arraysGivenWholeAreSubscriptedDirectly) {
  VarPtr p = param("p", ptr(int32(), Space::Private)), t = local("t", arrayType(int32(), 4));
  FunctionPtr f = function("f", int32(), {p, x}, {ret(at(p, ref(x)))});
  f->readsMemory = true;
  EXPECT_EQ(inlined({declare(t), assign(at(t, lit(2)), ref(n)),
                     put(0, call(f, {addressOf(at(t, lit(0)), Space::Private), lit(2)}))}),
            "  decl t: arr<4 x i32>\n"
            "  t[2] = n\n"
            "  out[0] = t[2]\n");
}

TEST_F(Inlining, aPlaceWhoseIndexMayChangeIsFixedFirst) {
  auto r = variable("r", ptr(int32()), Storage::Param);
  r->isReference = true;
  VarPtr reference = r, p = param("p", ptr(int32()));
  FunctionPtr f = function("f", voidType(), {reference, p},
                           {assign(at(p, lit(1)), lit(6)), assign(deref(ref(reference)), lit(7))});
  f->writesMemory = true;
  // out[out[1] & 7]: the callee changes out[1] before it writes through the reference.
  ExprPtr index = binary(BinaryOp::BitAnd, at(out, lit(1)), lit(7));
  EXPECT_EQ(inlined({eval(call(f, {addressOf(at(out, index), Space::Global), ref(out)}))}),
            "  decl r: ref ptr<global i32> = &out[(out[1] & 7)]\n"
            "  out[1] = 6\n"
            "  r[0][*] = 7\n");
}

TEST_F(Inlining, methodsAndConstructors) {
  auto record = std::make_shared<Record>();
  record->name = "Pair";
  record->fields = {{"a", int32()}, {"b", int32()}};
  TypePtr pair = structType(record);
  VarPtr self = param("this", ptr(pair, Space::Private)), self2 = param("this", ptr(pair, Space::Private));
  FunctionPtr make = function("Pair::Pair", voidType(), {self, x},
                              {assign(member(deref(ref(self)), 0), ref(x)),
                               assign(member(deref(ref(self)), 1), mul(ref(x), lit(2)))});
  make->kind = FunctionKind::Constructor;
  FunctionPtr sum = function("Pair::sum", int32(), {self2},
                             {ret(add(member(deref(ref(self2)), 0), member(deref(ref(self2)), 1)))});
  sum->kind = FunctionKind::Method;
  sum->readsMemory = true;
  auto construct = [&](ExprPtr arg) {
    Call node;
    node.function = make;
    node.args = {std::move(arg)};
    return makeExpr(pair, std::move(node));
  };
  VarPtr p = local("p", pair);
  EXPECT_EQ(inlined({declare(p, construct(ref(n))), put(0, call(sum, {addressOf(ref(p), Space::Private)}))}),
            "  decl p: struct Pair\n"
            "  p.a = n\n"
            "  p.b = (n * 2)\n"
            "  out[0] = (p.a + p.b)\n");
  VarPtr q = local("q", pair);
  EXPECT_EQ(inlined({declare(q, construct(lit(1))), assign(ref(q), construct(add(ref(n), member(ref(q), 1)))),
                     put(0, member(ref(q), 1))}),
            "  decl q: struct Pair\n"
            "  q.a = 1\n"
            "  q.b = (1 * 2)\n"
            "  decl pair: struct Pair\n"
            "  decl x: const i32 = (n + q.b)\n"
            "  pair.a = x\n"
            "  pair.b = (x * 2)\n"
            "  q = pair\n"
            "  out[0] = q.b\n");
}

TEST_F(Inlining, functionsThatReturnReferences) {
  VarPtr p = param("p", ptr(int32()));
  FunctionPtr cell =
      function("cell", ptr(int32()), {p, x}, {ret(addressOf(at(p, mul(ref(x), lit(2))), Space::Global))});
  cell->returnsReference = true;
  EXPECT_EQ(inlined({update(deref(call(cell, {ref(out), lit(3)})), BinaryOp::Add, ref(n))}),
            "  out[(3 * 2)] += n\n");
}

TEST_F(Inlining, innermostFirst) {
  VarPtr z = param("z");
  FunctionPtr twice = function("twice", int32(), {x}, {ret(mul(lit(2), ref(x)))});
  FunctionPtr four = function("four", int32(), {z}, {ret(call(twice, {call(twice, {ref(z)})}))});
  EXPECT_EQ(inlined({put(0, call(four, {ref(n)}))}),
            "  decl x: const i32 = (2 * n)\n"
            "  out[0] = (2 * x)\n");
}

TEST_F(Inlining, shortCircuitsStayShort) {
  // Reads out[x], which exists only for small x.
  VarPtr p = param("p", ptr(int32()));
  FunctionPtr get = function("get", int32(), {p, x}, {ret(at(p, ref(x)))});
  get->readsMemory = true;
  VarPtr i = local("i");
  ExprPtr safe = binary(BinaryOp::LogicalAnd, ge(ref(n), lit(0)), lt(call(get, {ref(out), ref(n)}), lit(0)));
  EXPECT_EQ(inlined({ifThen(safe, {put(0, lit(99))})}),
            "  decl test: bool = (n >= 0)\n"
            "  if test\n"
            "    test = (out[n] < 0)\n"
            "  if test\n"
            "    out[0] = 99\n");
  ExprPtr either = binary(BinaryOp::LogicalOr, lt(ref(n), lit(0)), lt(call(get, {ref(out), ref(n)}), lit(0)));
  inlined({ifThen(either, {put(0, lit(99))})});
  ExprPtr pick = makeExpr(int32(), Select{ge(ref(n), lit(0)), call(get, {ref(out), ref(n)}), lit(-1)});
  EXPECT_EQ(inlined({put(1, pick)}),
            "  decl value: i32\n"
            "  if (n >= 0)\n"
            "    value = out[n]\n"
            "  else\n"
            "    value = -1\n"
            "  out[1] = value\n");
}

TEST_F(Inlining, loopConditions) {
  VarPtr p = param("p", ptr(int32())), i = local("i"), t = local("t");
  FunctionPtr limit = function("limit", int32(), {x}, {declare(t, add(ref(x), lit(1))), ret(ref(t))});
  StmtPtr step = update(ref(i), BinaryOp::Add, lit(1));
  StmtPtr skip = ifThen(binary(BinaryOp::Eq, ref(i), lit(2)),
                        {update(ref(i), BinaryOp::Add, lit(1)), makeStmt(Continue{})});
  StmtPtr work = update(at(out, ref(i)), BinaryOp::Add, lit(1));
  ExprPtr cond = lt(ref(i), call(limit, {ref(n)}));
  EXPECT_EQ(inlined({declare(i, lit(0)), whileLoop(cond, {work, step})}),
            "  decl i: i32 = 0\n"
            "  while true\n"
            "    decl t: i32 = (n + 1)\n"
            "    if !(i < t)\n"
            "      break\n"
            "    out[i] += 1\n"
            "    i += 1\n");
  inlined({declare(i, lit(0)), whileLoop(cond, {skip, work, step})});
  inlined({forLoop({declare(i, lit(0))}, cond, {step}, {skip, work})});
  inlined({declare(i, lit(0)), makeStmt(DoWhile{block({work, step}), cond, 0})});
  inlined({declare(i, lit(0)), makeStmt(DoWhile{block({skip, work, step}), cond, 0})});
}

TEST_F(Inlining, loopHeads) {
  VarPtr i = local("i"), t = local("t");
  FunctionPtr next = function("next", int32(), {x}, {declare(t, add(ref(x), lit(2))), ret(ref(t))});
  StmtPtr work = update(at(out, ref(i)), BinaryOp::Add, lit(1));
  EXPECT_EQ(inlined({forLoop({declare(i, call(next, {lit(0)}))}, lt(ref(i), ref(n)),
                             {assign(ref(i), call(next, {ref(i)}))}, {work})}),
            "  block\n"
            "    decl t: i32 = (0 + 2)\n"
            "    for (decl i: i32 = t; (i < n); )\n"
            "      out[i] += 1\n"
            "      decl t_2: i32 = (i + 2)\n"
            "      i = t_2\n");
  StmtPtr skip = ifThen(binary(BinaryOp::Eq, ref(i), lit(2)), {makeStmt(Continue{})});
  inlined({forLoop({declare(i, lit(0))}, lt(ref(i), ref(n)), {assign(ref(i), call(next, {ref(i)}))},
                   {skip, work})},
          1);
}

TEST_F(Inlining, casesOfASwitch) {
  VarPtr t = local("t");
  FunctionPtr f = function("f", int32(), {x}, {declare(t, add(ref(x), lit(2))), ret(ref(t))});
  inlined({makeStmt(Switch{call(f, {ref(n)}),
                           {{{lit(3)}, false, {put(0, call(f, {lit(1)}))}},
                            {{lit(4)}, false, {put(1, call(f, {lit(1)})), breakOut()}},
                            {{}, true, {put(2, lit(1))}}}})});
}

TEST_F(Inlining, sharedVariablesOfACalleeExistOnce) {
  VarPtr s = shared("s", int32());
  FunctionPtr f =
      function("count", int32(), {x}, {declare(s), update(ref(s), BinaryOp::Add, ref(x)), ret(ref(s))});
  f->writesMemory = true;
  VarPtr a = local("a"), b = local("b");
  EXPECT_EQ(inlined({declare(a, call(f, {ref(n)})), declare(b, call(f, {lit(2)})), put(0, ref(b))}),
            "  decl s: shared i32\n"
            "  s += n\n"
            "  decl a: i32 = s\n"
            "  s += 2\n"
            "  decl b: i32 = s\n"
            "  out[0] = b\n");
}

TEST_F(Inlining, recursionStaysACall) {
  FunctionPtr f = function("f", int32(), {x}, {});
  f->body =
      block({ifThen(lt(ref(x), lit(1)), {ret(lit(1))}), ret(add(ref(x), call(f, {add(ref(x), lit(-1))})))});
  EXPECT_EQ(inlined({put(0, call(f, {lit(3)}))}, 1), "  out[0] = f(3)\n");
  f->body = nullptr;  // breaks the cycle of ownership
}

TEST_F(Inlining, onlyWhatIsWanted) {
  VarPtr z = param("z");
  FunctionPtr f = function("f", int32(), {x}, {ret(mul(ref(x), ref(x)))});
  FunctionPtr g = function("g", int32(), {z}, {ret(add(ref(z), lit(1)))});
  KernelPtr k = kernel({out, n}, {put(0, add(call(f, {ref(n)}), call(g, {ref(n)})))});
  KernelPtr after = inlineCalls(k, [](const Function& fn) { return fn.name == "g"; });
  EXPECT_EQ(dump(*after), "kernel k(out: ptr<global i32>, n: i32)\n  out[0] = (f(n) + (n + 1))\n");
  EXPECT_EQ(inlineCalls(k, [](const Function&) { return false; }), k) << "nothing to do: the same kernel";
}

TEST(TouchesMachine, memoryCoordinatesAndBarriers) {
  VarPtr x = param("x"), p = param("p", ptr(int32())), self = param("this", ptr(int32(), Space::Private));
  FunctionPtr scalar = function("scalar", int32(), {x}, {ret(mul(ref(x), ref(x)))});
  FunctionPtr reads = function("reads", int32(), {p}, {ret(at(p, lit(1)))});
  FunctionPtr method = function("method", int32(), {self}, {ret(deref(ref(self)))});
  FunctionPtr lane = function("lane", uint32(), {}, {ret(tid())});
  FunctionPtr waits = function("waits", voidType(), {}, {makeStmt(Barrier{})});
  FunctionPtr outer = function("outer", uint32(), {}, {ret(call(lane, {}))});
  EXPECT_FALSE(touchesMachine(*scalar));
  EXPECT_TRUE(touchesMachine(*reads));
  EXPECT_FALSE(touchesMachine(*method)) << "a variable of the caller";
  EXPECT_TRUE(touchesMachine(*lane));
  EXPECT_TRUE(touchesMachine(*waits));
  EXPECT_TRUE(touchesMachine(*outer));
}

}  // namespace

}  // namespace hone::ir::test
