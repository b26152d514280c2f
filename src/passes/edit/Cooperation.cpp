#include "passes/edit/Cooperation.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::passes {

using namespace ir;

namespace {

// Whether an atomic only looks: it loads, or adds, subtracts or ors nothing.
bool onlyReads(const Call& atomic) {
  const AtomicKind kind = atomic.intrinsic->traits.atomic;
  if (kind == AtomicKind::Load) return true;
  const bool keepsByZero =
      kind == AtomicKind::Add || kind == AtomicKind::Sub || kind == AtomicKind::Or || kind == AtomicKind::Xor;
  return keepsByZero && atomic.args.size() > 1 &&
         constantValue(withoutCasts(atomic.args[1])) == std::optional<int64_t>(0);
}

// Whether an atomic stores a value that is known beforehand: until it takes, in a loop.
bool swapsInConstant(const Call& atomic) {
  const IntrinsicTraits& traits = atomic.intrinsic->traits;
  if (traits.atomic == AtomicKind::TestAndSet) return true;
  if (!traits.isAtomicSwap()) return false;
  return std::all_of(atomic.args.begin() + 1, atomic.args.end(), [](const ExprPtr& arg) {
    return arg->type->isPointer() || constantValue(arg);  // a pointer: where the value expected is kept
  });
}

class CooperationFinder : public Walker {
 public:
  std::vector<CooperationUse> found;

 protected:
  bool enter(const Stmt& s) override {
    if (const auto* barrier = s.as<Barrier>())
      note(barrier->scope == SyncScope::Warp    ? Cooperation::WarpBarrier
           : barrier->scope == SyncScope::Block ? Cooperation::BlockBarrier
                                                : Cooperation::GridBarrier,
           s.loc);
    if (const auto* fence = s.as<Fence>())
      note(fence->scope > SyncScope::Block && fence->orderGlobal ? Cooperation::GridFence
                                                                 : Cooperation::BlockFence,
           s.loc);
    if (const auto* d = s.as<Declare>()) {
      variable(*d->var, s.loc);
      if (d->init) declared[d->var.get()] = {d->init, loops.size()};
    }
    if (const auto* eval = s.as<Eval>()) unused = as<Call>(withoutCasts(eval->call));
    const auto* once = s.as<DoWhile>();
    const bool isOnce = once && constantValue(once->cond) == std::optional<int64_t>(0);
    if (s.is<For>() || s.is<While>() || (once && !isOnce)) loops.push_back(&s);
    return true;
  }
  void leave(const Stmt& s) override {
    if (!loops.empty() && loops.back() == &s) loops.pop_back();
  }

  bool enter(const Expr& e) override {
    if (const auto* c = e.as<Coord>(); c && c->kind == CoordKind::WarpSize)
      note(Cooperation::WarpSize, e.loc);
    if (const auto* r = e.as<VarRef>()) variable(*r->var, e.loc);
    if (const auto* element = e.as<Subscript>(); element && element->base->type->isPointer()) {
      const Type& type = *element->base->type;
      const VarPtr root = rootVariable(element->base);
      const std::string name = root ? root->name : "memory";
      if (type.space == Space::Shared) note(Cooperation::SharedMemory, e.loc, name);
      if (type.isVolatile) note(volatileIn(type.space), e.loc, name);
    }
    if (const auto* call = e.as<Call>()) visit(*call, e.loc);
    return true;
  }

 private:
  std::vector<const Stmt*> loops;  // around
  const Call* unused = nullptr;    // the call that stands alone in this statement
  // What variables were declared with, and in how many loops; parameters of functions: what they are called
  // with.
  std::map<const Variable*, std::pair<ExprPtr, size_t>> declared;
  std::set<const Variable*> changedInCalls;
  std::set<const Function*> seen;

  void note(Cooperation kind, SourceLoc loc, std::string name = "", bool isDeclared = false) {
    found.push_back({kind, std::move(name), isDeclared, loc});
  }

  static Cooperation volatileIn(Space space) {
    return space == Space::Shared    ? Cooperation::VolatileShared
           : space == Space::Private ? Cooperation::VolatileOwn
                                     : Cooperation::VolatileGlobal;
  }

  void variable(const Variable& var, SourceLoc loc) {
    if (var.space == Space::Shared) note(Cooperation::SharedMemory, loc, var.name, true);
    const Space space =
        var.space == Space::Private && var.storage == Storage::Global ? Space::Global : var.space;
    if (var.isVolatile && var.storage != Storage::Param) note(volatileIn(space), loc, var.name, true);
  }

  void visit(const Call& call, SourceLoc loc) {
    if (call.function) {
      if (!call.function->body && call.function->synchronizes)
        note(Cooperation::WarpExchange, loc, call.function->name);
      if (call.function->body && seen.insert(call.function.get()).second) {
        for (size_t p = 0; p < std::min(call.args.size(), call.function->params.size()); ++p)
          declared[call.function->params[p].get()] = {call.args[p], loops.size()};
        changedInCalls.merge(assignedVariables(call.function->body));
        walk(call.function->body);
      }
      return;
    }
    const std::string name(call.intrinsic->id);
    if (isVolatileLoad(call)) {
      const VarPtr root = rootVariable(call.args[0]);
      note(volatileIn(call.args[0]->type->space), loc, root ? root->name : "memory");
    }
    switch (call.intrinsic->cls) {
      case IntrinsicClass::Exchange: return note(Cooperation::WarpExchange, loc, name);
      case IntrinsicClass::Group: return note(Cooperation::GroupHandle, loc, name);
      case IntrinsicClass::Query: return note(Cooperation::PlacementQuery, loc, name);
      case IntrinsicClass::BarrierVote: return note(Cooperation::BarrierVote, loc, name);
      case IntrinsicClass::Atomic: return atomic(call, loc);
      default: return;
    }
  }

  void atomic(const Call& call, SourceLoc loc) {
    const VarPtr root = rootVariable(call.args[0]);
    const std::string name = root ? root->name : "memory";
    if (&call != unused) note(Cooperation::AtomicValue, loc, name);
    const TypePtr& element = call.args[0]->type->element;
    if (element && element->isFloating() && !call.intrinsic->traits.isAtomicExtreme())
      note(Cooperation::FloatAtomic, loc, name);
    if (loops.empty()) return;
    const auto* loop = loops.back()->as<For>();
    const bool counts = loop && counted(*loop);
    const bool waits = onlyReads(call) || (&call != unused && waitsForValue(call));
    if (swapsInConstant(call) || (waits && !counts)) note(Cooperation::Spin, loc, name);
  }

  // Whether a compare-and-swap in a loop takes a lock: it waits at one place for one value, whatever it
  // stores. Updates without a lock expect what they have read.
  bool waitsForValue(const Call& swap) const {
    const AtomicKind kind = swap.intrinsic->traits.atomic;
    if (kind == AtomicKind::CompareExchange)
      return !mayChange(swap.args[0], false) && !mayChange(swap.args[1], true);
    if (kind != AtomicKind::CompareExchangeInPlace || mayChange(swap.args[0], false)) return false;
    const VarPtr expected = rootVariable(swap.args[1]);
    return expected && isSetToConstant(*expected);
  }

  std::set<const Variable*> changedInLoop() const {
    std::set<const Variable*> changed = changedInCalls;
    forEachChild(*loops.back(), [&](const StmtPtr& child) {
      changed.merge(assignedVariables(child));
      changed.merge(addressTaken(child));
    });
    return changed;
  }

  // Whether an expression may have another value in another iteration of the innermost loop; `byMemory`:
  // because what it reads in memory has changed.
  bool mayChange(const ExprPtr& e, bool byMemory) const {
    const std::set<const Variable*> changed = changedInLoop();
    bool may = false;
    walkExprs(e, [&](const Expr& one) {
      if (one.is<Subscript>() || one.is<Call>()) may |= byMemory;
      const auto* r = one.as<VarRef>();
      if (!r || may) return;
      if (r->var->space != Space::Private || r->var->storage == Storage::Global) {
        may = byMemory;
        return;
      }
      const auto known = declared.find(r->var.get());
      may = changed.contains(r->var.get()) ||
            (known != declared.end() && known->second.second == loops.size() &&
             mayChange(known->second.first, byMemory));
    });
    return may;
  }

  bool isSetToConstant(const Variable& var) const {
    const auto known = declared.find(&var);
    bool is =
        known != declared.end() && known->second.second == loops.size() && constantValue(known->second.first);
    forEachChild(*loops.back(), [&](const StmtPtr& child) {
      walkStmts(child, [&](const Stmt& s) {
        const auto* a = s.as<Assign>();
        const auto* place = a && !a->op ? as<VarRef>(a->place) : nullptr;
        is |= place && place->var.get() == &var && constantValue(a->value);
      });
    });
    return is;
  }
};

// The first use of which `refusal` says something.
Obstacle firstObstacle(const Kernel& kernel, const std::function<Obstacle(const CooperationUse&)>& refusal) {
  for (const CooperationUse& use : cooperationOf(kernel.body))
    if (Obstacle found = refusal(use)) {
      found->place = use.loc;
      return found;
    }
  return std::nullopt;
}

Refusal orderOfAtomics() {
  return Refusal{
      "atomics add floating-point numbers in the order in which threads come; pass --reassociate to permit "
      "another"};
}

}  // namespace

std::vector<CooperationUse> cooperationOf(const StmtPtr& body) {
  CooperationFinder finder;
  finder.walk(body);
  return std::move(finder.found);
}

bool doThreadsMeet(const StmtPtr& s) {
  const auto uses = cooperationOf(s);
  return std::any_of(uses.begin(), uses.end(), [](const CooperationUse& use) {
    switch (use.kind) {
      case Cooperation::WarpBarrier:
      case Cooperation::BlockBarrier:
      case Cooperation::GridBarrier:
      case Cooperation::BarrierVote:
      case Cooperation::WarpExchange:
      case Cooperation::GroupHandle:
      case Cooperation::PlacementQuery:
      case Cooperation::VolatileShared: return true;
      default: return false;
    }
  });
}

Obstacle obstacleToMerging(const Kernel& kernel, bool reassociate) {
  return firstObstacle(kernel, [&](const CooperationUse& use) -> Obstacle {
    switch (use.kind) {
      case Cooperation::WarpBarrier: return Refusal{"threads of a warp wait for each other"};
      case Cooperation::GridBarrier: return Refusal{"it waits for the whole grid"};
      case Cooperation::GridFence: return Refusal{"a memory fence orders what blocks tell each other"};
      case Cooperation::BarrierVote: return Refusal{"a barrier counts votes of the block"};
      case Cooperation::WarpExchange:
      case Cooperation::GroupHandle:
        return Refusal{fmt::format("threads exchange values in groups by {}", use.name)};
      case Cooperation::PlacementQuery:
        return Refusal{fmt::format("{} depends on where or when a thread runs", use.name)};
      case Cooperation::WarpSize: return Refusal{"it asks for the size of a warp"};
      case Cooperation::VolatileOwn:
      case Cooperation::VolatileShared:
      case Cooperation::VolatileGlobal:
        if (use.isDeclared) return Refusal{fmt::format("`{}` is volatile", use.name)};
        return Refusal{"it accesses volatile memory"};
      case Cooperation::FloatAtomic:
        if (reassociate) return std::nullopt;
        return orderOfAtomics();
      case Cooperation::Spin: return Refusal{"threads wait for each other at a lock"};
      case Cooperation::BlockBarrier:
      case Cooperation::BlockFence:
      case Cooperation::SharedMemory:
      case Cooperation::AtomicValue: return std::nullopt;
    }
    return std::nullopt;
  });
}

Obstacle obstacleToOtherWarps(const Kernel& kernel) {
  return firstObstacle(kernel, [](const CooperationUse& use) -> Obstacle {
    switch (use.kind) {
      case Cooperation::WarpBarrier: return Refusal{"threads of a warp wait for each other"};
      case Cooperation::WarpSize: return Refusal{"the warp size is used"};
      case Cooperation::WarpExchange:
        return Refusal{fmt::format("threads of a warp exchange values by {}", use.name)};
      case Cooperation::GroupHandle:
      case Cooperation::PlacementQuery:
        return Refusal{fmt::format("{} depends on where or when a thread runs", use.name)};
      default: return std::nullopt;
    }
  });
}

Obstacle obstacleToOtherOrder(const Kernel& kernel, bool reassociate) {
  return firstObstacle(kernel, [&](const CooperationUse& use) -> Obstacle {
    switch (use.kind) {
      case Cooperation::GridBarrier: return Refusal{"blocks wait for each other at a grid-wide barrier"};
      case Cooperation::GridFence: return Refusal{"a memory fence orders what blocks tell each other"};
      case Cooperation::AtomicValue:
        return Refusal{fmt::format("what an atomic on {} returns depends on the order of threads", use.name)};
      case Cooperation::FloatAtomic:
        if (reassociate) return std::nullopt;
        return Refusal{fmt::format(
            "atomics add to {} in the order in which threads come; pass --reassociate to permit another",
            use.name)};
      case Cooperation::VolatileGlobal:
        return Refusal{fmt::format("{} is volatile: blocks may wait for each other there", use.name)};
      default: return std::nullopt;
    }
  });
}

Obstacle obstacleToSharing(const Kernel& kernel, bool reassociate) {
  return firstObstacle(kernel, [&](const CooperationUse& use) -> Obstacle {
    switch (use.kind) {
      case Cooperation::WarpBarrier:
      case Cooperation::BlockBarrier:
      case Cooperation::GridBarrier:
      case Cooperation::BarrierVote:
      case Cooperation::WarpExchange:
      case Cooperation::GroupHandle:
      case Cooperation::SharedMemory: return Refusal{"threads of its blocks work together already"};
      case Cooperation::BlockFence:
      case Cooperation::GridFence: return Refusal{"it orders its memory with fences"};
      case Cooperation::PlacementQuery:
        return Refusal{fmt::format("{} depends on where or when a thread runs", use.name)};
      case Cooperation::VolatileShared:
      case Cooperation::VolatileGlobal: return Refusal{"it uses volatile memory"};
      case Cooperation::FloatAtomic:
        if (reassociate) return std::nullopt;
        return orderOfAtomics();
      case Cooperation::WarpSize:
      case Cooperation::VolatileOwn:
      case Cooperation::AtomicValue:
      case Cooperation::Spin: return std::nullopt;
    }
    return std::nullopt;
  });
}

}  // namespace hone::passes
