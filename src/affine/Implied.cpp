#include "affine/Implied.h"

#include <algorithm>

namespace hone::affine {

std::vector<CondPtr> conjuncts(const CondPtr& cond) {
  if (!cond || cond->kind == CondKind::True) return {};
  return cond->kind == CondKind::And ? cond->parts : std::vector<CondPtr>{cond};
}

bool makesSure(const Atoms& atoms, const CondPtr& known, const Poly& value) {
  return known->kind == CondKind::AtLeast0 && atoms.range(value - known->value).low >= 0;
}

bool makesSure(const Atoms& atoms, const std::vector<CondPtr>& known, const Poly& value) {
  return std::ranges::any_of(known, [&](const CondPtr& one) { return makesSure(atoms, one, value); });
}

CondPtr withoutImplied(const Atoms& atoms, const CondPtr& cond) {
  if (!cond || cond->kind != CondKind::And) return cond;
  std::vector<CondPtr> parts = cond->parts;
  for (size_t i = 0; i < parts.size();) {
    const bool isImplied =
        parts[i]->kind == CondKind::AtLeast0 && std::ranges::any_of(parts, [&](const CondPtr& other) {
          return other != parts[i] && makesSure(atoms, other, parts[i]->value);
        });
    if (isImplied)
      parts.erase(parts.begin() + std::ptrdiff_t(i));
    else
      ++i;
  }
  return allOf(std::move(parts));
}

}  // namespace hone::affine
