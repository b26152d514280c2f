#include "acc/Collapse.h"

#include <utility>

#include "acc/LoopCount.h"
#include "ir/Build.h"

namespace hone::acc {

using namespace ir;

namespace {

struct Nest {
  std::vector<StmtPtr> loops;
  std::vector<LoopCount> counts;
  StmtList before, after;  // what stands between the loops, of collapse(force:)
  StmtPtr body;
};

unsigned depthOf(const LoopPlan& plan) {
  return plan.asked.tile.empty() ? plan.asked.collapse : static_cast<unsigned>(plan.asked.tile.size());
}

class Collapser {
 public:
  Collapser(WorkRegion& theWork, const StmtPtr& theLoop)
      : work(theWork), loop(theLoop), plan(*theWork.notes.planOf(*theLoop)) {}

  StmtList flat() {
    const Nest nest = nestOf();
    StmtList result;
    std::vector<ExprPtr> trips;
    bool isKnown = true;
    int64_t known = 1;
    for (const LoopCount& count : nest.counts) {
      const auto number = constantValue(simplified(tripsOf(count)));
      isKnown =
          isKnown && number && *number < INT32_MAX && (known *= std::max<int64_t>(*number, 0)) < INT32_MAX;
    }
    const TypePtr type = isKnown ? int32() : int64();
    for (const LoopCount& count : nest.counts) trips.push_back(numberOfTrips(count, type, result));
    VarPtr all = named("iterations", type, product(trips, 0), result);
    VarPtr number = work.names.local("iteration", type);

    StmtList body;
    for (size_t i = 0; i < nest.counts.size(); ++i) {
      const LoopCount& count = nest.counts[i];
      ExprPtr at = ref(number);
      if (i + 1 < trips.size()) at = over(at, product(trips, i + 1));
      if (i > 0) at = remainder(at, trips[i]);
      const bool isSmall = !count.type()->isPointer() && count.type()->bits <= 32;
      if (!isSmall || constantValue(count.step) != std::optional<int64_t>(1)) at = convert(at, int64());
      ExprPtr value = counterIn(count, count.begin, at);
      body.push_back(makeStmt(Declare{count.var, value}, nest.loops[i]->loc));
    }
    for (const StmtList& part : {nest.before, listOf(nest.body), nest.after})
      body.insert(body.end(), part.begin(), part.end());

    For made = *as<For>(loop);
    made.init = {makeStmt(Declare{number, intLit(0, type)}, loop->loc)};
    made.cond = binary(BinaryOp::Lt, ref(number), ref(all), loop->loc);
    made.step = {makeStmt(Assign{ref(number), BinaryOp::Add, intLit(1, type), true}, loop->loc)};
    made.body = block(std::move(body), loop->loc);
    StmtPtr one = makeStmt(std::move(made), loop->loc);
    LoopPlan now = plan;
    now.isFlat = true;
    now.tripsCount = now.innerTrips >= 0 ? static_cast<int>(depthOf(plan)) : 1;
    if (now.innerTrips < 0) now.trips = -1;
    work.notes.note(one, std::move(now));
    result.push_back(one);
    return {block(std::move(result), loop->loc)};
  }

  // Each loop of the nest with a plan of its own. What is private is each iteration's of them all, so that it
  // belongs to the innermost.
  void spread() {
    const Nest nest = nestOf();
    LoopPlan* outer = work.notes.planOf(*loop);
    for (size_t i = 1; i < nest.loops.size(); ++i) {
      LoopPlan inner;
      inner.asked.loc = plan.asked.loc;
      inner.isParallel = true;
      inner.isFlat = true;
      inner.reason =
          plan.asked.tile.empty() ? "collapsed with the loop around it" : "in a tile with the loop around it";
      inner.trips = plan.innerTrips + static_cast<int>(i) - 1;
      if (i + 1 == nest.loops.size()) {
        inner.asked.privates = std::exchange(outer->asked.privates, {});
        inner.asked.ownSections = std::exchange(outer->asked.ownSections, {});
      }
      work.notes.note(nest.loops[i], std::move(inner));
      outer = work.notes.planOf(*loop);
    }
    outer->isFlat = true;
  }

 private:
  ExprPtr product(const std::vector<ExprPtr>& numbers, size_t from) const {
    ExprPtr result = numbers[from];
    for (size_t i = from + 1; i < numbers.size(); ++i) result = times(result, numbers[i]);
    return result;
  }

  VarPtr named(const std::string& name, const TypePtr& type, const ExprPtr& value, StmtList& out) {
    VarPtr var = work.names.local(name, type, true);
    out.push_back(makeStmt(Declare{var, value}, loop->loc));
    return var;
  }

  // None is 0, never less: it is a factor.
  ExprPtr numberOfTrips(const LoopCount& count, const TypePtr& type, StmtList& out) {
    const ExprPtr trips = simplified(tripsOf(count));
    if (auto number = constantValue(trips)) return intLit(std::max<int64_t>(*number, 0), type);
    VarPtr var = named(count.var->name + "_trips", type, convert(trips, type), out);
    if (!trips->type->isSigned) return ref(var);
    out.back() =
        makeStmt(Declare{var, makeExpr(type, Select{binary(BinaryOp::Gt, trips, intLit(0, trips->type)),
                                                    convert(trips, type), intLit(0, type)})},
                 loop->loc);
    return ref(var);
  }

  Nest nestOf() {
    Nest nest;
    StmtPtr at = loop;
    const unsigned depth = depthOf(plan);
    for (unsigned i = 0; i < depth; ++i) {
      std::string why;
      auto count = loopCount(*as<For>(at), &why);
      if (!count) throw Refused{why, at->loc};
      for (const LoopCount& outer : nest.counts)
        for (const ExprPtr& e : {count->begin, count->end, count->step})
          if (mentions(e, outer.var.get()))
            throw Refused{"the bounds of a collapsed loop hang on the counter of a loop around it", at->loc};
      for (const StmtList* between : {&nest.before, &nest.after})
        for (const Variable* var : declaredVariables(block(*between)))
          for (const ExprPtr& e : {count->begin, count->end, count->step})
            if (mentions(e, var))
              throw Refused{"the bounds of a collapsed loop hang on what stands between the loops", at->loc};
      nest.loops.push_back(at);
      nest.counts.push_back(*count);
      nest.body = as<For>(at)->body;
      if (i + 1 < depth) at = inside(nest, at);
    }
    renameCounters(nest);
    return nest;
  }

  // Counters from outside of the loop become each iteration's own.
  void renameCounters(Nest& nest) {
    for (LoopCount& count : nest.counts) {
      if (count.declares) continue;
      VarPtr own = work.names.local(count.var->name, count.var->type);
      nest.body = withVariable(work.notes, nest.body, count.var, own);
      for (StmtList* part : {&nest.before, &nest.after})
        *part = listOf(withVariable(work.notes, block(*part), count.var, own));
      count.var = own;
      count.declares = true;
    }
  }

  StmtPtr inside(Nest& nest, const StmtPtr& at) {
    const StmtList stmts = meantOf(as<For>(at)->body);
    StmtPtr inner;
    StmtList after;
    for (const StmtPtr& s : stmts) {
      if (s->is<For>() && !inner)
        inner = s;
      else
        (inner ? after : nest.before).push_back(s);
    }
    if (!inner)
      throw Refused{"internal: there are fewer loops than collapse or tile asks for", at->loc, true};
    if ((!after.empty() || !nest.before.empty()) && !plan.asked.collapseForce)
      throw Refused{"internal: statements stand between loops that are collapsed", at->loc, true};
    nest.after.insert(nest.after.begin(), after.begin(), after.end());
    return inner;
  }

  WorkRegion& work;
  const StmtPtr loop;
  const LoopPlan plan;
};

StmtPtr firstNested(const Notes& notes, const StmtPtr& s) {
  if (const LoopPlan* plan = notes.planOf(*s);
      plan && !plan->isFlat && plan->isParallel && depthOf(*plan) > (plan->asked.tile.empty() ? 1u : 0u))
    return s;
  StmtPtr result;
  forEachChild(*s, [&](const StmtPtr& child) {
    if (!result) result = firstNested(notes, child);
  });
  return result;
}

}  // namespace

void collapseAll(WorkRegion& work, const std::function<bool(const StmtPtr&)>& staysNest) {
  while (StmtPtr loop = firstNested(work.notes, work.body)) {
    Collapser collapser(work, loop);
    if (staysNest(loop)) {
      collapser.spread();
    } else if (depthOf(*work.notes.planOf(*loop)) == 1) {
      work.notes.planOf(*loop)->isFlat = true;  // tiles of one loop
    } else {
      work.body = withStatement(work.notes, work.body, *loop, collapser.flat());
    }
  }
}

}  // namespace hone::acc
