#include "analysis/Facts.h"

#include <algorithm>

namespace hone::analysis {

Facts::Facts(ir::KernelPtr kernel, const std::array<unsigned, 3>& block, const target::Target& target)
    : original(std::move(kernel)),
      machine(target),
      built(std::make_unique<affine::KernelModel>(affine::buildModel(original, block))) {}

const Coalescing& Facts::coalescing(size_t access) {
  auto [known, isNew] = coalescings.try_emplace(access);
  if (isNew) known->second = analysis::coalescing(*built, built->accesses[access], MemoryRules::of(machine));
  return known->second;
}

Facts& FactsCache::of(const ir::KernelPtr& kernel, const std::array<unsigned, 3>& block) {
  Entry& entry = entries[{kernel.get(), block}];
  entry.lastUse = ++clock;
  if (!entry.facts) {
    entry.facts = std::make_unique<Facts>(kernel, block, machine);
    if (entries.size() > mostEntries)
      entries.erase(std::ranges::min_element(entries, {}, [](const auto& e) { return e.second.lastUse; }));
  }
  return *entry.facts;
}

}  // namespace hone::analysis
