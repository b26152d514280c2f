#include "tune/Space.h"

#include <set>

#include "ir/Compare.h"

namespace hone::tune {

Space::Space(ir::PlanPtr original, passes::PassContext& passContext, Breadth howMuch)
    : context(passContext), breadth(howMuch) {
  start.plan = std::move(original);
}

std::vector<std::string> Space::offers(const Variant& variant, Level level) {
  return breadth == Breadth::All ? allProposals(level, variant, context) : proposals(level, variant, context);
}

std::optional<Variant> Space::with(const Variant& variant, const std::string& offer) {
  return extended(variant, offer, context);
}

std::vector<Variant> Space::choices(const Variant& variant, Level level) {
  std::vector<Variant> out{variant};
  for (const std::string& offer : offers(variant, level))
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
    for (; next < calls.size(); ++next) {
      passes::Recipe one;
      one.calls = {calls[next]};
      if (auto more = extended(from, passes::str(one), context)) from = std::move(*more);
    }
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
      for (size_t i = 0; matches && i < added; ++i) {
        passes::Recipe a, b;
        a.calls = {choice.recipe.calls[prefix.recipe.calls.size() + i]};
        b.calls = {calls[used + i]};
        matches = passes::str(a) == passes::str(b);
      }
      if (matches) taken = added;
    }
    for (Variant& choice : made) withRest(choice, used + taken);
    for (size_t i = 0; i < taken; ++i) {
      passes::Recipe one;
      one.calls = {calls[used + i]};
      if (auto more = extended(prefix, passes::str(one), context)) prefix = std::move(*more);
    }
    used += taken;
  }
  return out;
}

}  // namespace hone::tune
