#include "passes/merge/ReplicaValues.h"
#include "ir/Substitute.h"

#include "ir/Build.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::passes {

using namespace ir;

namespace {

bool isPlainCall(const Call& call) {
  if (!call.intrinsic || call.intrinsic->writesArguments) return false;
  const IntrinsicClass cls = call.intrinsic->cls;
  return cls == IntrinsicClass::Math || cls == IntrinsicClass::Bits || cls == IntrinsicClass::Convert;
}

bool loads(const ExprPtr& e) {
  for (const ir::Access& access : accesses(e))
    if (access.mode != AccessMode::Address) return true;
  return false;
}

// Assigned in the body, the steps of the loop that declares it left aside.
void collectChanging(const StmtPtr& s, std::set<const Variable*>& changing) {
  if (const auto* loop = as<For>(s)) {
    std::set<const Variable*> own;
    for (const StmtPtr& init : loop->init)
      if (const auto* d = init->as<Declare>()) own.insert(d->var.get());
    for (const StmtPtr& step : loop->step)
      for (const Variable* var : assignedVariables(step))
        if (!own.contains(var)) changing.insert(var);
    collectChanging(loop->body, changing);
    for (const StmtPtr& init : loop->init) collectChanging(init, changing);
    return;
  }
  if (s->is<Assign>())
    for (const Variable* var : assignedVariables(s)) changing.insert(var);
  if (const auto* d = s->as<Declare>(); d && !d->init) changing.insert(d->var.get());
  forEachChild(*s, [&](const StmtPtr& child) { collectChanging(child, changing); });
}

class PutAllIn : public Rewriter {
 public:
  explicit PutAllIn(std::function<ExprPtr(const Variable&)> of) : definition(std::move(of)) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* r = e->as<VarRef>();
    ExprPtr value = r ? definition(*r->var) : nullptr;
    return value ? rewrite(value) : e;
  }

 private:
  std::function<ExprPtr(const Variable&)> definition;
};

}  // namespace

ExprPtr conjunction(const std::vector<ExprPtr>& parts) {
  ExprPtr all;
  for (const ExprPtr& part : parts) all = andAlso(all, part);
  return all ? all : boolLit(true);
}

ReplicaValues::ReplicaValues(const StmtPtr& body, const Replicas& of, const ReplicaMasks& with)
    : replicas(of), masks(with) {
  collectChanging(body, changing);
  for (const Variable* var : addressTaken(body)) changing.insert(var);
  walkStmts(body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (!d || !d->init || changing.contains(d->var.get()) || !masks.of(*d->var)) return;
    const Type& type = *d->var->type;
    if (!type.isInteger() && !type.isPointer()) return;
    if (isSteady(d->init)) definitions[d->var.get()] = d->init;
  });
  // The counter of a loop has a first value and others.
  walkStmts(body, [&](const Stmt& s) {
    if (const auto* loop = s.as<For>())
      for (const StmtPtr& init : loop->init)
        if (const auto* d = init->as<Declare>()) definitions.erase(d->var.get());
  });
}

ExprPtr ReplicaValues::definition(const Variable& var) const {
  auto found = definitions.find(&var);
  return found == definitions.end() ? nullptr : found->second;
}

bool ReplicaValues::isSteady(const ExprPtr& e) const {
  if (loads(e)) return false;
  bool steady = true;
  walkExprs(e, [&](const Expr& node) {
    if (const auto* var = node.as<VarRef>())
      steady = steady && (!changing.contains(var->var.get()) || var->var->space == Space::Shared);
    if (const auto* call = node.as<Call>()) steady = steady && isPlainCall(*call);
  });
  return steady;
}

bool ReplicaValues::isNonNegative(const ExprPtr& e) const {
  if (auto number = constantValue(e)) return *number >= 0 && *number <= INT32_MAX;
  if (e->is<Coord>()) return true;
  if (const auto* var = e->as<VarRef>()) {
    if (replicas.axisOf(*var->var)) return true;
    ExprPtr value = definition(*var->var);
    return value && isNonNegative(value);
  }
  if (const auto* cast = e->as<Cast>())
    return cast->operand->type->isInteger() && isNonNegative(cast->operand);
  if (const auto* op = e->as<Binary>()) switch (op->op) {
      case BinaryOp::Add:
      case BinaryOp::Mul:
      case BinaryOp::Div:
      case BinaryOp::Rem: return isNonNegative(op->lhs) && isNonNegative(op->rhs);
      default: break;
    }
  return false;
}

bool ReplicaValues::isMadeOfIds(const ExprPtr& e) const {
  if (!e->type->is(TypeKind::Int)) return false;
  if (e->is<Coord>() || constantValue(e)) return true;
  if (const auto* cast = e->as<Cast>()) return isMadeOfIds(cast->operand);
  if (const auto* var = e->as<VarRef>()) {
    const ExprPtr value = definition(*var->var);
    return replicas.axisOf(*var->var) || (value && isMadeOfIds(value));
  }
  const auto* op = e->as<Binary>();
  if (!op || !isMadeOfIds(op->lhs) || !isMadeOfIds(op->rhs)) return false;
  // Sums and products cut down to fewer bits are those of their parts cut down before.
  return op->op == BinaryOp::Add || op->op == BinaryOp::Mul || e->type->bits <= 32;
}

bool ReplicaValues::mayBeAdded(const ExprPtr& e) const { return isMadeOfIds(e) && isNonNegative(e); }

std::optional<int> ReplicaValues::slopeOf(const Binary& op, std::optional<int> left,
                                          std::optional<int> right) const {
  if (!left || !right) return std::nullopt;
  switch (op.op) {
    case BinaryOp::Sub: right = -*right; [[fallthrough]];
    case BinaryOp::Add:
      if (*left && *right && *left != *right) return std::nullopt;
      return *left ? left : right;
    case BinaryOp::Mul:
      if (!*right && isNonNegative(op.rhs)) return left;
      if (!*left && isNonNegative(op.lhs)) return right;
      return std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<int> ReplicaValues::slope(const ExprPtr& e, AxisMask axis) const {
  if (!(masks.of(e) & axis)) return 0;
  if (const auto* var = e->as<VarRef>()) {
    if (replicas.axisOf(*var->var) == axis) return 1;
    ExprPtr value = definition(*var->var);
    return value ? slope(value, axis) : std::nullopt;
  }
  if (const auto* cast = e->as<Cast>()) {
    const Type &to = *e->type, &from = *cast->operand->type;
    if (!to.is(TypeKind::Int) || !from.is(TypeKind::Int)) return std::nullopt;
    if (to.isSigned && to.bits >= 32 && to.bits <= from.bits)
      return slopeCutDown(cast->operand, axis, to.bits);
    if (to.bits < from.bits && (to.bits < 32 || !isMadeOfIds(cast->operand))) return std::nullopt;
    if (from.isSigned && !to.isSigned && !isNonNegative(cast->operand)) return std::nullopt;
    return slope(cast->operand, axis);
  }
  const auto* op = e->as<Binary>();
  if (!op || !e->type->is(TypeKind::Int)) return std::nullopt;
  auto factor = constantValue(op->rhs);
  switch (op->op) {
    case BinaryOp::Sub:
      if (!e->type->isSigned) return std::nullopt;  // wraps below zero
      break;
    case BinaryOp::Add:
    case BinaryOp::Mul:
      if (!e->type->isSigned && !(mayBeAdded(op->lhs) && mayBeAdded(op->rhs))) return std::nullopt;
      break;
    case BinaryOp::Div:
    case BinaryOp::Shl:
    case BinaryOp::Shr: return factor && *factor > 0 ? slope(op->lhs, axis) : std::nullopt;
    default: break;
  }
  return slopeOf(*op, slope(op->lhs, axis), slope(op->rhs, axis));
}

std::optional<int> ReplicaValues::slopeCutDown(const ExprPtr& e, AxisMask axis, unsigned bits) const {
  if (!(masks.of(e) & axis)) return 0;
  if (!e->type->is(TypeKind::Int) || e->type->bits < bits) return slope(e, axis);
  if (const auto* var = e->as<VarRef>())
    if (const ExprPtr value = definition(*var->var)) return slopeCutDown(value, axis, bits);
  if (const auto* cast = e->as<Cast>()) return slopeCutDown(cast->operand, axis, bits);
  if (const auto* op = e->as<Binary>();
      op && (op->op == BinaryOp::Add || op->op == BinaryOp::Sub || op->op == BinaryOp::Mul))
    return slopeOf(*op, slopeCutDown(op->lhs, axis, bits), slopeCutDown(op->rhs, axis, bits));
  return e->type->bits == bits ? slope(e, axis) : std::nullopt;
}

std::optional<int> ReplicaValues::truthSlope(const ExprPtr& cond, AxisMask axis) const {
  if (!(masks.of(cond) & axis)) return 0;
  if (const auto* var = cond->as<VarRef>()) {
    ExprPtr value = definition(*var->var);
    return value ? truthSlope(value, axis) : std::nullopt;
  }
  const auto* op = cond->as<Binary>();
  if (!op) return std::nullopt;
  if (op->op == BinaryOp::LogicalAnd || op->op == BinaryOp::LogicalOr) {
    auto left = truthSlope(op->lhs, axis), right = truthSlope(op->rhs, axis);
    if (!left || !right || (*left && *right && *left != *right)) return std::nullopt;
    return *left ? left : right;
  }
  if (!op->lhs->type->is(TypeKind::Int)) return std::nullopt;
  auto left = slope(op->lhs, axis), right = slope(op->rhs, axis);
  if (!left || !right || (*left && *left == *right)) return std::nullopt;
  const int rises = *left ? *left : -*right;
  switch (op->op) {
    case BinaryOp::Lt:
    case BinaryOp::Le: return -rises;
    case BinaryOp::Gt:
    case BinaryOp::Ge: return rises;
    default: return std::nullopt;
  }
}

std::optional<ExprPtr> ReplicaValues::at(const ExprPtr& e, unsigned axis, int64_t number) const {
  const AxisMask bit = AxisMask(1u << axis);
  ExprPtr open = PutAllIn([&](const Variable& var) {
                   return masks.of(var) & bit ? definition(var) : nullptr;
                 }).rewrite(e);
  ExprPtr done = substituted(open, {{replicas.number[axis], intLit(number)}});
  if (masks.of(done) & bit) return std::nullopt;
  return simplified(done);
}

std::optional<std::vector<ExprPtr>> ReplicaValues::forSome(const std::vector<ExprPtr>& parts,
                                                           AxisMask drop) const {
  std::vector<ExprPtr> out = parts;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const AxisMask bit = AxisMask(1u << axis);
    if (!(drop & bit)) continue;
    int direction = 0;
    for (const ExprPtr& part : parts) {
      auto slope = truthSlope(part, bit);
      if (!slope || (*slope && direction && *slope != direction)) return std::nullopt;
      if (*slope) direction = *slope;
    }
    for (ExprPtr& part : out) {
      if (!(masks.of(part) & bit)) continue;
      auto best = at(part, axis, direction > 0 ? int64_t(replicas.count[axis]) - 1 : 0);
      if (!best) return std::nullopt;
      part = *best;
    }
  }
  return out;
}

StmtPtr withFirstValues(const StmtPtr& body, const std::set<const Variable*>& variables) {
  class Set : public Rewriter {
   public:
    explicit Set(const std::set<const Variable*>& of) : toSet(of) {}

   protected:
    StmtList mapStmt(const StmtPtr& s) override {
      const auto* d = s->as<Declare>();
      ExprPtr zero = d && !d->init && toSet.contains(d->var.get()) ? zeroOf(d->var->type) : nullptr;
      if (!zero) return {s};
      return {makeStmt(Declare{d->var, zero}, s->loc)};
    }

   private:
    const std::set<const Variable*>& toSet;
  };
  return variables.empty() ? body : Set(variables).rewriteBlock(body);
}

}  // namespace hone::passes
