#include "acc/LoopMapping.h"

#include <algorithm>
#include <bit>

#include "acc/Collapse.h"
#include "acc/Independence.h"
#include "acc/LoopCount.h"
#include "acc/MissingReduction.h"
#include "acc/Privatize.h"
#include "acc/ReductionValues.h"
#include "acc/VariableUse.h"

namespace hone::acc {

using namespace ir;
using frontend::AccLevel;

namespace {

constexpr int64_t usualLanes = 128, usualWorkers = 4, warpLanes = 32, mostLanes = 1024, mostWorkers = 32;

struct LoopNode {
  StmtPtr stmt;
  LoopNode* parent = nullptr;
  std::vector<std::unique_ptr<LoopNode>> children;
};

class LoopMapper {
 public:
  LoopMapper(WorkRegion& theWork, MappingLimits theLimits) : work(theWork), limits(std::move(theLimits)) {}

  BlockShape map() {
    decideParallel();
    keepOrderOfKernels();
    collapseAll(work, [this](const StmtPtr& loop) { return isGridNest(loop); });
    LoopNode root = tree();
    const bool isGrid = limits.mayUseGrid && !limits.hasGangCount && mapGrid();
    if (!isGrid)
      for (auto& child : root.children) assign(*child, taken());
    BlockShape shape = shapeOf(isGrid);
    for (auto& child : root.children) say(*child, shape);
    return shape;
  }

 private:
  struct Taken {
    bool gang = false, worker = false, lanes = false;
  };

  Taken taken() const {
    return {limits.outer < AccLevel::Gang, limits.outer < AccLevel::Worker, limits.outer < AccLevel::Vector};
  }

  LoopPlan& planOf(const StmtPtr& s) { return *work.notes.planOf(*s); }

  // Each loop that may not run in parallel says why in its plan.
  void decideParallel() {
    // Inner loops of one that was looked at may have been rewritten with it: statement by statement.
    std::set<const Stmt*> done;
    for (StmtPtr loop = next(work.body, done); loop; loop = next(work.body, done)) {
      done.insert(loop.get());
      LoopPlan& plan = planOf(loop);
      const frontend::AccLoop& asked = plan.asked;
      const bool isKernels = work.construct == frontend::AccConstruct::Kernels;
      if (work.construct == frontend::AccConstruct::Serial) {
        plan.reason = "a serial construct has one gang of one worker of one lane";
      } else if (asked.isSeq) {
        plan.reason = "seq is written";
      } else if (asked.isIndependent || (!asked.isAuto && !asked.isImplicit && !isKernels)) {
        plan.isParallel = true;
        plan.reason = asked.isIndependent ? "independent is written"
                                          : "loops of parallel are independent unless they say otherwise";
        plan.missing = missingReductions(work, loop, plan);
        for (const MissingReduction& one : plan.missing) plan.reason += "; " + one.words;
      } else {
        const Dependent dependent = whyDependent(work, loop);
        LoopPlan& now = planOf(loop);
        const bool isAsked = !dependent.ifApart.empty() && work.mayRelyOnApart;
        now.isParallel = dependent.why.empty() || isAsked;
        now.reason = now.isParallel ? "no iteration needs what another one does" : dependent.why;
        if (!now.isParallel) continue;
        if (isAsked) now.reason += relyOn(dependent.ifApart);
        const char* before = ", but for ";
        for (const frontend::AccReduction& reduction : dependent.reductions) {
          now.asked.reductions.push_back(reduction);
          now.reason +=
              before + ("reduction(" + std::string(str(reduction.op)) + ":" + reduction.var->name + ")");
          before = " and ";
        }
      }
    }
  }

  std::string relyOn(const std::vector<std::pair<int, int>>& pairs) {
    std::string text;
    for (const auto& [a, b] : pairs) {
      work.reliesOn.insert({a, b});
      const auto& captured = work.region->captured;
      text +=
          (text.empty() ? " where " : ", ") + captured[size_t(a)].name + " and " + captured[size_t(b)].name;
    }
    return text +
           " are memory of their own on the device, which is asked before the launch; else it runs in order";
  }

  // The gangs of a kernel never wait for each other: what has to be done in order is done by one gang.
  void keepOrderOfKernels() {
    if (work.construct != frontend::AccConstruct::Kernels) return;
    const StmtList stmts = meantOf(work.body);
    const LoopPlan* plan = stmts.size() == 1 ? work.notes.planOf(*stmts.front()) : nullptr;
    if (plan && plan->isParallel) return;
    limits.outer = std::min(limits.outer, AccLevel::Worker);
    limits.mayUseGrid = false;
  }

  StmtPtr next(const StmtPtr& s, const std::set<const Stmt*>& done) {
    if (work.notes.planOf(*s) && !done.contains(s.get())) return s;
    StmtPtr result;
    forEachChild(*s, [&](const StmtPtr& child) {
      if (!result) result = next(child, done);
    });
    return result;
  }

  void grow(LoopNode& parent, const StmtPtr& s) {
    LoopNode* into = &parent;
    if (work.notes.planOf(*s)) {
      parent.children.push_back(std::make_unique<LoopNode>());
      into = parent.children.back().get();
      into->stmt = s;
      into->parent = &parent;
    }
    forEachChild(*s, [&](const StmtPtr& child) { grow(*into, child); });
  }
  LoopNode tree() {
    LoopNode root;
    grow(root, work.body);
    return root;
  }

  // What is asked for and used below a loop.
  struct Below {
    bool anyParallel = false, gang = false, worker = false, vector = false;
    AccLevel called = AccLevel::Seq;
  };
  void addBelow(const LoopNode& node, Below& below) {
    below.called = std::max(below.called, calledLevel(*work.unit, as<For>(node.stmt)->body, &work.notes));
    for (const auto& child : node.children) {
      const LoopPlan& plan = planOf(child->stmt);
      below.anyParallel |= plan.isParallel;
      if (plan.isParallel) {
        below.gang |= plan.asked.gang;
        below.worker |= plan.asked.worker;
        below.vector |= plan.asked.vector;
      }
      addBelow(*child, below);
    }
  }

  bool hasLevels(const LoopPlan& plan) const {
    return plan.asked.gang || plan.asked.worker || plan.asked.vector;
  }

  void assign(LoopNode& node, Taken above) {
    LoopPlan& plan = planOf(node.stmt);
    if (plan.isParallel) {
      Below below;
      addBelow(node, below);
      if (hasLevels(plan))
        assignAsked(node, plan, above, below);
      else
        assignFree(plan, above, below);
      if (plan.isSpread()) requireCount(node.stmt);
    }
    above.gang |= plan.gang;
    above.worker |= plan.inner != Inner::None;
    above.lanes |= plan.inner == Inner::Lanes;
    for (auto& child : node.children) assign(*child, above);
  }

  void requireCount(const StmtPtr& loop) {
    std::string why;
    if (!loopCount(*as<For>(loop), &why)) throw Refused{why, loop->loc};
  }

  [[noreturn]] static void forbidden(const std::string& what, const LoopPlan& plan, const StmtPtr& loop) {
    throw Refused{what, plan.asked.loc.valid() ? plan.asked.loc : loop->loc, true};
  }

  void assignAsked(LoopNode& node, LoopPlan& plan, const Taken& above, const Below& below) {
    const frontend::AccLoop& asked = plan.asked;
    if (asked.gang && limits.outer >= AccLevel::Gang && above.gang && !isOtherDimension(node, plan))
      forbidden("a gang loop stands inside another gang loop of its dimension", plan, node.stmt);
    if (asked.worker && (above.worker || above.lanes))
      forbidden("internal: a worker loop stands inside a worker or vector loop", plan, node.stmt);
    if (asked.vector && above.lanes)
      forbidden("internal: a vector loop stands inside a vector loop", plan, node.stmt);
    if (asked.gang && (above.worker || above.lanes))
      forbidden("internal: a gang loop stands inside a worker or vector loop", plan, node.stmt);
    plan.gang = asked.gang && limits.outer >= AccLevel::Gang;
    // The compiler decides about gangs in kernels constructs.
    if (work.construct == frontend::AccConstruct::Kernels && !above.gang && !above.worker && !above.lanes &&
        !below.gang && below.called < AccLevel::Gang)
      plan.gang = true;
    plan.gangDim = asked.gangDim ? asked.gangDim - 1 : 0;
    const bool lanesBelow = below.called >= AccLevel::Vector || (below.anyParallel && !asked.vector);
    if (asked.vector)
      plan.inner = Inner::Lanes;
    else if (asked.worker)
      plan.inner = lanesBelow ? Inner::Worker : Inner::Lanes;
    else if (!below.anyParallel && below.called == AccLevel::Seq && !above.lanes && !above.worker &&
             mayTakeLanes(node, plan))
      plan.inner = Inner::Lanes;
  }

  // gang(dim:) loops of different dimensions may nest.
  bool isOtherDimension(const LoopNode& node, const LoopPlan& plan) {
    for (const LoopNode* up = node.parent; up && up->stmt; up = up->parent) {
      const LoopPlan& outer = planOf(up->stmt);
      const unsigned here = plan.asked.gangDim ? plan.asked.gangDim - 1 : 0;
      if (outer.gang && outer.gangDim == here) return false;
    }
    return true;
  }

  // Nothing that the iterations of a gang have in common is assigned.
  bool mayTakeLanes(const LoopNode& node, const LoopPlan& plan) {
    if (limits.outer < AccLevel::Gang || plan.asked.gangStatic) return false;
    const AssignedInside assigned = assignedInside(work, node.stmt, plan);
    return assigned.shared.empty() && assigned.last.empty();
  }

  void assignFree(LoopPlan& plan, const Taken& above, const Below& below) {
    const bool callsGangs = below.called >= AccLevel::Gang, callsWorkers = below.called >= AccLevel::Worker,
               callsLanes = below.called >= AccLevel::Vector;
    plan.gang = !above.gang && !above.worker && !above.lanes && !below.gang && !callsGangs;
    if (above.lanes || callsWorkers) return;
    if (!below.anyParallel && !callsLanes) {
      plan.inner = Inner::Lanes;
    } else if (!plan.gang && !above.worker && !below.worker) {
      plan.inner = Inner::Worker;
    }
  }

  // --- one thread an iteration

  bool isFreeForGrid(const LoopPlan& plan, bool isInner) const {
    const frontend::AccLoop& asked = plan.asked;
    if (!plan.isParallel || !asked.reductions.empty() || plan.trips < 0 || asked.gangStatic ||
        asked.gangDim > 1 || asked.gangNum)
      return false;
    return !hasLevels(plan) || (!isInner && (asked.gang || asked.vector));
  }

  // A nest that is all of the region, without reductions, whose trip counts the host knows.
  std::vector<StmtPtr> gridNest() {
    std::vector<StmtPtr> nest;
    StmtList stmts = meantOf(work.body);
    while (stmts.size() == 1 && stmts.front()->is<For>() && nest.size() < 3) {
      const StmtPtr loop = stmts.front();
      const LoopPlan* plan = work.notes.planOf(*loop);
      if (!plan || !isFreeForGrid(*plan, !nest.empty()) || !loopCount(*as<For>(loop))) break;
      // gang on the one and vector on the other is taken at its word.
      if (!nest.empty() && hasLevels(planOf(nest.front())) && planOf(nest.front()).asked.collapse < 2) break;
      if (!isRectangular(nest, loop)) break;
      nest.push_back(loop);
      stmts = meantOf(as<For>(loop)->body);
    }
    return nest;
  }

  bool isRectangular(const std::vector<StmtPtr>& nest, const StmtPtr& loop) {
    const auto count = loopCount(*as<For>(loop));
    for (const StmtPtr& outer : nest) {
      const auto around = loopCount(*as<For>(outer));
      for (const ExprPtr& e : {count->begin, count->end, count->step})
        if (mentions(e, around->var.get())) return false;
      if (around->var == count->var) return false;
    }
    return true;
  }

  bool isGridNest(const StmtPtr& loop) {
    if (!limits.mayUseGrid || limits.hasGangCount || !isAllOf(loop)) return false;
    const LoopPlan& plan = planOf(loop);
    if (!isLast(loop)) return false;
    return isFreeForGrid(plan, false) && plan.innerTrips >= 0 && plan.asked.collapse <= 3 &&
           plan.asked.tile.size() <= 3;
  }

  // The region is this loop and nothing else.
  bool isAllOf(const StmtPtr& loop) {
    const StmtList stmts = meantOf(work.body);
    return stmts.size() == 1 && stmts.front() == loop;
  }

  bool mapGrid() {
    std::vector<StmtPtr> nest = gridNest();
    // Loops further inside stay loops of a thread: lanes and workers are taken.
    while (!nest.empty() && !isLast(nest.back())) nest.pop_back();
    if (nest.empty()) return false;
    if (continuesLoop(as<For>(nest.back())->body)) return false;
    const StmtPtr& last = nest.back();
    const AssignedInside assigned = assignedInside(work, last, planOf(last));
    if (!assigned.shared.empty()) return false;
    for (size_t i = 0; i < nest.size(); ++i) {
      LoopPlan& plan = planOf(nest[i]);
      plan.gang = true;
      plan.inner = Inner::Lanes;
      plan.axis = static_cast<int>(nest.size() - 1 - i);
    }
    gridAxes = nest.size();
    gridTile = planOf(nest.front()).asked.tile;
    return true;
  }

  // No parallel loop or call that wants threads stands in it.
  bool isLast(const StmtPtr& loop) {
    bool found = false;
    walkStmts(as<For>(loop)->body, [&](const Stmt& s) {
      if (const LoopPlan* plan = work.notes.planOf(s)) found |= plan->isParallel;
    });
    return !found && calledLevel(*work.unit, as<For>(loop)->body) == AccLevel::Seq;
  }

  // --- the block

  static int64_t powerOfTwo(int64_t n, int64_t most) {
    return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::clamp<int64_t>(n, 1, most))));
  }

  BlockShape shapeOf(bool isGrid) {
    bool hasLanes = false, hasWorkers = calledLevel(*work.unit, work.body) >= AccLevel::Vector,
         hasWorkerLoops = false, hasGangs = false;
    std::optional<int64_t> lanes = limits.lanes, workers = limits.workers;
    walkStmts(work.body, [&](const Stmt& s) {
      const LoopPlan* plan = work.notes.planOf(s);
      if (!plan || !plan->isSpread()) return;
      hasLanes |= plan->inner == Inner::Lanes;
      hasGangs |= plan->gang;
      hasWorkerLoops |= plan->inner == Inner::Worker || plan->asked.worker;
      hasWorkers |= plan->inner == Inner::Worker;
      if (!lanes && plan->asked.vectorLength) lanes = constantValue(plan->asked.vectorLength);
      if (!workers && plan->asked.workerNum) workers = constantValue(plan->asked.workerNum);
    });
    BlockShape shape;
    shape.hasGangs = hasGangs;
    if (hasWorkers) {
      shape.hasWorkers = true;
      shape.threads[0] = warpLanes;
      shape.threads[1] = powerOfTwo(workers.value_or(usualWorkers), mostWorkers);
      if (calledLevel(*work.unit, work.body) == AccLevel::Vector && !hasWorkerLoops) shape.threads[1] = 1;
      return shape;
    }
    if (!hasLanes) return shape;
    int64_t threads = lanes.value_or(usualLanes);
    if (hasWorkerLoops && workers) threads = (lanes ? *lanes : 1) * *workers;
    threads = powerOfTwo(threads, mostLanes);
    shape.threads[0] = threads;
    if (isGrid && gridAxes > 1) {
      if (tileShape(shape)) return shape;
      shape.threads[0] = std::min<int64_t>(threads, warpLanes);
      int64_t rest = lanes ? threads / shape.threads[0] : 8;
      shape.threads[1] = gridAxes == 3 ? std::min<int64_t>(rest, 4) : rest;
      if (gridAxes == 3) shape.threads[2] = std::max<int64_t>(rest / shape.threads[1], 1);
    }
    return shape;
  }

  // A tile's element loops are the threads of a block, where there are that many.
  bool tileShape(BlockShape& shape) const {
    if (gridTile.size() != gridAxes) return false;
    int64_t all = 1;
    for (int64_t size : gridTile) {
      if (size <= 0 || size > mostLanes) return false;
      all *= size;
    }
    if (all > mostLanes || all < warpLanes || gridTile.front() > 1024 ||
        (gridTile.size() > 2 && gridTile[2] > 64))
      return false;
    for (size_t i = 0; i < gridTile.size(); ++i) shape.threads[i] = gridTile[i];
    return true;
  }

  void say(const LoopNode& node, const BlockShape& shape) {
    const LoopPlan& plan = planOf(node.stmt);
    std::string levels, reason = plan.reason;
    auto add = [&](const std::string& what) { levels += (levels.empty() ? "" : " ") + what; };
    if (plan.axis >= 0) {
      add("gang vector");
      reason += std::string("; one thread an iteration, along ") + "xyz"[plan.axis];
    } else {
      if (plan.gang) add(plan.gangDim ? "gang(dim:" + std::to_string(plan.gangDim + 1) + ")" : "gang");
      if (plan.inner == Inner::Worker || plan.asked.worker) add("worker");
      if (plan.inner == Inner::Lanes && (!plan.asked.worker || plan.asked.vector)) add("vector");
      if (plan.inner == Inner::Lanes && !shape.hasWorkers)
        reason += "; spread by stride over " + std::to_string(shape.threads[0]) + " threads" +
                  (plan.gang ? " of each gang" : "");
    }
    if (levels.empty()) {
      levels = "seq";
      if (plan.isParallel) reason = "all levels are taken by the loops around it and in it";
    }
    LoopMapping said{plan.asked.loc.valid() ? plan.asked.loc : node.stmt->loc, levels, reason, {}};
    for (const MissingReduction& one : plan.missing)
      if (plan.isSpread() && (plan.inner != Inner::None || !isOfGang(one))) {
        said.missing.push_back(one.words);
        work.missing.push_back(one);
      }
    work.said.push_back(std::move(said));
    for (const auto& child : node.children) say(*child, shape);
  }

  // Gangs have variables of the region for themselves.
  bool isOfGang(const MissingReduction& one) const {
    return declaredVariables(work.body).contains(one.var.get());
  }

  WorkRegion& work;
  MappingLimits limits;
  size_t gridAxes = 0;
  std::vector<int64_t> gridTile;
};

}  // namespace

BlockShape mapLoops(WorkRegion& work, const MappingLimits& limits) { return LoopMapper(work, limits).map(); }

}  // namespace hone::acc
