#include "ir/Kernel.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/Build.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

namespace {

const char* const axisNames[] = {".x", ".y", ".z"};

std::string nameOf(const Coord& c, Language language) {
  const std::string axis = c.axis < 3 ? axisNames[c.axis] : "";
  const std::string call = "(" + std::to_string(c.axis) + ")";
  const bool cl = language == Language::OpenCL;
  switch (c.kind) {
    case CoordKind::ThreadIdx: return cl ? "get_local_id" + call : "threadIdx" + axis;
    case CoordKind::BlockIdx: return cl ? "get_group_id" + call : "blockIdx" + axis;
    case CoordKind::BlockDim: return cl ? "get_local_size" + call : "blockDim" + axis;
    case CoordKind::GridDim: return cl ? "get_num_groups" + call : "gridDim" + axis;
    case CoordKind::WarpSize: return "the warp size";
    default: return "a global coordinate";
  }
}

// Looks for the first use of the block's shape: a coordinate outside blockIdx * blockDim + threadIdx and
// blockDim * gridDim, shared memory, a barrier, an exchange among lanes, or an order that holds within a
// block.
class ShapeUse {
 public:
  explicit ShapeUse(Language lang) : language(lang) {}
  std::string reason;

  void function(const StmtPtr& body) {
    collectCopies(body);
    statement(body);
  }

 private:
  void found(const std::string& what, SourceLoc loc) {
    if (!reason.empty()) return;
    reason = what + (loc.valid() ? " at " + loc.str() : "");
  }

  // int tx = threadIdx.x, never changed after: tx stands for the coordinate.
  void collectCopies(const StmtPtr& body) {
    std::set<const Variable*> changed = assignedVariables(body), taken = addressTaken(body);
    walkStmts(body, [&](const Stmt& s) {
      const auto* declaration = s.as<Declare>();
      if (!declaration || !declaration->init) return;
      ExprPtr value = withoutCasts(declaration->init);
      const Variable* var = declaration->var.get();
      if (value->is<Coord>() && !changed.contains(var) && !taken.contains(var)) copies[var] = value;
    });
  }

  const Coord* coordinate(const ExprPtr& e) const {
    ExprPtr value = withoutCasts(e);
    if (const auto* var = as<VarRef>(value)) {
      auto copy = copies.find(var->var.get());
      return copy == copies.end() ? nullptr : copy->second->as<Coord>();
    }
    return as<Coord>(value);
  }

  // Both factors of a product, also one by a 24-bit multiplication.
  std::pair<const Coord*, const Coord*> product(const ExprPtr& e) const {
    ExprPtr value = withoutCasts(e);
    if (const auto* node = as<Binary>(value); node && node->op == BinaryOp::Mul)
      return {coordinate(node->lhs), coordinate(node->rhs)};
    if (const auto* call = as<Call>(value);
        call && call->intrinsic && call->args.size() == 2 && call->intrinsic->id == "mul24")
      return {coordinate(call->args[0]), coordinate(call->args[1])};
    return {nullptr, nullptr};
  }

  bool isProductOf(const ExprPtr& e, CoordKind a, CoordKind b, int axis) const {
    auto [x, y] = product(e);
    if (!x || !y || x->axis != y->axis || (axis >= 0 && x->axis != axis)) return false;
    return (x->kind == a && y->kind == b) || (x->kind == b && y->kind == a);
  }

  void sumTerms(const ExprPtr& e, std::vector<ExprPtr>& terms) const {
    ExprPtr value = withoutCasts(e);
    if (const auto* node = as<Binary>(value); node && node->op == BinaryOp::Add) {
      sumTerms(node->lhs, terms);
      sumTerms(node->rhs, terms);
    } else {
      terms.push_back(value);
    }
  }

  void expression(const ExprPtr& e) {
    if (!e || !reason.empty()) return;
    if (const Coord* c = coordinate(e)) {
      switch (c->kind) {
        case CoordKind::GlobalId:
        case CoordKind::GlobalSize:
        case CoordKind::GlobalOffset:
        case CoordKind::WorkDim: return;
        default: return found(nameOf(*c, language) + " is used outside a global id", e->loc);
      }
    }
    if (isProductOf(e, CoordKind::BlockDim, CoordKind::GridDim, -1)) return;
    if (const auto* node = as<Binary>(withoutCasts(e)); node && node->op == BinaryOp::Add) return sum(e);
    if (const auto* var = e->as<VarRef>()) {
      if (var->var->space == Space::Shared) found("shared variable " + var->var->name, e->loc);
      return;
    }
    if (const auto* call = e->as<Call>()) callee(*call, e->loc);
    forEachChild(*e, [this](const ExprPtr& child) { expression(child); });
  }

  // Takes each pair of blockIdx * blockDim and threadIdx out of a sum; what is left must not use the shape.
  void sum(const ExprPtr& e) {
    std::vector<ExprPtr> terms;
    sumTerms(e, terms);
    for (int axis = 0; axis < 3; ++axis) {
      auto thread = terms.end(), base = terms.end();
      for (auto it = terms.begin(); it != terms.end(); ++it) {
        const Coord* c = coordinate(*it);
        if (c && c->kind == CoordKind::ThreadIdx && c->axis == axis) thread = it;
        if (isProductOf(*it, CoordKind::BlockIdx, CoordKind::BlockDim, axis)) base = it;
      }
      if (thread == terms.end() || base == terms.end()) continue;
      terms.erase(std::max(thread, base));
      terms.erase(std::min(thread, base));
    }
    for (const ExprPtr& term : terms) expression(term);
  }

  void callee(const Call& call, SourceLoc loc) {
    if (call.function) {
      if (!visited.insert(call.function.get()).second) return;
      ShapeUse inside(language);
      inside.visited = visited;
      inside.function(call.function->body);
      visited = inside.visited;
      if (!inside.reason.empty() && reason.empty()) reason = inside.reason;
      return;
    }
    switch (call.intrinsic->cls) {
      case IntrinsicClass::Exchange:
        return found("lanes exchange values by " + std::string(call.intrinsic->id), loc);
      case IntrinsicClass::BarrierVote: return found("barrier " + std::string(call.intrinsic->id), loc);
      case IntrinsicClass::Query:
      case IntrinsicClass::Group:
        return found(std::string(call.intrinsic->id) + " depends on the block", loc);
      case IntrinsicClass::Atomic:
        if (call.intrinsic->traits.scope == AtomicScope::Block)
          found(std::string(call.intrinsic->id) + " holds among threads of one block", loc);
        return;
      default: return;
    }
  }

  void statement(const StmtPtr& s) {
    if (!s || !reason.empty()) return;
    if (s->is<Barrier>()) return found("barrier", s->loc);
    if (const auto* fence = as<Fence>(s); fence && fence->scope <= SyncScope::Block)
      return found("fence that holds among threads of one block", s->loc);
    if (const auto* declaration = as<Declare>(s)) {
      if (declaration->var->space == Space::Shared)
        return found("shared variable " + declaration->var->name, s->loc);
      if (copies.contains(declaration->var.get())) return;
    }
    forEachExpr(*s, [this](const ExprPtr& e) { expression(e); });
    forEachChild(*s, [this](const StmtPtr& child) { statement(child); });
  }

  Language language;
  std::map<const Variable*, ExprPtr> copies;
  std::set<const Function*> visited;
};

}  // namespace

LaunchAssumption launchAssumption(const Kernel& kernel) {
  LaunchAssumption result;
  result.fixedBlock = kernel.requiredBlock;
  if (kernel.requiredBlock) {
    result.reason = "the block shape is required by an attribute";
    return result;
  }
  for (const VarPtr& param : kernel.params) {
    if (param->type->isPointer() && param->type->space == Space::Shared) {
      result.reason = "shared memory argument " + param->name;
      return result;
    }
  }
  ShapeUse use(kernel.language);
  use.function(kernel.body);
  result.free = use.reason.empty();
  result.reason = use.reason;
  return result;
}

}  // namespace hone::ir
