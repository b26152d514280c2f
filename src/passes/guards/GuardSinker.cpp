#include "passes/guards/GuardSinker.h"

#include <utility>

#include "ir/Build.h"
#include "ir/StmtsOf.h"
#include "ir/Walk.h"
#include "passes/guards/Speculation.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

using namespace ir;

namespace {

void appendAll(StmtList& to, const StmtList& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace

void countRefs(const StmtPtr& s, RefCounts& into) {
  walkExprs(s, [&](const Expr& e) {
    if (const auto* r = e.as<VarRef>()) ++into[r->var.get()];
  });
}

StmtList GuardSinker::open(const StmtList& list) {
  StmtList out;
  for (const StmtPtr& s : list) {
    if (!concerns(s) || isForAll(s)) {
      out.push_back(s);
    } else if (s->is<Block>()) {
      out.push_back(opened(s));
    } else if (const auto* choice = as<If>(s)) {
      openIf(*choice, s, out);
    } else if (const auto* loop = as<For>(s)) {
      For copy = *loop;
      copy.body = openedInLoop(loop->body);
      out.push_back(makeStmt(std::move(copy), s->loc));
    } else if (const auto* loopWhile = as<While>(s)) {
      out.push_back(
          makeStmt(While{loopWhile->cond, openedInLoop(loopWhile->body), loopWhile->unroll}, s->loc));
    } else if (const auto* loopDo = as<DoWhile>(s)) {
      out.push_back(makeStmt(DoWhile{openedInLoop(loopDo->body), loopDo->cond, loopDo->unroll}, s->loc));
    } else {
      refuse("a switch stands around it", s->loc);
    }
  }
  return out;
}

StmtPtr GuardSinker::opened(const StmtPtr& s) { return s ? block(open(stmtsOf(s)), s->loc) : nullptr; }

StmtPtr GuardSinker::openedInLoop(const StmtPtr& body) {
  ++depth;
  StmtPtr made = opened(body);
  --depth;
  return made;
}

void GuardSinker::openIf(const If& choice, const StmtPtr& s, StmtList& out) {
  if (splits(s)) {
    if (!leavesAlone) return split(choice, s, nullptr, out);
    StmtList made;
    const unsigned around = depth;
    const Obstacle no = refusing([&] { split(choice, s, nullptr, made); });
    depth = around;
    if (!no) return appendAll(out, made);
  }
  out.push_back(makeStmt(If{choice.cond, opened(choice.then), opened(choice.otherwise)}, s->loc));
}

GuardedRegion GuardSinker::regionOf(const If& choice, const StmtPtr& branch,
                                    const GuardedRegion* outer) const {
  GuardedRegion region;
  if (branch) countRefs(branch, region.inside), region.declared = declaredVariables(branch);
  if (outer) region.unset = outer->unset, region.stale = outer->stale, region.conditions = outer->conditions;
  region.conditions.push_back(choice.cond);
  region.inLoop = depth > 0;
  return region;
}

// An If on which threads differ: its condition is worked out once, and its branches follow under it.
void GuardSinker::split(const If& choice, const StmtPtr& s, GuardedRegion* outer, StmtList& out) {
  GuardedRegion then = regionOf(choice, choice.then, outer),
                otherwise = regionOf(choice, choice.otherwise, outer);
  auto under = [&](const ExprPtr& cond, const char* name) {
    return named(outer ? andAlso(outer->guard, cond) : cond, name, s, out);
  };
  const size_t first = out.size();
  then.guard = under(choice.cond, "inside");
  if (choice.otherwise)
    otherwise.guard = outer ? under(negated(choice.cond), "outside") : negated(then.guard);
  StmtList made = guarded(stmtsOf(choice.then), then);
  if (choice.otherwise) appendAll(made, guarded(stmtsOf(choice.otherwise), otherwise));
  if (outer)
    for (const GuardedRegion* inner : {&then, &otherwise}) {
      outer->stale.insert(inner->stale.begin(), inner->stale.end());
      outer->headers.insert(inner->headers.begin(), inner->headers.end());
    }
  finish(choice, s, then, !outer, first, std::move(made), out);
}

// Statements under the region's guard.
StmtList GuardSinker::guarded(const StmtList& list, GuardedRegion& region) {
  StmtList out, group, comments;
  auto takeComments = [&](StmtList& into) {
    appendAll(into, comments);
    comments.clear();
  };
  auto flush = [&] {
    if (!group.empty()) finishGroup(group, region, out);
    group.clear();
  };
  for (const StmtPtr& s : list) {
    if (s->is<Comment>()) {
      (!leavesComments ? comments : group.empty() ? out : group).push_back(s);
      continue;
    }
    check(s);
    if (concerns(s, region)) {
      flush();
      takeComments(out);
      into(s, region, out);
      continue;
    }
    const auto* d = as<Declare>(s);
    if (!isFree(s, region)) {
      if (const StmtPtr made = d ? declaredForAll(s, region) : nullptr) {
        flush();
        takeComments(out);
        out.push_back(made);
        continue;
      }
      takeComments(group);
      group.push_back(s);
      if (d) region.unset.insert(d->var.get());
      region.stale.merge(assignedVariables(s));
      continue;
    }
    if (!d) {
      // Keeps its place behind what is under the guard.
      flush();
      if (const auto* a = as<Assign>(s))
        if (const auto* r = as<VarRef>(a->place); r && !a->op)
          region.unset.erase(r->var.get()), region.stale.erase(r->var.get());
      std::set<const Variable*> arrays;
      Speculation::setArrays(s, arrays);
      for (const Variable* array : arrays) region.unset.erase(array);
    } else {
      if (!group.empty() && !mayPass(*d, group)) flush();
      if (!d->init && d->var->space == Space::Private) region.unset.insert(d->var.get());
    }
    takeComments(out);
    out.push_back(s);
  }
  flush();
  takeComments(out);
  return out;
}

// Under one If, which is joined with one that stands alone in it.
void GuardSinker::finishGroup(const StmtList& group, const GuardedRegion& region, StmtList& out) {
  StmtList under = underGuard(group, out);
  const auto* only = under.size() == 1 ? as<If>(under.front()) : nullptr;
  if (only && !only->otherwise)
    out.push_back(makeStmt(If{andAlso(region.guard, only->cond), only->then, nullptr}, under.front()->loc));
  else
    out.push_back(makeStmt(If{guardOf(region), block(std::move(under)), nullptr}, group.front()->loc));
}

// A statement that all threads must come to, or that holds one.
void GuardSinker::into(const StmtPtr& s, GuardedRegion& region, StmtList& out) {
  if (isForAll(s)) {
    out.push_back(s);
  } else if (s->is<Block>()) {
    out.push_back(block(guarded(stmtsOf(s), region), s->loc));
  } else if (const auto* choice = as<If>(s)) {
    if (!isTakenAlike(*choice, s, region)) return split(*choice, s, &region, out);
    const std::set<const Variable*> before = region.stale;
    StmtPtr then = block(guarded(stmtsOf(choice->then), region), choice->then->loc), otherwise;
    std::set<const Variable*> afterThen = std::exchange(region.stale, before);
    if (choice->otherwise)
      otherwise = block(guarded(stmtsOf(choice->otherwise), region), choice->otherwise->loc);
    region.stale.merge(afterThen);
    out.push_back(makeStmt(If{choice->cond, then, otherwise}, s->loc));
  } else if (const auto* loop = as<For>(s)) {
    checkLoop(*loop, s, region);
    For copy = *loop;
    ++depth;
    copy.body = block(guarded(stmtsOf(loop->body), region), loop->body->loc);
    --depth;
    checkSunkLoop(s, region);
    out.push_back(makeStmt(std::move(copy), s->loc));
  } else {
    refuse("it stands in a while loop or a switch under such a condition", s->loc);
  }
}

}  // namespace hone::passes
