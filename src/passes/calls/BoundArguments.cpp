#include "passes/calls/BoundArguments.h"

#include <fmt/core.h>

#include "analysis/Magnitudes.h"
#include "ir/Assumption.h"
#include "ir/Compare.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/host/Candidate.h"

namespace hone::passes {

using namespace ir;

namespace {

// What compilers are told is well within what they ask for (105615 for float, more for double), and what is
// shown is well within that.
constexpr double told = 100000, shown = 10000;

// The argument of a sine, cosine or tangent of a float or double that varies; null for all else.
ExprPtr angleOf(const Expr& e) {
  const auto* call = e.as<Call>();
  if (!call || !call->intrinsic) return nullptr;
  const std::string_view id = call->intrinsic->id;
  if (id != "sin" && id != "cos" && id != "tan" && id != "sincos") return nullptr;
  const ExprPtr& angle = call->args[0];
  if (!angle->type->is(TypeKind::Float) || angle->type->bits < 32) return nullptr;
  // Compilers work out what is made of literals.
  bool varies = false;
  walkExprs(angle,
            [&](const Expr& part) { varies |= part.is<VarRef>() || part.is<Coord>() || part.is<Call>(); });
  return varies ? angle : nullptr;
}

ExprPtr staysSmall(const ExprPtr& angle) {
  const bool isFloat = angle->type->bits == 32;
  Call size;
  size.intrinsic = &intrinsic("fabs");
  size.args = {angle};
  size.spelling =
      isFloat ? "__builtin_fabsf" : "__builtin_fabs";  // Clang takes effects for possible in the others
  const ExprPtr limit = makeExpr(angle->type, FloatLiteral{told, isFloat ? "100000.0f" : "100000.0", ""});
  return binary(BinaryOp::Lt, makeExpr(angle->type, std::move(size)), limit);
}

// The variable whose smallness a statement states, as staysSmall does.
const Variable* statedSmall(const Stmt& s) {
  const auto* compare = as<Binary>(assumed(s));
  const auto* size = compare ? as<Call>(compare->lhs) : nullptr;
  const auto* v = size && !size->args.empty() ? as<VarRef>(size->args[0]) : nullptr;
  return v && equal(assumed(s), staysSmall(size->args[0])) ? v->var.get() : nullptr;
}

// Says of each angle, where it is made, that it is small. One that stands in a call gets a name first.
class Stating : public Rewriter {
 public:
  Stating(const Kernel& kernel, Names& fresh) : sizes(kernel), names(fresh) {
    walkStmts(kernel.body, [&](const Stmt& s) {
      if (const Variable* v = statedSmall(s)) stated.insert(v);
      if (const auto* loop = s.as<For>())
        for (const StmtList* list : {&loop->init, &loop->step})
          for (const StmtPtr& head : *list) inHeads.insert(head.get());
    });
    // Variables that calls name, save those of the head of a loop, behind which nothing can be said.
    std::set<const Variable*> ofHeads;
    for (const Stmt* s : inHeads)
      if (const auto* d = s->as<Declare>()) ofHeads.insert(d->var.get());
    walkExprs(kernel.body, [&](const Expr& e) {
      const ExprPtr angle = angleOf(e);
      const auto* v = angle ? as<VarRef>(angle) : nullptr;
      if (!v || !sizes.isSettled(*v->var) || ofHeads.contains(v->var.get()) || stated.contains(v->var.get()))
        return;
      if (isSmall(angle)) angles.insert(v->var.get());
    });
  }

  unsigned bounded = 0, before = 0,
           left = 0;    // calls: said to be small now, said so already, not known to be
  double greatest = 0;  // that a bounded one can be
  SourceLoc leftAt;     // the first that is not known

  StmtList rewrite(const StmtPtr& s) override {
    const bool isHead = inHeads.contains(s.get());
    // What a statement evaluates once, before anything else that it does.
    const bool isPlain = !isHead && (s->is<Declare>() || s->is<Assign>() || s->is<Eval>() ||
                                     s->is<Return>() || s->is<If>() || s->is<Switch>());
    StmtList first;
    StmtList* const outer = std::exchange(named, isPlain ? &first : nullptr);
    StmtList out = Rewriter::rewrite(s);
    named = outer;
    if (const auto* d = as<Declare>(s); d && angles.contains(d->var.get()))
      out.push_back(assume(staysSmall(ref(d->var)), s->loc));
    out.insert(out.begin(), first.begin(), first.end());
    return out;
  }

  ExprPtr rewrite(const ExprPtr& e) override {
    if (!e) return e;
    if (const ExprPtr angle = angleOf(*e)) return callOf(e, angle);
    // The arms of a choice are not always evaluated.
    const auto* b = as<Binary>(e);
    const bool isLazy =
        e->is<Select>() || (b && (b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr));
    StmtList* const outer = std::exchange(named, isLazy ? nullptr : named);
    ExprPtr out = Rewriter::rewrite(e);
    named = outer;
    return out;
  }

 private:
  bool isSmall(const ExprPtr& angle) {
    const auto most = sizes.most(angle);
    if (!most || !(*most < shown)) return false;
    greatest = std::max(greatest, *most);
    return true;
  }

  ExprPtr callOf(const ExprPtr& e, const ExprPtr& angle) {
    const auto* v = as<VarRef>(angle);
    if (v && (stated.contains(v->var.get()) || angles.contains(v->var.get()))) {
      ++(stated.contains(v->var.get()) ? before : bounded);
      return Rewriter::rewrite(e);
    }
    if (v || !named || !isSmall(angle)) {
      if (left++ == 0) leftAt = e->loc;
      return Rewriter::rewrite(e);
    }
    ++bounded;
    const ExprPtr value = rewrite(angle);  // may hold further calls
    VarPtr name;
    for (const StmtPtr& s : *named)
      if (const auto* d = as<Declare>(s); d && equal(d->init, value)) name = d->var;
    if (!name) {
      name = makeLocal(names, "angle", angle->type, true);
      named->push_back(makeStmt(Declare{name, value}, e->loc));
      named->push_back(assume(staysSmall(ref(name)), e->loc));
    }
    Call call = *e->as<Call>();
    call.args[0] = ref(name, angle->loc);
    return makeExpr(e->type, std::move(call), e->loc);
  }

  analysis::Magnitudes sizes;
  Names& names;
  std::set<const Variable*> angles, stated;
  std::set<const Stmt*> inHeads;
  StmtList* named = nullptr;  // what stands before the statement that is being rewritten; null: nothing may
};

}  // namespace

LaunchResult boundArguments(const LaunchStep& launch, const NoOptions&, PassContext&) {
  if (launch.kernel->language != Language::Cuda)
    return Refusal{"OpenCL C has no words that tell a compiler what to assume"};
  auto kernel = std::make_shared<Kernel>(*withDistinctStatements(launch.kernel));
  Names names(*kernel);
  Stating stating(*kernel, names);
  kernel->body = stating.rewriteBlock(kernel->body);
  if (stating.bounded == 0) {
    if (stating.left > 0)
      return Refusal{"how large the argument of a sine, cosine or tangent can be is not known",
                     stating.leftAt};
    if (stating.before > 0)
      return Refusal{"the arguments of its sines, cosines and tangents are said to be small already"};
    return Refusal{"it has no sine, cosine or tangent of what varies"};
  }
  LaunchResult result{launch, nullptr, {}};
  result.remarks.push_back(
      {RemarkKind::Done, kernel->loc, kernel->name,
       fmt::format("said of {} of sine, cosine or tangent that the argument is small, {:.3g} at most",
                   stating.bounded == 1 ? "1 call" : fmt::format("{} calls", stating.bounded),
                   stating.greatest)});
  if (stating.left > 0)
    result.remarks.push_back(
        {RemarkKind::Note, stating.leftAt, kernel->name,
         fmt::format("nothing is known of the arguments of {}",
                     stating.left == 1 ? "another call" : fmt::format("{} other calls", stating.left))});
  kernel->story.push_back(
      "Arguments of sine and cosine are said to be small, so that compilers leave out the reduction of huge "
      "ones.");
  result.launch->kernel = kernel;
  return result;
}

namespace {

std::vector<Recipe> proposeBounding(const Candidate&) { return {{{boundArgumentsPass()()}}}; }

}  // namespace

const PassOf<NoOptions>& boundArgumentsPass() {
  static const PassOf<NoOptions> pass =
      PassOf<NoOptions>("bound-arguments",
                        "Where the argument of a sine, cosine or tangent is known to be small, compilers are "
                        "told so and leave out what huge ones need.",
                        boundArguments)
          .with({.keepsAccesses = true})
          .proposes({.level = Level::Finish, .place = 30, .propose = proposeBounding, .isUnseen = true});
  return pass;
}

}  // namespace hone::passes
