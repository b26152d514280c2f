#include "passes/guards/SinkGuards.h"

#include <fmt/core.h>

#include <utility>

#include "ir/Build.h"
#include "ir/StmtsOf.h"
#include "ir/StructureReturns.h"
#include "ir/Substitute.h"
#include "ir/Walk.h"
#include "passes/edit/Names.h"
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

class Sinker {
 public:
  Sinker(const Kernel& kernel, const SinkOptions& how) : options(how), outside(kernel, how), names(kernel) {}

  // Calls refuse.
  StmtPtr run(const StmtPtr& body) {
    if (!concerns(body)) return body;
    const StmtPtr made = block(open(stmtsOf(body)), body->loc);
    return retyped.by.empty() ? made : retyped.rewriteBlock(made);
  }

 private:
  bool isForAll(const StmtPtr& s) const {
    if (options.isForAll) return options.isForAll(s);
    const auto* b = as<Barrier>(s);
    return b && b->scope == SyncScope::Block;
  }
  bool concerns(const StmtPtr& s) const {
    if (isForAll(s) || (options.opens && options.opens(s))) return true;
    bool found = false;
    forEachChild(*s, [&](const StmtPtr& child) { found = found || concerns(child); });
    return found;
  }
  bool holdsForAll(const StmtPtr& s) const {
    if (isForAll(s)) return true;
    bool found = false;
    forEachChild(*s, [&](const StmtPtr& child) { found = found || holdsForAll(child); });
    return found;
  }
  bool isUniform(const StmtPtr& s) const { return options.isUniform && options.isUniform(s); }

  // Outside of every guard: only what is around a statement that concerns us is looked into.
  StmtList open(const StmtList& list) {
    StmtList out;
    for (const StmtPtr& s : list) {
      if (!concerns(s) || isForAll(s)) {
        out.push_back(s);
      } else if (s->is<Block>()) {
        out.push_back(block(open(stmtsOf(s)), s->loc));
      } else if (const auto* choice = as<If>(s)) {
        if (isUniform(s))
          out.push_back(makeStmt(If{choice->cond, block(open(stmtsOf(choice->then)), choice->then->loc),
                                    choice->otherwise ? block(open(stmtsOf(choice->otherwise))) : nullptr},
                                 s->loc));
        else
          split(*choice, s, nullptr, out);
      } else if (const auto* loop = as<For>(s)) {
        For copy = *loop;
        copy.body = block(inLoop(loop->body), loop->body->loc);
        out.push_back(makeStmt(std::move(copy), s->loc));
      } else if (const auto* loopWhile = as<While>(s)) {
        out.push_back(
            makeStmt(While{loopWhile->cond, block(inLoop(loopWhile->body)), loopWhile->unroll}, s->loc));
      } else if (const auto* loopDo = as<DoWhile>(s)) {
        out.push_back(makeStmt(DoWhile{block(inLoop(loopDo->body)), loopDo->cond, loopDo->unroll}, s->loc));
      } else {
        refuse("a switch stands around it", s->loc);
      }
    }
    return out;
  }

  StmtList inLoop(const StmtPtr& body) {
    ++depth;
    StmtList out = open(stmtsOf(body));
    --depth;
    return out;
  }

  // An If on which threads differ: its condition is worked out once, and its branches follow under it.
  void split(const If& choice, const StmtPtr& s, GuardedRegion* outer, StmtList& out) {
    auto regionOf = [&](const StmtPtr& branch) {
      GuardedRegion region;
      if (branch) countRefs(branch, region.inside), region.declared = declaredVariables(branch);
      if (outer) region.unset = outer->unset, region.stale = outer->stale;
      region.inLoop = depth > 0;
      return region;
    };
    GuardedRegion then = regionOf(choice.then), otherwise = regionOf(choice.otherwise);
    auto condition = [&](ExprPtr cond, const char* name) {
      VarPtr var = makeLocal(names, name, boolType(), true);
      ExprPtr whole = outer ? andAlso(outer->guard, std::move(cond)) : std::move(cond);
      out.push_back(makeStmt(Declare{var, whole}, s->loc));
      return var;
    };
    const size_t first = out.size();
    VarPtr yes = condition(choice.cond, "inside"), no;
    then.guard = ref(yes);
    if (choice.otherwise && outer) {
      no = condition(negated(choice.cond), "outside");
      otherwise.guard = ref(no);
    } else if (choice.otherwise) {
      otherwise.guard = negated(then.guard);
    }
    const std::set<const Variable*> assigned = assignedVariables(s);
    StmtList under = guarded(stmtsOf(choice.then), then);
    if (choice.otherwise) {
      StmtList second = guarded(stmtsOf(choice.otherwise), otherwise);
      under.insert(under.end(), second.begin(), second.end());
    }
    if (outer)
      for (const GuardedRegion* inner : {&then, &otherwise}) {
        outer->stale.insert(inner->stale.begin(), inner->stale.end());
        outer->headers.insert(inner->headers.begin(), inner->headers.end());
      }
    // A condition that is used once, or is short, is written where it is used.
    StmtPtr made = block(std::move(under));
    StmtList kept;
    for (size_t i = first; i < out.size(); ++i) {
      const auto& declare = *out[i]->as<Declare>();
      RefCounts uses;
      countRefs(made, uses);
      for (size_t j = i + 1; j < out.size(); ++j) countRefs(out[j], uses);
      const size_t times = uses[declare.var.get()];
      bool mayMove = true;
      walkExprs(declare.init, [&](const Expr& e) {
        if (const auto* r = e.as<VarRef>())
          mayMove = mayMove && !assigned.contains(r->var.get()) && !outside.isPointedTo(r->var.get());
      });
      mayMove = mayMove && accesses(declare.init).empty();
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

  // Statements under the region's guard.
  StmtList guarded(const StmtList& list, GuardedRegion& region) {
    StmtList out, group, comments;
    auto takeComments = [&](StmtList& into) {
      into.insert(into.end(), comments.begin(), comments.end());
      comments.clear();
    };
    auto flush = [&] {
      if (!group.empty()) finishGroup(group, region, out);
      group.clear();
    };
    for (const StmtPtr& s : list) {
      if (s->is<Comment>()) {
        comments.push_back(s);
        continue;
      }
      if (containsReturn(s)) refuse("a return stands in the way", s->loc);
      if (concerns(s)) {
        flush();
        takeComments(out);
        into(s, region, out);
        continue;
      }
      if (!outside.isFree(s, region)) {
        takeComments(group);
        group.push_back(s);
        if (const auto* d = as<Declare>(s)) region.unset.insert(d->var.get());
        region.stale.merge(assignedVariables(s));
        continue;
      }
      const auto* d = as<Declare>(s);
      if (!d) {
        // Keeps its place behind what is under the guard.
        flush();
        if (const auto* a = as<Assign>(s))
          if (const auto* r = as<VarRef>(a->place); r && !a->op)
            region.unset.erase(r->var.get()), region.stale.erase(r->var.get());
        std::set<const Variable*> arrays;
        Speculation::setArrays(s, arrays);
        for (const Variable* array : arrays) region.unset.erase(array);
      } else if (!group.empty()) {
        if (!d->init && d->var->space == Space::Private) region.unset.insert(d->var.get());
        // A declaration goes before the group where that changes nothing it reads.
        std::set<const Variable*> changed;
        for (const StmtPtr& g : group) changed.merge(assignedVariables(g));
        bool mayPass = !d->init || accesses(d->init).empty();
        if (d->init)
          walkExprs(d->init, [&](const Expr& e) {
            if (const auto* r = e.as<VarRef>())
              mayPass = mayPass && !changed.contains(r->var.get()) && !outside.isPointedTo(r->var.get());
          });
        if (!mayPass) flush();
      } else if (!d->init && d->var->space == Space::Private) {
        region.unset.insert(d->var.get());
      }
      takeComments(out);
      out.push_back(s);
    }
    flush();
    takeComments(out);
    return out;
  }

  // A statement that all threads must come to, or that holds one.
  void into(const StmtPtr& s, GuardedRegion& region, StmtList& out) {
    if (isForAll(s)) {
      out.push_back(s);
    } else if (s->is<Block>()) {
      out.push_back(block(guarded(stmtsOf(s), region), s->loc));
    } else if (const auto* choice = as<If>(s)) {
      if (isUniform(s) && outside.isFree(choice->cond, region) && !outside.readsStale(choice->cond, region)) {
        const std::set<const Variable*> before = region.stale;
        StmtPtr then = block(guarded(stmtsOf(choice->then), region), choice->then->loc);
        std::set<const Variable*> afterThen = std::exchange(region.stale, before);
        StmtPtr otherwise = choice->otherwise ? block(guarded(stmtsOf(choice->otherwise), region)) : nullptr;
        region.stale.merge(afterThen);
        out.push_back(makeStmt(If{choice->cond, then, otherwise}, s->loc));
      } else {
        split(*choice, s, &region, out);
      }
    } else if (const auto* loop = as<For>(s)) {
      openLoop(*loop, s, region, out);
    } else {
      refuse("it stands in a while loop or a switch under such a condition", s->loc);
    }
  }

  void openLoop(const For& loop, const StmtPtr& s, GuardedRegion& region, StmtList& out) {
    const Refusal stale{"the loop counts by what only threads inside the condition around it have worked out",
                        s->loc};
    if (!outside.isSameForAll(loop, region)) refuse(stale);
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
    For copy = loop;
    ++depth;
    copy.body = block(guarded(stmtsOf(loop.body), region), loop.body->loc);
    --depth;
    // A later iteration of this loop meets its header, and those of the loops in it, again.
    for (const Variable* var : region.headers)
      if (region.stale.contains(var)) refuse(stale);
    out.push_back(makeStmt(std::move(copy), s->loc));
  }

  // Under one If; variables that are used behind it are declared before it.
  void finishGroup(const StmtList& group, GuardedRegion& region, StmtList& out) {
    RefCounts here;
    for (const StmtPtr& s : group) countRefs(s, here);
    StmtList under;
    for (const StmtPtr& s : group) {
      const auto* d = as<Declare>(s);
      if (!d || here[d->var.get()] == outside.refsTo(d->var.get())) {
        under.push_back(s);
        continue;
      }
      if (d->var->isReference || d->var->type->is(TypeKind::Array)) {
        refuse(fmt::format("`{}` cannot be declared before it has its value", d->var->name), s->loc);
        return;
      }
      VarPtr var = d->var;
      if (var->isConst || var->isConstexpr) {
        auto copy = std::make_shared<Variable>(*var);
        copy->isConst = copy->isConstexpr = false;
        retyped.by[var.get()] = copy;
      }
      out.push_back(makeStmt(Declare{var, nullptr}, s->loc));
      under.push_back(assign(ref(var, s->loc), d->init, s->loc));
    }
    const auto* only = under.size() == 1 ? as<If>(under.front()) : nullptr;
    if (only && !only->otherwise)
      out.push_back(makeStmt(If{andAlso(region.guard, only->cond), only->then, nullptr}, under.front()->loc));
    else
      out.push_back(makeStmt(If{region.guard, block(std::move(under)), nullptr}, group.front()->loc));
  }

  const SinkOptions& options;
  const Speculation outside;
  Names names;
  unsigned depth = 0;  // loops around
  Renaming retyped;
};

}  // namespace

Result<StmtPtr> sinkGuards(const Kernel& kernel, const SinkOptions& options) {
  return refusing([&] { return Sinker(kernel, options).run(kernel.body); });
}

}  // namespace hone::passes
