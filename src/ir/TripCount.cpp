#include "ir/TripCount.h"

#include "ir/Integers.h"

namespace hone::ir {

namespace {

constexpr size_t mostIterations = 65536;

// The conversions of the variable in the condition, innermost first: it is compared in the type of the last
// one.
std::vector<const Type*> conversionsOf(const For& loop, const Variable* var) {
  const auto* compare = as<Binary>(loop.cond);
  const auto* test = as<Cast>(loop.cond);  // for (…; s; …)
  for (const ExprPtr& side : {compare ? compare->lhs
                              : test  ? test->operand
                                      : nullptr,
                              compare ? compare->rhs : nullptr}) {
    std::vector<const Type*> types;
    ExprPtr e = side;
    for (const auto* cast = as<Cast>(e); cast; cast = as<Cast>(e)) {
      types.insert(types.begin(), e->type.get());
      e = cast->operand;
    }
    const auto* reference = as<VarRef>(e);
    if (reference && reference->var.get() == var) return types;
  }
  return {};
}

// Calls `each` with the value of every iteration; false where they are not known or it returns false.
template <class Each> bool countThrough(const For& loop, const Counted& count, Each each) {
  const auto begin = count.begin ? constantValue(count.begin) : std::nullopt, end = constantValue(count.end),
             step = constantValue(count.step);
  const Type& type = *count.var->type;
  if (!begin || !end || !step || !fits(*begin, type)) return false;
  const std::vector<const Type*> conversions = conversionsOf(loop, count.var.get());
  for (std::optional<int64_t> value = begin; value && fits(*value, type);
       value = exactly(count.op, *value, *step)) {
    int64_t compared = *value;
    for (const Type* to : conversions) compared = wrapped(static_cast<uint64_t>(compared), *to);
    const auto runs = integerResult(count.compare, compared, *end, *count.end->type, *boolType());
    if (!*runs) return true;
    if (!each(*value)) return false;
  }
  return false;
}

}  // namespace

std::optional<std::vector<int64_t>> iterationValues(const For& loop, const Counted& count, size_t most) {
  std::vector<int64_t> values;
  const bool isKnown = countThrough(loop, count, [&](int64_t value) {
    values.push_back(value);
    return values.size() <= most;
  });
  return isKnown ? std::optional(std::move(values)) : std::nullopt;
}

std::optional<int64_t> tripCount(const For& loop, const Counted& count) {
  size_t iterations = 0;
  const bool isKnown = countThrough(loop, count, [&](int64_t) { return ++iterations <= mostIterations; });
  return isKnown ? std::optional(static_cast<int64_t>(iterations)) : std::nullopt;
}

}  // namespace hone::ir
