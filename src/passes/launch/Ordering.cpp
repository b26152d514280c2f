#include "passes/launch/Ordering.h"

#include <fmt/core.h>

#include <functional>
#include <set>

#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::passes {

using namespace ir;

namespace {

// Every statement and expression of the kernel and of the functions it reaches; stops at the first that `fn`
// says something about.
class OrderFinder : public Walker {
 public:
  using OnStmt = std::function<std::string(const Stmt&)>;
  using OnExpr = std::function<std::string(const Expr&)>;
  OrderFinder(OnStmt onStmt, OnExpr onExpr) : ofStmt(std::move(onStmt)), ofExpr(std::move(onExpr)) {}
  std::optional<OrderUse> found;

 protected:
  bool enter(const Stmt& s) override {
    if (!found) note(ofStmt(s), s.loc);
    return !found;
  }
  bool enter(const Expr& e) override {
    if (!found) note(ofExpr(e), e.loc);
    const auto* call = e.as<Call>();
    if (!found && call && call->function && call->function->body && seen.insert(call->function.get()).second)
      walk(call->function->body);
    return !found;
  }

 private:
  void note(std::string reason, SourceLoc loc) {
    if (!reason.empty()) found = OrderUse{std::move(reason), loc};
  }
  OnStmt ofStmt;
  OnExpr ofExpr;
  std::set<const Function*> seen;
};

std::string nameOf(const ExprPtr& place) {
  VarPtr var = rootVariable(place);
  return var ? var->name : "memory";
}

// The atomic that a statement consists of, null when it is none; `used`: its value goes somewhere.
const Call* atomicOf(const Stmt& s, bool& used) {
  ExprPtr value;
  if (const auto* declare = s.as<Declare>()) value = declare->init;
  if (const auto* assign = s.as<Assign>()) value = assign->value;
  used = value != nullptr;
  if (const auto* eval = s.as<Eval>()) value = eval->call;
  while (const auto* cast = as<Cast>(value)) value = cast->operand;
  const auto* call = as<Call>(value);
  return call && call->intrinsic && call->intrinsic->cls == IntrinsicClass::Atomic ? call : nullptr;
}

}  // namespace

std::optional<OrderUse> usesWarps(const Kernel& kernel) {
  OrderFinder finder(
      [](const Stmt& s) -> std::string {
        const auto* barrier = s.as<Barrier>();
        return barrier && barrier->scope == SyncScope::Warp ? "threads of a warp wait for each other" : "";
      },
      [](const Expr& e) -> std::string {
        if (const auto* c = e.as<Coord>(); c && c->kind == CoordKind::WarpSize)
          return "the warp size is used";
        const auto* call = e.as<Call>();
        if (!call || !call->intrinsic) return "";
        switch (call->intrinsic->cls) {
          case IntrinsicClass::Exchange:
            return fmt::format("threads of a warp exchange values by {}", call->intrinsic->id);
          case IntrinsicClass::Query:
          case IntrinsicClass::Group:
            return fmt::format("{} depends on which threads share a warp", call->intrinsic->id);
          default: return "";
        }
      });
  finder.walk(kernel.body);
  return finder.found;
}

std::optional<OrderUse> usesOrder(const Kernel& kernel, bool reassociate) {
  OrderFinder finder(
      [reassociate](const Stmt& s) -> std::string {
        if (const auto* barrier = s.as<Barrier>(); barrier && barrier->scope > SyncScope::Block)
          return "blocks wait for each other at a grid-wide barrier";
        if (const auto* fence = s.as<Fence>(); fence && fence->scope > SyncScope::Block && fence->orderGlobal)
          return "a memory fence orders what blocks tell each other";
        bool used = false;
        const Call* atomic = atomicOf(s, used);
        if (!atomic) return "";
        if (used)
          return fmt::format("what an atomic on {} returns depends on the order of threads",
                             nameOf(atomic->args[0]));
        const TypePtr type = atomic->args[0]->type->element;
        if (type && type->isFloating() && !reassociate)
          return fmt::format(
              "atomics add to {} in the order in which threads come; pass --reassociate to permit another",
              nameOf(atomic->args[0]));
        return "";
      },
      [](const Expr& e) -> std::string {
        const auto* element = e.as<Subscript>();
        if (element && element->base->type->isPointer() && element->base->type->isVolatile &&
            element->base->type->space != Space::Shared && element->base->type->space != Space::Private)
          return fmt::format("{} is volatile: blocks may wait for each other there", nameOf(element->base));
        const auto* var = e.as<VarRef>();
        if (var && var->var->isVolatile && var->var->space != Space::Shared &&
            var->var->space != Space::Private)
          return fmt::format("{} is volatile: blocks may wait for each other there", var->var->name);
        return "";
      });
  finder.walk(kernel.body);
  return finder.found;
}

}  // namespace hone::passes
