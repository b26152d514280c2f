#include "passes/merge/MergeObstacle.h"

#include <fmt/core.h>

#include <set>

#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::passes {

using namespace ir;

namespace {

class ObstacleFinder : public Walker {
 public:
  explicit ObstacleFinder(bool permitted) : reassociate(permitted) {}
  std::optional<MergeObstacle> found;

 protected:
  bool enter(const Stmt& s) override {
    if (const auto* barrier = s.as<Barrier>()) {
      if (barrier->scope == SyncScope::Warp) note("threads of a warp wait for each other", s.loc);
      if (barrier->scope > SyncScope::Block) note("it waits for the whole grid", s.loc);
    }
    if (const auto* fence = s.as<Fence>(); fence && fence->scope > SyncScope::Block)
      note("a memory fence orders what blocks tell each other", s.loc);
    if (const auto* d = s.as<Declare>(); d && d->var->isVolatile)
      note(fmt::format("`{}` is volatile", d->var->name), s.loc);
    const bool isLoop = s.is<For>() || s.is<While>() || s.is<DoWhile>();
    if (isLoop) ++loops;
    return !found;
  }
  void leave(const Stmt& s) override {
    if (s.is<For>() || s.is<While>() || s.is<DoWhile>()) --loops;
  }
  bool enter(const Expr& e) override {
    if (const auto* c = e.as<Coord>(); c && c->kind == CoordKind::WarpSize)
      note("it asks for the size of a warp", e.loc);
    const bool behindVolatile = e.is<Subscript>() && e.as<Subscript>()->base->type->isPointer() &&
                                e.as<Subscript>()->base->type->isVolatile;
    if (behindVolatile) note("it accesses volatile memory", e.loc);
    if (const auto* call = e.as<Call>()) visit(*call, e.loc);
    return !found;
  }

 private:
  bool reassociate;
  int loops = 0;
  std::set<const Function*> seen;

  void note(std::string reason, SourceLoc loc) {
    if (!found) found = MergeObstacle{std::move(reason), loc};
  }

  void visit(const Call& call, SourceLoc loc) {
    if (call.function) {
      if (call.function->body && seen.insert(call.function.get()).second) walk(call.function->body);
      return;
    }
    const Intrinsic& fn = *call.intrinsic;
    switch (fn.cls) {
      case IntrinsicClass::Exchange:
      case IntrinsicClass::Group:
        note(fmt::format("threads exchange values in groups by {}", fn.id), loc);
        break;
      case IntrinsicClass::BarrierVote: note("a barrier counts votes of the block", loc); break;
      case IntrinsicClass::Query: note(fmt::format("{} depends on where a thread runs", fn.id), loc); break;
      case IntrinsicClass::Atomic: atomic(call, loc); break;
      default: break;
    }
  }

  void atomic(const Call& call, SourceLoc loc) {
    const TypePtr& element = call.args[0]->type->element;
    if (element && element->isFloating() && !reassociate && !isOrderFree(call.intrinsic->id))
      note(
          "atomics add floating-point numbers in the order in which threads come; pass --reassociate to "
          "permit another",
          loc);
    // A value that is known beforehand, stored until it takes: a lock.
    bool fixed = call.args.size() > 1;
    for (size_t i = 1; i < call.args.size(); ++i) fixed = fixed && constantValue(call.args[i]);
    const bool swaps = call.intrinsic->id.find("cas") != std::string_view::npos ||
                       call.intrinsic->id.find("exch") != std::string_view::npos ||
                       call.intrinsic->id.find("xchg") != std::string_view::npos;
    if (loops && fixed && swaps) note("threads wait for each other at a lock", loc);
  }

  static bool isOrderFree(std::string_view id) {
    return id.find("min") != std::string_view::npos || id.find("max") != std::string_view::npos;
  }
};

}  // namespace

std::optional<MergeObstacle> mergeObstacle(const Kernel& kernel, bool reassociate) {
  ObstacleFinder finder(reassociate);
  finder.walk(kernel.body);
  return finder.found;
}

}  // namespace hone::passes
