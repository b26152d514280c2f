#include "passes/reduce/HeldValues.h"

#include <algorithm>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;

namespace {

bool isPlainNumber(const ExprPtr& e) {
  const ExprPtr value = withoutCasts(e);
  return value->is<FloatLiteral>() || value->is<IntLiteral>();
}

// Whether a literal leaves every value as it is that it is put together with.
bool isNeutral(const ExprPtr& number, Combine how) {
  const ExprPtr value = withoutCasts(number);
  const auto* real = as<FloatLiteral>(value);
  const auto whole = real ? std::nullopt : constantValue(value);
  if (!real && !whole) return false;
  const double it = real ? real->value : static_cast<double>(*whole);
  switch (how) {
    case Combine::Add:
    case Combine::Xor: return it == 0;
    case Combine::Mul: return it == 1;
    default: return isIdempotent(how);
  }
}

}  // namespace

bool mayBePart(const HeldValue& value, Combine how) {
  if (value.is(Held::Part)) return value.how == how;
  if (!value.is(Held::Same)) return false;
  return isIdempotent(how) ||
         HONE_SEED(UntreeBeginsAnywhere, value.number && isNeutral(value.number, how), true);
}

HeldValue HeldValue::either(const HeldValue& a, const HeldValue& b) {
  if (a == b) return a;
  if (a.is(Held::Lost) || b.is(Held::Lost)) return {Held::Lost};
  if (a.is(Held::Part) || b.is(Held::Part)) {
    const Combine how = a.is(Held::Part) ? a.how : b.how;
    return mayBePart(a, how) && mayBePart(b, how) ? HeldValue{Held::Part, how} : HeldValue{Held::Lost};
  }
  return {std::max(a.held, b.held)};
}

const std::vector<int64_t>* GroupNumbers::find(const ExprPtr& e) {
  if (!e->type->isInteger()) return nullptr;
  auto [at, isNew] = known.try_emplace(e.get(), e, std::vector<int64_t>());
  std::vector<int64_t>& all = at->second.second;
  if (!isNew) return all.empty() ? nullptr : &all;
  for (unsigned t = 0; t < of.threads; ++t) {
    const auto value = scan.valueOf(e, t);
    if (!value || !value->is(TreeKind::Number)) {
      all.clear();
      return nullptr;
    }
    all.push_back(value->number);
  }
  return &all;
}

bool GroupNumbers::areSame(const std::vector<int64_t>& numbers) const {
  for (unsigned t = 0; t < of.threads; ++t)
    if (numbers[t] != numbers[t / lanes * lanes]) return false;
  return true;
}

bool GroupNumbers::areOne(const std::vector<int64_t>& numbers) const {
  return std::all_of(numbers.begin(), numbers.end(), [&](int64_t n) { return n == numbers.front(); });
}

std::optional<int64_t> GroupNumbers::stepOf(const std::vector<int64_t>& numbers) const {
  if (lanes < 2) return std::nullopt;
  const int64_t step = numbers[1] - numbers[0];
  for (unsigned t = 0; t < of.threads; ++t)
    if (numbers[t] - numbers[t / lanes * lanes] != step * (t % lanes)) return std::nullopt;
  return step;
}

ExprPtr GroupNumbers::ofFirst(const std::vector<int64_t>& numbers, const TypePtr& type) const {
  const unsigned groups = of.threads / lanes;
  const int64_t first = numbers[0];
  if (type->is(TypeKind::Bool)) {
    for (unsigned g = 1; g < groups; ++g)
      if (numbers[g * lanes] != first) return nullptr;
    return boolLit(first != 0);
  }
  const int64_t step = groups > 1 ? numbers[lanes] - first : 0;
  for (unsigned g = 0; g < groups; ++g)
    if (numbers[g * lanes] != first + step * g) return nullptr;
  if (step == 0) return intLit(first, type);
  return plus(times(convert(ref(group), type), intLit(step, type)), intLit(first, type));
}

bool GroupNumbers::isFirstAlone(const ExprPtr& cond) {
  std::vector<bool> may(of.threads, true);
  for (const ExprPtr& one : conjuncts(cond))
    if (const auto* holds = find(one))
      for (unsigned t = 0; t < of.threads; ++t) may[t] = may[t] && (*holds)[t];
  for (unsigned t = 0; t < of.threads; ++t)
    if (may[t] && t % lanes != 0) return false;
  return true;
}

HeldValue HeldValues::find(const Variable& var) const {
  const auto at = states.find(&var);
  return at == states.end() ? HeldValue{} : at->second;
}

HeldValue HeldValues::ofCast(const Cast& cast, const Type& type) {
  const HeldValue operand = find(cast.operand);
  const Type& from = *cast.operand->type;
  if (!operand.is(Held::Part)) return {operand.held};
  // Rounding each part or all of them is a matter of the order of sums, of which leave is asked.
  const bool isRounding = type.is(TypeKind::Float) && from.is(TypeKind::Float) && type.bits >= 32;
  return sameType(type, from) || isRounding ? operand : HeldValue{Held::Lost};
}

HeldValue HeldValues::find(const ExprPtr& e) {
  if (isPlainNumber(e)) return {Held::Same, {}, e};
  if (const auto* all = numbers.find(e)) return {numbers.areSame(*all) ? Held::Same : Held::First};
  if (const auto* cast = as<Cast>(e)) return ofCast(*cast, *e->type);
  if (const auto* at = as<Coord>(e))
    return {at->kind == CoordKind::ThreadIdx || at->kind == CoordKind::GlobalId ? Held::Lost : Held::Same};
  if (const auto* var = as<VarRef>(e)) {
    // What is left of shared memory is single values of the block.
    if (var->var->space == Space::Shared)
      return {var->var->type->is(TypeKind::Array) ? Held::Lost : Held::Same};
    return find(*var->var);
  }
  if (const auto* place = as<AddressOf>(e)) {
    const Variable* storage = storageOf(*place->place);
    if (storage && storage->storage != Storage::Global) return {Held::Lost};
  }
  if (const auto* element = as<Subscript>(e)) {
    const auto* array = as<VarRef>(element->base);
    const bool isCell = array && array->var->space == Space::Shared &&
                        std::all_of(element->indices.begin(), element->indices.end(),
                                    [](const ExprPtr& index) { return constantValue(index).has_value(); });
    if (isCell) return {Held::Same};
  }
  if (const auto* call = as<Call>(e)) {
    // What asks about the thread is known above, or not at all.
    const bool isPlain =
        isPure(*call) && (call->function ? !call->function->usesCoords
                                         : call->intrinsic->cls != IntrinsicClass::Query &&
                                               call->intrinsic->cls != IntrinsicClass::Group);
    if (!isPlain || isVolatileLoad(*call)) return {Held::Lost};
  }
  HeldValue out;
  forEachChild(*e, [&](const ExprPtr& child) {
    const HeldValue one = find(child);
    out.held = std::max(out.held, one.is(Held::Part) ? Held::Lost : one.held);
  });
  return out;
}

HeldValues::States HeldValues::either(const States& a, const States& b) {
  States out = a;
  for (const auto& [var, value] : b) {
    const auto [at, isNew] = out.try_emplace(var, value);
    if (!isNew)
      at->second = HeldValue::either(at->second, value);
    else
      at->second = HeldValue::either(HeldValue{}, value);
  }
  for (auto& [var, value] : out)
    if (!b.contains(var)) value = HeldValue::either(HeldValue{}, value);
  return out;
}

}  // namespace hone::passes
