#include "passes/launch/FlatIds.h"

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/HostConditions.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr size_t mostNodes = 256;  // of an expression that the host works out

// Integers that hold each id as it is.
bool isWide(const Type& type) { return type.is(TypeKind::Int) && type.bits >= 32; }

// Whether the host may work it out wherever it is launched, and comes to the same: divisions by 0 end a
// program there, and numbers too large for an integer become others than on a GPU.
bool isSafeOnHost(const ExprPtr& e) {
  bool isSafe = true;
  walkExprs(e, [&](const Expr& x) {
    const auto* b = x.as<Binary>();
    isSafe = isSafe && !x.type->isFloating();
    if (!b || (b->op != BinaryOp::Div && b->op != BinaryOp::Rem && !isShift(b->op))) return;
    const auto right = constantValue(b->rhs);
    isSafe = isSafe && right && (isShift(b->op) ? *right >= 0 && *right < b->lhs->type->bits : *right > 0);
  });
  return isSafe;
}

std::optional<unsigned> exponentOf(uint64_t number) {
  for (unsigned k = 0; k < 31; ++k)
    if (number == uint64_t{1} << k) return k;
  return std::nullopt;
}

// The operands of a product, conversions between wide integers left out.
void addFactors(const ExprPtr& e, std::vector<ExprPtr>& into) {
  const ExprPtr inner = withoutIdCasts(e);
  const auto* b = as<Binary>(inner);
  if (b && b->op == BinaryOp::Mul) {
    addFactors(b->lhs, into);
    addFactors(b->rhs, into);
  } else {
    into.push_back(inner);
  }
}

}  // namespace

bool operator==(const Extent& a, const Extent& b) {
  const auto q = quotient(a, b);
  return q && q->isOne();
}

std::optional<Extent> product(const Extent& a, const Extent& b) {
  Extent out = a;
  out.number *= b.number;
  if (out.number > INT32_MAX) return std::nullopt;
  out.factors.insert(out.factors.end(), b.factors.begin(), b.factors.end());
  return out;
}

std::optional<Extent> quotient(const Extent& a, const Extent& b) {
  if (a.number % b.number != 0) return std::nullopt;
  Extent out = a;
  out.number /= b.number;
  for (const ExprPtr& factor : b.factors) {
    const auto at = std::find_if(out.factors.begin(), out.factors.end(),
                                 [&](const ExprPtr& one) { return equal(one, factor); });
    if (at == out.factors.end()) return std::nullopt;
    out.factors.erase(at);
  }
  return out;
}

ExprPtr written(const Extent& extent, const TypePtr& wanted) {
  ExprPtr all;
  for (const ExprPtr& factor : extent.factors) all = all ? times(all, factor) : factor;
  if (!all) return intLit(static_cast<int64_t>(extent.number), wanted);
  return extent.number == 1 ? all : times(all, intLit(static_cast<int64_t>(extent.number), all->type));
}

FlatIds::FlatIds(const LaunchStep& step) : launch(step), changing(assignedVariables(step.kernel->body)) {
  changing.merge(addressTaken(step.kernel->body));
  walkStmts(step.kernel->body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (d && d->init && d->var->storage == Storage::Local && d->var->space == Space::Private &&
        !d->var->isVolatile && !d->var->isReference && d->var->type->is(TypeKind::Int) &&
        !changing.contains(d->var.get()))
      values[d->var.get()] = d->init;
  });
}

ExprPtr FlatIds::resolved(const ExprPtr& e) const {
  class Values : public Rewriter {
   public:
    explicit Values(const std::map<const Variable*, ExprPtr>& known) : by(known) {}

   private:
    const std::map<const Variable*, ExprPtr>& by;
    ExprPtr mapExpr(const ExprPtr& x) override {
      const auto* var = as<VarRef>(x);
      const auto known = var ? by.find(var->var.get()) : by.end();
      return known == by.end() ? x : convert(rewrite(known->second), x->type);
    }
  };
  return Values(values).rewrite(e);
}

size_t FlatIds::resolvedSize(const ExprPtr& e) const {
  size_t all = 0;
  walkExprs(e, [&](const Expr& x) {
    size_t one = 1;
    if (x.is<Call>() || x.is<Subscript>()) one = mostNodes + 1;
    if (const auto* c = x.as<Coord>(); c && c->kind != CoordKind::GridDim && c->kind != CoordKind::BlockDim)
      one = mostNodes + 1;
    const auto* var = x.as<VarRef>();
    if (const auto known = var ? values.find(var->var.get()) : values.end(); known != values.end()) {
      const auto [at, isNew] = sizes.try_emplace(known->first, mostNodes + 1);
      if (isNew) at->second = resolvedSize(known->second);
      one = at->second;
    }
    all = std::min(all + one, mostNodes + 1);
  });
  return all;
}

ExprPtr FlatIds::hostValueOf(const ExprPtr& e) const {
  if (resolvedSize(e) > mostNodes) return nullptr;
  const ExprPtr value = resolved(e);
  return onHost(launch, value).value && isSafeOnHost(value) ? value : nullptr;
}

const Coord* FlatIds::coordinate(const ExprPtr& e) const {
  const ExprPtr inner = withoutIdCasts(e);
  if (const auto* var = as<VarRef>(inner)) {
    const auto known = values.find(var->var.get());
    return known != values.end() && isWide(*inner->type) ? coordinate(known->second) : nullptr;
  }
  return as<Coord>(inner);
}

bool FlatIds::isFirstOfBlock(const ExprPtr& e) const {
  const ExprPtr inner = withoutIdCasts(e);
  const Coord *a = nullptr, *b = nullptr;
  if (const auto* node = as<Binary>(inner); node && node->op == BinaryOp::Mul)
    a = coordinate(node->lhs), b = coordinate(node->rhs);
  if (const auto* call = as<Call>(inner);
      call && call->intrinsic && call->args.size() == 2 && call->intrinsic->id == "mul24")
    a = coordinate(call->args[0]), b = coordinate(call->args[1]);
  if (!a || !b || a->axis != 0 || b->axis != 0) return false;
  return (a->kind == CoordKind::BlockIdx && b->kind == CoordKind::BlockDim) ||
         (a->kind == CoordKind::BlockDim && b->kind == CoordKind::BlockIdx);
}

bool FlatIds::isFlatId(const ExprPtr& e) const {
  if (const auto* c = as<Coord>(e)) return c->kind == CoordKind::GlobalId && c->axis == 0;
  const auto* sum = as<Binary>(e);
  if (!sum || sum->op != BinaryOp::Add) return false;
  auto isThread = [&](const ExprPtr& x) {
    const Coord* c = coordinate(x);
    return c && c->kind == CoordKind::ThreadIdx && c->axis == 0;
  };
  return (isThread(sum->lhs) && isFirstOfBlock(sum->rhs)) || (isThread(sum->rhs) && isFirstOfBlock(sum->lhs));
}

std::optional<Digit> FlatIds::quotientDigit(const Digit& digit, const Extent& by) const {
  const auto over = product(digit.over, by);
  if (!over) return std::nullopt;
  if (!digit.below) return Digit{*over, std::nullopt};
  const auto below = quotient(*digit.below, by);
  if (!below) return std::nullopt;
  return Digit{*over, *below};
}

std::optional<Digit> FlatIds::remainderDigit(const Digit& digit, const Extent& by) const {
  if (!digit.below || quotient(*digit.below, by)) return Digit{digit.over, by};
  if (quotient(by, *digit.below)) return digit;
  return std::nullopt;
}

// x - x / F * F is x % F.
std::optional<Digit> FlatIds::differenceDigit(const Digit& from, const ExprPtr& less) const {
  std::vector<ExprPtr> factors;
  addFactors(less, factors);
  for (size_t i = 0; i < factors.size(); ++i) {
    const auto digit = digitOf(factors[i]);
    if (!digit) continue;
    std::optional<Extent> by = Extent{};
    for (size_t j = 0; j < factors.size() && by; ++j)
      if (j != i) {
        const auto factor = extentOf(factors[j]);
        by = factor ? product(*by, *factor) : std::nullopt;
      }
    const auto whole = by ? quotientDigit(from, *by) : std::nullopt;
    if (!whole || !(whole->over == digit->over) || whole->below.has_value() != digit->below.has_value() ||
        (whole->below && !(*whole->below == *digit->below)))
      return std::nullopt;
    return remainderDigit(from, *by);
  }
  return std::nullopt;
}

std::optional<Digit> FlatIds::digitOf(const ExprPtr& e) const {
  if (!isWide(*e->type)) return std::nullopt;
  if (isFlatId(e)) return Digit{};
  if (const auto* cast = as<Cast>(e)) return digitOf(cast->operand);
  if (const auto* var = as<VarRef>(e)) {
    const auto known = values.find(var->var.get());
    if (known == values.end()) return std::nullopt;
    const auto [at, isNew] = digits.try_emplace(known->first);
    if (isNew) at->second = digitOf(known->second);
    return at->second;
  }
  const auto* b = as<Binary>(e);
  if (!b) return std::nullopt;
  switch (b->op) {
    case BinaryOp::Div:
    case BinaryOp::Rem: {
      const auto digit = digitOf(b->lhs);
      const auto by = digit ? extentOf(b->rhs) : std::nullopt;
      if (!by) return std::nullopt;
      return b->op == BinaryOp::Div ? quotientDigit(*digit, *by) : remainderDigit(*digit, *by);
    }
    case BinaryOp::Shr: {
      const auto by = constantValue(b->rhs);
      const auto digit = by && *by >= 0 && *by < 31 ? digitOf(b->lhs) : std::nullopt;
      if (!digit) return std::nullopt;
      return quotientDigit(*digit, Extent{uint64_t{1} << *by});
    }
    case BinaryOp::BitAnd: {
      for (const auto& [value, mask] : {std::pair(b->lhs, b->rhs), std::pair(b->rhs, b->lhs)}) {
        const auto ones = constantValue(mask);
        if (!ones || *ones < 1 || *ones >= INT32_MAX) continue;
        const uint64_t by = HONE_SEED(UnflattenMaskOffByOne, uint64_t(*ones) + 1, uint64_t(*ones));
        const auto digit = exponentOf(uint64_t(*ones) + 1) ? digitOf(value) : std::nullopt;
        return digit ? remainderDigit(*digit, Extent{by}) : std::nullopt;
      }
      return std::nullopt;
    }
    case BinaryOp::Sub: {
      const auto digit = digitOf(b->lhs);
      return digit ? differenceDigit(*digit, b->rhs) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

std::optional<Extent> FlatIds::extentOf(const ExprPtr& e) const {
  if (!isWide(*e->type)) return std::nullopt;
  if (const auto number = constantValue(e))
    return *number >= 1 && *number <= INT32_MAX ? std::optional(Extent{uint64_t(*number)}) : std::nullopt;
  if (const auto* cast = as<Cast>(e); cast && isWide(*cast->operand->type)) return extentOf(cast->operand);
  if (const auto* var = as<VarRef>(e); var && var->var->storage == Storage::Local) {
    const auto known = values.find(var->var.get());
    return known == values.end() ? std::nullopt : extentOf(known->second);
  }
  if (const auto* b = as<Binary>(e); b && b->op == BinaryOp::Mul) {
    const auto left = extentOf(b->lhs), right = extentOf(b->rhs);
    return left && right ? product(*left, *right) : std::nullopt;
  }
  const ExprPtr value = hostValueOf(e);
  if (!value) return std::nullopt;
  bool usesLaunch = false;  // the new one has another grid
  walkExprs(value, [&](const Expr& x) { usesLaunch = usesLaunch || x.is<Coord>(); });
  return usesLaunch ? std::nullopt : std::optional(Extent{1, {value}});
}

ExprPtr FlatIds::boundIn(const ExprPtr& condition) const {
  const auto* b = as<Binary>(condition);
  if (!b || (b->op != BinaryOp::Lt && b->op != BinaryOp::Gt)) return nullptr;
  const ExprPtr& id = b->op == BinaryOp::Lt ? b->lhs : b->rhs;
  const ExprPtr& bound = b->op == BinaryOp::Lt ? b->rhs : b->lhs;
  const auto digit = digitOf(id);
  if (!digit || !digit->isId()) return nullptr;
  return hostValueOf(bound);
}

}  // namespace hone::passes
