#include "tune/Space.h"

#include <set>

#include "ir/Compare.h"

namespace hone::tune {

Space::Space(ir::PlanPtr original, passes::PassContext& passContext, Breadth howMuch)
    : context(passContext), breadth(howMuch) {
  start.plan = std::move(original);
}

std::vector<passes::Recipe> Space::offers(const Variant& variant, Level level) {
  return breadth == Breadth::All ? allProposals(level, variant, context) : proposals(level, variant, context);
}

std::optional<Variant> Space::with(const Variant& variant, const passes::Recipe& offer) {
  return extended(variant, offer, context);
}

std::vector<Variant> Space::choices(const Variant& variant, Level level) {
  std::vector<Variant> out{variant};
  for (const passes::Recipe& offer : offers(variant, level))
    if (auto one = with(variant, offer)) out.push_back(std::move(*one));
  return out;
}

std::vector<Variant> Space::all(size_t most, const std::function<bool(size_t)>& progress) {
  std::vector<Variant> out{start};
  std::set<uint64_t> seen{ir::hash(*start.plan)};
  for (Level level : allLevels) {
    const size_t before = out.size();
    for (size_t i = 0; i < before && out.size() < most; ++i) {
      std::vector<Variant> made = choices(out[i], level);
      for (size_t k = 1; k < made.size() && out.size() < most; ++k)
        if (seen.insert(ir::hash(*made[k].plan)).second) out.push_back(std::move(made[k]));
      if (progress && !progress(out.size())) return out;
    }
  }
  return out;
}

std::vector<Variant> Space::neighbours(const Variant& variant) {
  std::vector<Variant> out;
  std::set<uint64_t> seen{ir::hash(*variant.plan)};
  const std::vector<passes::PassCall>& calls = variant.recipe.calls;
  // The variant's recipe, cut where level after level ends, says which passes each level had.
  auto withRest = [&](Variant from, size_t next) {
    for (; next < calls.size(); ++next)
      if (auto more = extended(from, {{calls[next]}}, context)) from = std::move(*more);
    if (seen.insert(ir::hash(*from.plan)).second) out.push_back(std::move(from));
  };
  Variant prefix = start;
  size_t used = 0;
  for (Level level : allLevels) {
    std::vector<Variant> made = choices(prefix, level);
    // The passes of this level are those by which one of its choices continues the recipe.
    size_t taken = 0;
    for (const Variant& choice : made) {
      const size_t added = choice.recipe.calls.size() - prefix.recipe.calls.size();
      bool matches = used + added <= calls.size() && added > taken;
      for (size_t i = 0; matches && i < added; ++i)
        matches = choice.recipe.calls[prefix.recipe.calls.size() + i] == calls[used + i];
      if (matches) taken = added;
    }
    for (Variant& choice : made) withRest(choice, used + taken);
    for (size_t i = 0; i < taken; ++i)
      if (auto more = extended(prefix, {{calls[used + i]}}, context)) prefix = std::move(*more);
    used += taken;
  }
  return out;
}

}  // namespace hone::tune
