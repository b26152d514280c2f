// Random programs with calls in all positions compute the same after inlining.
#include <random>

#include "ir/InlineCalls.h"
#include "ir/Interpret.h"
#include "ir/ShortIr.h"

namespace hone::ir::test {

namespace {

class Generator {
 public:
  explicit Generator(unsigned seed) : random(seed) {}

  KernelPtr make() {
    for (int i = 0; i < 4; ++i) functions.push_back(makeFunction(i));
    out = param("out", ptr(int32()));
    VarPtr n = param("n");
    scope = {n};
    fixed.clear();
    within = nullptr;
    mayWrite = true;
    memory = out;
    reference = nullptr;
    return kernel({out, n}, list(5, 0));
  }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random() % below); }
  bool chance(unsigned percent) { return pick(100) < percent; }

  FunctionPtr makeFunction(int number) {
    const std::string name = "f" + std::to_string(number);
    VarPtr x = param("x"), y = param("y"), p = param("p", ptr(int32()));
    auto r = variable("r", ptr(int32(), Space::Private), Storage::Param);
    r->isReference = true;
    FunctionPtr f = function(name, int32(), {x, y, p}, {});
    f->readsMemory = true;
    mayWrite = f->writesMemory = number % 2 == 1;
    reference = nullptr;
    if (mayWrite) f->params.push_back(reference = r);
    within = f.get();
    scope = {x, y};
    fixed.clear();
    memory = p;
    StmtList body = list(3, 0);
    body.push_back(ret(expr(2)));
    f->body = block(std::move(body));
    return f;
  }

  // Expressions.

  ExprPtr element() { return at(memory, binary(BinaryOp::BitAnd, expr(1), lit(15))); }

  ExprPtr expr(int depth) {
    switch (depth <= 0 ? pick(4) : pick(12)) {
      case 0: return lit(static_cast<int64_t>(pick(7)) - 2);
      case 1:
      case 2: return ref(scope[pick(static_cast<unsigned>(scope.size()))]);
      case 3: return reference ? deref(ref(reference)) : lit(3);
      case 4:
      case 5: {
        const BinaryOp ops[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::BitXor};
        return binary(ops[pick(4)], expr(depth - 1), expr(depth - 1));
      }
      case 6: return unary(UnaryOp::Neg, expr(depth - 1));
      case 7: return makeExpr(int32(), Select{cond(depth - 1), expr(depth - 1), expr(depth - 1)});
      case 8: return element();
      case 9: {
        FunctionPtr f = callee(false);
        return f && chance(within ? 30 : 90) ? callOf(f, depth - 1) : expr(depth - 1);
      }
      default: return expr(depth - 1);
    }
  }

  ExprPtr cond(int depth) {
    if (depth > 0 && chance(40))
      return binary(chance(50) ? BinaryOp::LogicalAnd : BinaryOp::LogicalOr, cond(depth - 1),
                    cond(depth - 1));
    const BinaryOp ops[] = {BinaryOp::Lt, BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne};
    return binary(ops[pick(4)], expr(depth), expr(depth - 1));
  }

  // A function made before the one at hand.
  FunctionPtr callee(bool withEffects) {
    std::vector<FunctionPtr> fitting;
    for (const FunctionPtr& f : functions)
      if (f->writesMemory == withEffects) fitting.push_back(f);
    return fitting.empty() ? nullptr : fitting[pick(static_cast<unsigned>(fitting.size()))];
  }

  ExprPtr callOf(const FunctionPtr& f, int depth) {
    ExprPtr pointer = chance(70) ? ref(memory) : addressOf(element(), Space::Global);
    if (pointer->is<AddressOf>()) pointer = ref(memory);  // keeps indices of the callee inside the array
    std::vector<ExprPtr> args = {expr(depth), expr(depth), pointer};
    if (f->params.size() == 4) args.push_back(referenceArgument());
    return call(f, args);
  }

  ExprPtr referenceArgument() {
    std::vector<VarPtr> open;
    for (const VarPtr& var : scope)
      if (!fixed.count(var.get())) open.push_back(var);
    if (reference && chance(50)) return ref(reference);
    if (open.empty()) return reference ? ref(reference) : nullptr;
    return addressOf(ref(open[pick(static_cast<unsigned>(open.size()))]), Space::Private);
  }

  // Statements.

  VarPtr fresh(const char* name) { return local(name); }

  StmtList list(int length, int loops) {
    const size_t outer = scope.size();
    StmtList stmts;
    for (int i = 0; i < length; ++i) stmt(stmts, loops);
    scope.resize(outer);
    return stmts;
  }
  StmtList nested(int loops) { return list(static_cast<int>(pick(3)) + 1, loops); }

  ExprPtr target() {
    if (mayWrite && chance(25)) return element();
    if (reference && chance(25)) return deref(ref(reference));
    for (int tries = 0; tries < 5; ++tries) {
      const VarPtr& var = scope[pick(static_cast<unsigned>(scope.size()))];
      if (!fixed.count(var.get())) return ref(var);
    }
    return nullptr;
  }

  void stmt(StmtList& stmts, int loops) {
    const int deep = ++nesting;
    switch (deep > 3 ? pick(4) : pick(14)) {
      case 0:
      case 1: {
        VarPtr var = fresh(chance(50) ? "t" : "x");
        stmts.push_back(declare(var, rootValue()));
        scope.push_back(var);
        break;
      }
      case 2:
      case 3:
      case 4: {
        ExprPtr place = target();
        if (!place) break;
        if (chance(40))
          stmts.push_back(update(place, chance(50) ? BinaryOp::Add : BinaryOp::BitXor, rootValue()));
        else
          stmts.push_back(assign(place, rootValue()));
        break;
      }
      case 5: {
        FunctionPtr f = callee(true);
        if (f && mayWrite) stmts.push_back(eval(callOf(f, 1)));
        break;
      }
      case 6:
      case 7: stmts.push_back(ifThen(cond(2), nested(loops))); break;
      case 8: stmts.push_back(ifElse(cond(2), nested(loops), nested(loops))); break;
      case 9: forStmt(stmts, loops); break;
      case 10: whileStmt(stmts, loops); break;
      case 11: {
        Switch choice{binary(BinaryOp::BitAnd, expr(2), lit(3)), {}};
        for (int i = 0; i < 3; ++i) {
          StmtList body = {block(nested(loops))};
          if (chance(60)) body.push_back(breakOut());
          choice.cases.push_back(
              {i < 2 ? std::vector<ExprPtr>{lit(i)} : std::vector<ExprPtr>{}, i == 2, body});
        }
        stmts.push_back(makeStmt(std::move(choice)));
        break;
      }
      case 12:
        if (loops) stmts.push_back(ifThen(cond(1), {chance(50) ? breakOut() : makeStmt(Continue{})}));
        break;
      default:
        if (within && chance(60)) stmts.push_back(ifThen(cond(1), {ret(expr(1))}));
        break;
    }
    --nesting;
  }

  ExprPtr rootValue() {
    FunctionPtr f = mayWrite && chance(35) ? callee(true) : nullptr;
    return f ? callOf(f, 1) : expr(2);
  }

  void forStmt(StmtList& stmts, int loops) {
    VarPtr i = fresh("i");
    FunctionPtr f = callee(false);
    ExprPtr begin = f && chance(30) ? binary(BinaryOp::BitAnd, callOf(f, 1), lit(1)) : lit(0);
    ExprPtr test = lt(ref(i), lit(3));
    fixed.insert(i.get());
    scope.push_back(i);
    if (chance(40)) test = binary(BinaryOp::LogicalAnd, test, cond(1));
    StmtPtr step = update(ref(i), BinaryOp::Add, lit(1));
    if (f && chance(30))
      step = update(ref(i), BinaryOp::Add, add(lit(1), binary(BinaryOp::BitAnd, callOf(f, 1), lit(1))));
    StmtList body = nested(loops + 1);
    scope.pop_back();
    stmts.push_back(forLoop({declare(i, begin)}, test, {step}, body));
  }

  void whileStmt(StmtList& stmts, int loops) {
    VarPtr i = fresh("w");
    stmts.push_back(declare(i, lit(0)));
    fixed.insert(i.get());
    scope.push_back(i);
    ExprPtr test = binary(BinaryOp::LogicalAnd, lt(ref(i), lit(3)), cond(2));
    StmtList body = nested(loops + 1);
    body.insert(body.begin(), update(ref(i), BinaryOp::Add, lit(1)));
    stmts.push_back(chance(50) ? makeStmt(DoWhile{block(body), test, 0}) : whileLoop(test, body));
    scope.pop_back();
  }

  std::mt19937 random;
  std::vector<FunctionPtr> functions;
  std::vector<VarPtr> scope;
  std::set<const Variable*> fixed;  // counters, which only their loop changes
  const Function* within = nullptr;
  bool mayWrite = false;
  VarPtr memory, reference, out;
  int nesting = 0;
};

// About how many expressions there are once all calls are inlined.
size_t inlinedSize(const StmtPtr& body) {
  size_t size = 0;
  walkExprs(body, [&](const Expr& e) {
    const auto* c = e.as<Call>();
    size += 1 + (c && c->function ? inlinedSize(c->function->body) : 0);
  });
  return size;
}

std::vector<int64_t> run(const Kernel& k, int64_t n) {
  ObjectPtr out = Interpreter::array(16);
  for (size_t i = 0; i < out->cells.size(); ++i) out->cells[i].integer = static_cast<int64_t>(i * 7 % 11) - 4;
  Interpreter().run(k, {Interpreter::pointerTo(out), Interpreter::integer(n)});
  std::vector<int64_t> values;
  for (const Cell& cell : out->cells) values.push_back(cell.integer);
  return values;
}

}  // namespace

TEST(InlineRandom, sameResults) {
  int inlinedKernels = 0, changedMemory = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    KernelPtr before = Generator(seed).make();
    ASSERT_EQ(joinLines(verify(*before)), "") << "seed " << seed;
    if (inlinedSize(before->body) > 20000) continue;
    KernelPtr after = inlineCalls(before, [](const Function&) { return true; });
    ASSERT_EQ(joinLines(verify(*after)), "") << "seed " << seed << "\n" << dump(*before) << dump(*after);
    inlinedKernels += after != before;
    for (int64_t n : {-2, 0, 3}) {
      std::vector<int64_t> expected;
      try {
        expected = run(*before, n);
      } catch (const std::runtime_error&) {
        continue;  // too long a run
      }
      changedMemory += expected != run(*kernel(before->params, {}), n);
      ASSERT_EQ(run(*after, n), expected) << "seed " << seed << ", n = " << n << "\n"
                                          << dump(*before) << dump(*after);
    }
  }
  EXPECT_GT(inlinedKernels, 50);
  EXPECT_GT(changedMemory, 100) << "most programs do something";
}

}  // namespace hone::ir::test
