#include "passes/SinkGuards.h"

#include <map>
#include <optional>
#include <utility>

#include "ir/Build.h"
#include "ir/Intrinsics.h"
#include "ir/StmtsOf.h"
#include "ir/StructureReturns.h"
#include "ir/Substitute.h"
#include "ir/Walk.h"
#include "passes/Names.h"

namespace hone::passes {

using namespace ir;

namespace {

using Counts = std::map<const Variable*, size_t>;

void countRefs(const StmtPtr& s, Counts& into) {
  walkExprs(s, [&](const Expr& e) {
    if (const auto* r = e.as<VarRef>()) ++into[r->var.get()];
  });
}

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
  Sinker(const Kernel& kernel, const SinkOptions& how) : options(how), names(kernel) {
    countRefs(kernel.body, refs);
    pointedTo = addressTaken(kernel.body);
  }

  SunkGuards run(const StmtPtr& body) {
    if (!concerns(body)) return {body, "", {}};
    StmtPtr made = block(open(stmtsOf(body)), body->loc);
    if (failed) return {nullptr, reason, loc};
    if (!retyped.by.empty()) made = retyped.rewriteBlock(made);
    return {made, "", {}};
  }

 private:
  // What stands under a condition that differs between threads.
  struct Region {
    ExprPtr guard;
    Counts inside = {};  // references in the branch
    std::set<const Variable*> declared = {};
    bool inLoop = false;
    std::set<const Variable*> unset = {};    // hold no value in threads for which the guard does not hold
    std::set<const Variable*> stale = {};    // hold an older value in these threads than in the others
    std::set<const Variable*> headers = {};  // what loops that stand outside of the guard count by
    // What loops of known rounds around a statement count by, and through which values.
    std::map<const Variable*, std::pair<int64_t, int64_t>> counters = {};
  };

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

  void refuse(std::string text, SourceLoc where) {
    if (failed) return;
    failed = true;
    reason = std::move(text), loc = where;
  }

  // Outside of every guard: only what is around a statement that concerns us is looked into.
  StmtList open(const StmtList& list) {
    StmtList out;
    for (const StmtPtr& s : list) {
      if (failed) return out;
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
  void split(const If& choice, const StmtPtr& s, Region* outer, StmtList& out) {
    auto regionOf = [&](const StmtPtr& branch) {
      Region region;
      if (branch) countRefs(branch, region.inside), region.declared = declaredVariables(branch);
      if (outer) region.unset = outer->unset, region.stale = outer->stale;
      region.inLoop = depth > 0;
      return region;
    };
    Region then = regionOf(choice.then), otherwise = regionOf(choice.otherwise);
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
      for (const Region* inner : {&then, &otherwise}) {
        outer->stale.insert(inner->stale.begin(), inner->stale.end());
        outer->headers.insert(inner->headers.begin(), inner->headers.end());
      }
    // A condition that is used once, or is short, is written where it is used.
    StmtPtr made = block(std::move(under));
    StmtList kept;
    for (size_t i = first; i < out.size(); ++i) {
      const auto& declare = *out[i]->as<Declare>();
      Counts uses;
      countRefs(made, uses);
      for (size_t j = i + 1; j < out.size(); ++j) countRefs(out[j], uses);
      const size_t times = uses[declare.var.get()];
      bool mayMove = true;
      walkExprs(declare.init, [&](const Expr& e) {
        if (const auto* r = e.as<VarRef>())
          mayMove = mayMove && !assigned.contains(r->var.get()) && !pointedTo.contains(r->var.get());
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

  // The thread's own, and no statement outside of the region looks at it: what inactive threads put there does not matter.
  bool isConfined(const VarPtr& var, const Region& region) const {
    if (var->storage != Storage::Local || var->space != Space::Private || var->isReference || var->isVolatile)
      return false;
    if (pointedTo.contains(var.get())) return false;
    // In a loop, what an inactive thread changes could be looked at in a later round.
    if (region.inLoop && !region.declared.contains(var.get())) return false;
    auto all = refs.find(var.get()), here = region.inside.find(var.get());
    return all == refs.end() || (here != region.inside.end() && here->second == all->second);
  }

  // An element of an array of the thread's own that is there whatever the thread holds: constants and counters of loops of known rounds say which.
  static bool isOwnElement(const ExprPtr& place, const Region& region) {
    const auto* element = as<Subscript>(place);
    const auto* array = element ? as<VarRef>(element->base) : nullptr;
    if (!array || array->var->storage != Storage::Local || array->var->space != Space::Private) return false;
    TypePtr type = array->var->type;
    for (const ExprPtr& index : element->indices) {
      if (!type->is(TypeKind::Array) || type->extent <= 0) return false;
      const auto known = constantValue(index);
      const auto* counter = as<VarRef>(index);
      const auto counts = counter ? region.counters.find(counter->var.get()) : region.counters.end();
      const bool isThere = known ? *known >= 0 && *known < type->extent
                                 : counts != region.counters.end() && counts->second.first >= 0 &&
                                       counts->second.second <= type->extent;
      if (!isThere) return false;
      type = type->element;
    }
    return true;
  }

  // Counter, first value and end of a loop of known rounds that counts upwards; at least one round.
  static std::optional<std::pair<const Variable*, std::pair<int64_t, int64_t>>> knownRounds(const For& loop) {
    const auto counts = counted(loop);
    if (!counts || !counts->declares || loop.init.size() != 1 || counts->op != BinaryOp::Add ||
        counts->compare != BinaryOp::Lt)
      return std::nullopt;
    const auto begin = constantValue(counts->begin), end = constantValue(counts->end),
               step = constantValue(counts->step);
    if (!begin || !end || !step || *step <= 0 || *begin >= *end ||
        assignedVariables(loop.body).contains(counts->var.get()))
      return std::nullopt;
    return std::pair{static_cast<const Variable*>(counts->var.get()), std::pair{*begin, *end}};
  }

  // Arrays of which each thread that does the statement sets what others that do it set, whatever it holds.
  static void setArrays(const StmtPtr& s, std::set<const Variable*>& into) {
    if (const auto* a = as<Assign>(s); a && !a->op)
      if (const auto* element = as<Subscript>(a->place))
        if (const auto* array = as<VarRef>(element->base)) into.insert(array->var.get());
    if (const auto* list = as<Block>(s))
      for (const StmtPtr& one : list->stmts) setArrays(one, into);
    if (const auto* loop = as<For>(s); loop && knownRounds(*loop)) setArrays(loop->body, into);
  }

  // Every thread may work it out: no memory but what is readable anyway, nothing that traps, no variable without a value.
  bool isFree(const ExprPtr& value, const Region& region) const {
    if (!value) return true;
    bool fine = true;
    for (const ir::Access& a : accesses(value)) {
      if (a.mode == AccessMode::Address) continue;
      VarPtr root = rootVariable(a.place);
      fine = fine && a.mode == AccessMode::Read && !a.through && root &&
             (options.readable.contains(root.get()) || isOwnElement(a.place, region));
    }
    walkExprs(value, [&](const Expr& e) {
      if (const auto* r = e.as<VarRef>())
        fine = fine && !region.unset.contains(r->var.get()) && !r->var->isVolatile;
      if (const auto* b = e.as<Binary>();
          b && (b->op == BinaryOp::Div || b->op == BinaryOp::Rem) && e.type->isInteger())
        fine = fine && constantValue(b->rhs).value_or(0) > 0;
      if (const auto* c = e.as<Call>())
        fine = fine && (c->intrinsic ? c->intrinsic->isPure() && c->intrinsic->cls != IntrinsicClass::Load &&
                                           c->intrinsic->cls != IntrinsicClass::Group
                                     : c->function->isPure() && !c->function->readsMemory);
    });
    return fine;
  }

  bool isFree(const StmtPtr& s, const Region& region) const {
    if (s->is<Comment>()) return true;
    if (const auto* d = as<Declare>(s)) return isFree(d->init, region);
    if (s->is<Block>()) return areFree(stmtsOf(s), region);
    if (const auto* choice = as<If>(s))
      return isFree(choice->cond, region) && areFree(stmtsOf(choice->then), region) &&
             areFree(stmtsOf(choice->otherwise), region);
    if (const auto* loop = as<For>(s)) {
      if (!options.opensIfFree || !options.opensIfFree(s) || !areFree(loop->init, region) ||
          !isFree(loop->cond, region) || !areFree(loop->step, region) || !isSameForAll(*loop, region))
        return false;
      const auto rounds = knownRounds(*loop);
      if (!rounds) return areFree(stmtsOf(loop->body), region);
      Region inner = region;
      inner.counters.insert(*rounds);
      return areFree(stmtsOf(loop->body), std::move(inner));
    }
    const auto* a = as<Assign>(s);
    if (!a) return false;
    ExprPtr place = a->place;
    while (true) {
      if (const auto* m = as<Member>(place))
        place = m->base;
      else if (const auto* w = as<Swizzle>(place))
        place = w->base;
      else
        break;
    }
    const bool isElement = isOwnElement(place, region);
    const auto* var = as<VarRef>(isElement ? as<Subscript>(place)->base : place);
    if (!var || !isConfined(var->var, region)) return false;
    const bool isWhole = place == a->place && !a->op;
    return isFree(a->value, region) && (isWhole || !region.unset.contains(var->var.get()));
  }

  // What a loop's header reads when the loop begins and at each of its rounds.
  static std::set<const Variable*> readByHeader(const For& loop) {
    std::set<const Variable*> read, set;
    auto note = [&](const ExprPtr& e) {
      if (e)
        walkExprs(e, [&](const Expr& part) {
          if (const auto* r = part.as<VarRef>(); r && !set.contains(r->var.get())) read.insert(r->var.get());
        });
    };
    for (const StmtPtr& s : loop.init) {
      if (const auto* d = as<Declare>(s)) note(d->init), set.insert(d->var.get());
      const auto* a = as<Assign>(s);
      const auto* whole = a && !a->op ? as<VarRef>(a->place) : nullptr;
      if (a) note(a->value);
      if (whole)
        set.insert(whole->var.get());
      else if (a)
        note(a->place);
    }
    note(loop.cond);
    for (const StmtPtr& s : loop.step)
      if (const auto* a = as<Assign>(s)) note(a->place), note(a->value);
    return read;
  }

  // Whether threads for which the guard does not hold begin and end the loop with the others.
  bool isSameForAll(const For& loop, const Region& region) const {
    for (const Variable* var : readByHeader(loop))
      if (region.stale.contains(var) || pointedTo.contains(var)) return false;
    return true;
  }

  // One after the other; variables that get no value among them do not count as having one.
  bool areFree(const StmtList& list, Region region) const {
    for (const StmtPtr& s : list) {
      if (!isFree(s, region)) return false;
      if (const auto* d = as<Declare>(s); d && !d->init) region.unset.insert(d->var.get());
      const auto* a = as<Assign>(s);
      if (const auto* r = a && !a->op ? as<VarRef>(a->place) : nullptr) region.unset.erase(r->var.get());
      std::set<const Variable*> arrays;
      setArrays(s, arrays);
      for (const Variable* array : arrays) region.unset.erase(array);
    }
    return true;
  }

  // Statements under the region's guard.
  StmtList guarded(const StmtList& list, Region& region) {
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
      if (failed) return out;
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
      if (!isFree(s, region)) {
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
        setArrays(s, arrays);
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
              mayPass = mayPass && !changed.contains(r->var.get()) && !pointedTo.contains(r->var.get());
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
  void into(const StmtPtr& s, Region& region, StmtList& out) {
    if (isForAll(s)) {
      out.push_back(s);
    } else if (s->is<Block>()) {
      out.push_back(block(guarded(stmtsOf(s), region), s->loc));
    } else if (const auto* choice = as<If>(s)) {
      if (isUniform(s) && isFree(choice->cond, region) && !readsStale(choice->cond, region)) {
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

  bool readsStale(const ExprPtr& e, const Region& region) const {
    bool found = false;
    walkExprs(e, [&](const Expr& part) {
      const auto* r = part.as<VarRef>();
      found = found || (r && (region.stale.contains(r->var.get()) || pointedTo.contains(r->var.get())));
    });
    return found;
  }

  void openLoop(const For& loop, const StmtPtr& s, Region& region, StmtList& out) {
    auto refuseStale = [&] {
      refuse("the loop counts by what only threads inside the condition around it have worked out", s->loc);
    };
    if (!isSameForAll(loop, region)) return refuseStale();
    region.headers.merge(readByHeader(loop));
    if (leaves<Break>(loop.body)) return refuse("the loop may end early", s->loc);
    if (holdsForAll(loop.body) && leaves<Continue>(loop.body))
      return refuse("a continue stands in the way", s->loc);
    for (const StmtPtr& one : loop.init) {
      if (!isFree(one, region))
        return refuse("the start of the loop is not known to threads outside the condition around it",
                      s->loc);
      if (const auto* a = as<Assign>(one))
        if (const auto* r = as<VarRef>(a->place)) region.unset.erase(r->var.get());
    }
    bool fine = isFree(loop.cond, region);
    for (const StmtPtr& one : loop.step) fine = fine && isFree(one, region);
    if (!fine)
      return refuse("the bound of the loop is not known to threads outside the condition around it", s->loc);
    For copy = loop;
    ++depth;
    copy.body = block(guarded(stmtsOf(loop.body), region), loop.body->loc);
    --depth;
    // A later round of this loop meets its header, and those of the loops in it, again.
    for (const Variable* var : region.headers)
      if (region.stale.contains(var)) return refuseStale();
    out.push_back(makeStmt(std::move(copy), s->loc));
  }

  // Under one If; variables that are used behind it are declared before it.
  void finishGroup(const StmtList& group, Region& region, StmtList& out) {
    Counts here;
    for (const StmtPtr& s : group) countRefs(s, here);
    StmtList under;
    for (const StmtPtr& s : group) {
      const auto* d = as<Declare>(s);
      if (!d || here[d->var.get()] == refs[d->var.get()]) {
        under.push_back(s);
        continue;
      }
      if (d->var->isReference || d->var->type->is(TypeKind::Array)) {
        refuse("`" + d->var->name + "` cannot be declared before it has its value", s->loc);
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
  Names names;
  unsigned depth = 0;  // loops around
  Counts refs;
  std::set<const Variable*> pointedTo;
  Renaming retyped;
  bool failed = false;
  std::string reason;
  SourceLoc loc;
};

}  // namespace

SunkGuards sinkGuards(const Kernel& kernel, const SinkOptions& options) {
  return Sinker(kernel, options).run(kernel.body);
}

}  // namespace hone::passes
