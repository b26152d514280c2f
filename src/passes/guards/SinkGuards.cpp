#include "passes/guards/SinkGuards.h"

#include <fmt/core.h>

#include <utility>

#include "ir/Build.h"
#include "ir/StmtsOf.h"
#include "ir/StructureReturns.h"
#include "ir/Substitute.h"
#include "ir/Walk.h"
#include "passes/edit/Names.h"
#include "passes/guards/GuardSinker.h"
#include "passes/guards/Speculation.h"

namespace hone::passes {

using namespace ir;

namespace {

// Whether a break or continue below leaves this loop's own body.
template <class Leave>
bool leaves(const StmtPtr& s) {
  if (s->is<Leave>()) return true;
  if (s->is<For>() || s->is<While>() || s->is<DoWhile>()) return false;
  if (s->is<Switch>() && std::is_same_v<Leave, Break>) return false;
  bool found = false;
  forEachChild(*s, [&](const StmtPtr& child) { found = found || leaves<Leave>(child); });
  return found;
}

bool isComparisonOfPlain(const ExprPtr& e) {
  if (as<Unary>(e)) return isComparisonOfPlain(as<Unary>(e)->operand);
  if (as<VarRef>(e) || as<IntLiteral>(e) || as<Coord>(e)) return true;
  if (const auto* c = as<Cast>(e)) return isComparisonOfPlain(c->operand);
  const auto* b = as<Binary>(e);
  return b && isComparison(b->op) && isComparisonOfPlain(b->lhs) && isComparisonOfPlain(b->rhs);
}

class ReplaceVar : public Rewriter {
 public:
  ReplaceVar(const Variable* replaced, ExprPtr by) : var(replaced), value(std::move(by)) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* no = as<Unary>(e); no && no->op == UnaryOp::Not && no->operand == value)
      return negated(value);
    const auto* r = as<VarRef>(e);
    return r && r->var.get() == var ? value : e;
  }

 private:
  const Variable* var;
  ExprPtr value;
};

// The guards of the threads of a block.
class BlockGuards : public GuardSinker {
 public:
  BlockGuards(const Kernel& kernel, const SinkOptions& how, Names& taken)
      : GuardSinker(taken), options(how), outside(kernel, how) {}

  StmtPtr run(const StmtPtr& body) {
    if (!concerns(body)) return body;
    StmtPtr made = block(open(stmtsOf(body)), body->loc);
    return retyped.by.empty() ? made : retyped.rewriteBlock(made);
  }

 protected:
  bool concerns(const StmtPtr& s) const override {
    return isForAll(s) || (options.opens && options.opens(s)) ||
           anyBelow(s, [this](const StmtPtr& child) { return concerns(child); });
  }
  bool concerns(const StmtPtr& s, const GuardedRegion&) const override { return concerns(s); }

  bool isForAll(const StmtPtr& s) const override {
    if (options.isForAll) return options.isForAll(s);
    const auto* b = as<Barrier>(s);
    return b && b->scope == SyncScope::Block;
  }

  bool splits(const StmtPtr& choice) const override { return !isUniform(choice); }
  bool isTakenAlike(const If& choice, const StmtPtr& s, const GuardedRegion& region) const override {
    return isUniform(s) && outside.isFree(choice.cond, region) && !outside.readsStale(choice.cond, region);
  }
  bool isFree(const StmtPtr& s, const GuardedRegion& region) const override {
    return outside.isFree(s, region);
  }

  void check(const StmtPtr& s) const override {
    if (containsReturn(s)) refuse("a return stands in the way", s->loc);
  }

  void checkLoop(const For& loop, const StmtPtr& s, GuardedRegion& region) const override {
    if (!outside.isSameForAll(loop, region)) refuseStale(s);
    region.headers.merge(Speculation::readByHeader(loop));
    if (leaves<Break>(loop.body)) refuse("the loop may end early", s->loc);
    if (holdsForAll(loop.body) && leaves<Continue>(loop.body)) refuse("a continue stands in the way", s->loc);
    for (const StmtPtr& one : loop.init) {
      if (!outside.isFree(one, region))
        refuse("the start of the loop is not known to threads outside the condition around it", s->loc);
      if (const auto* a = as<Assign>(one))
        if (const auto* r = as<VarRef>(a->place)) region.unset.erase(r->var.get());
    }
    bool fine = outside.isFree(loop.cond, region);
    for (const StmtPtr& one : loop.step) fine = fine && outside.isFree(one, region);
    if (!fine)
      refuse("the bound of the loop is not known to threads outside the condition around it", s->loc);
  }

  // A later iteration of this loop meets its header, and those of the loops in it, again.
  void checkSunkLoop(const StmtPtr& s, const GuardedRegion& region) const override {
    for (const Variable* var : region.headers)
      if (region.stale.contains(var)) refuseStale(s);
  }

  bool mayPass(const Declare& d, const StmtList& group) const override {
    if (!d.init) return true;
    std::set<const Variable*> changed;
    for (const StmtPtr& s : group) changed.merge(assignedVariables(s));
    return accesses(d.init).empty() && !readsAny(d.init, changed);
  }

  // Variables that are used behind the If are declared before it.
  StmtList underGuard(const StmtList& group, StmtList& out) override {
    RefCounts here;
    for (const StmtPtr& s : group) countRefs(s, here);
    StmtList under;
    for (const StmtPtr& s : group) {
      const auto* d = as<Declare>(s);
      if (!d || here[d->var.get()] == outside.refsTo(d->var.get())) {
        under.push_back(s);
        continue;
      }
      if (d->var->isReference || d->var->type->is(TypeKind::Array))
        refuse(fmt::format("`{}` cannot be declared before it has its value", d->var->name), s->loc);
      VarPtr var = d->var;
      if (var->isConst || var->isConstexpr) {
        auto copy = std::make_shared<Variable>(*var);
        copy->isConst = copy->isConstexpr = false;
        retyped.by[var.get()] = copy;
      }
      out.push_back(makeStmt(Declare{var, nullptr}, s->loc));
      under.push_back(assign(ref(var, s->loc), d->init, s->loc));
    }
    return under;
  }

  ExprPtr named(const ExprPtr& condition, const char* name, const StmtPtr& s, StmtList& out) override {
    VarPtr var = makeLocal(names, name, boolType(), true);
    out.push_back(makeStmt(Declare{var, condition}, s->loc));
    return ref(var);
  }

  // A condition that is used once, or is short, is written where it is used.
  void finish(const If&, const StmtPtr& s, const GuardedRegion&, bool, size_t first, StmtList under,
              StmtList& out) const override {
    const std::set<const Variable*> assigned = assignedVariables(s);
    StmtPtr made = block(std::move(under));
    StmtList kept;
    for (size_t i = first; i < out.size(); ++i) {
      const auto& declare = *out[i]->as<Declare>();
      RefCounts uses;
      countRefs(made, uses);
      for (size_t j = i + 1; j < out.size(); ++j) countRefs(out[j], uses);
      const size_t times = uses[declare.var.get()];
      const bool mayMove = accesses(declare.init).empty() && !readsAny(declare.init, assigned);
      if (times == 0) continue;
      if (mayMove && (times == 1 || isComparisonOfPlain(declare.init)))
        made = ReplaceVar(declare.var.get(), declare.init).rewriteBlock(made);
      else
        kept.push_back(out[i]);
    }
    out.resize(first);
    out.insert(out.end(), kept.begin(), kept.end());
    for (const StmtPtr& one : stmtsOf(made)) out.push_back(one);
  }

 private:
  template <class Holds>
  static bool anyBelow(const StmtPtr& s, const Holds& holds) {
    bool found = false;
    forEachChild(*s, [&](const StmtPtr& child) { found = found || holds(child); });
    return found;
  }
  bool holdsForAll(const StmtPtr& s) const {
    return isForAll(s) || anyBelow(s, [this](const StmtPtr& child) { return holdsForAll(child); });
  }
  bool isUniform(const StmtPtr& s) const { return options.isUniform && options.isUniform(s); }

  // Whether a value may change with these variables, or behind a pointer.
  bool readsAny(const ExprPtr& value, const std::set<const Variable*>& variables) const {
    bool found = false;
    walkExprs(value, [&](const Expr& e) {
      const auto* r = e.as<VarRef>();
      found = found || (r && (variables.contains(r->var.get()) || outside.isPointedTo(r->var.get())));
    });
    return found;
  }

  [[noreturn]] static void refuseStale(const StmtPtr& s) {
    refuse("the loop counts by what only threads inside the condition around it have worked out", s->loc);
  }

  const SinkOptions& options;
  const Speculation outside;
  Renaming retyped;
};

}  // namespace

Result<StmtPtr> sinkGuards(const Kernel& kernel, const SinkOptions& options) {
  Names names(kernel);
  return refusing([&] { return BlockGuards(kernel, options, names).run(kernel.body); });
}

}  // namespace hone::passes
