#include "analysis/Facts.h"

#include <algorithm>

namespace hone::analysis {

Facts::Facts(ir::KernelPtr kernel, const std::array<unsigned, 3>& block, const target::Target& target)
    : original(std::move(kernel)),
      machine(target),
      built(std::make_unique<affine::KernelModel>(affine::buildModel(original, block))),
      lanes(*built),
      bytes(*built) {}

const Coalescing& Facts::coalescing(affine::AccessId access) {
  auto [known, isNew] = coalescings.try_emplace(access);
  if (isNew) known->second = analysis::coalescing(lanes, built->accesses[access], MemoryRules::of(machine));
  return known->second;
}

const BankConflicts& Facts::bankConflicts(affine::AccessId access) {
  auto [known, isNew] = conflicts.try_emplace(access);
  if (isNew)
    known->second = analysis::bankConflicts(lanes, built->accesses[access], target::BankRules::of(machine));
  return known->second;
}

const ConflictRemedy& Facts::conflictRemedy(affine::ArrayId array) {
  auto [known, isNew] = remedies.try_emplace(array);
  if (isNew) known->second = analysis::conflictRemedy(lanes, array, target::BankRules::of(machine));
  return known->second;
}

const ConflictSwizzle& Facts::conflictSwizzle(affine::ArrayId array) {
  auto [known, isNew] = swizzles.try_emplace(array);
  if (isNew) known->second = analysis::conflictSwizzle(lanes, array, target::BankRules::of(machine));
  return known->second;
}

const affine::Shape& Facts::shape(affine::ArrayId array) {
  auto [known, isNew] = shapes.try_emplace(array);
  if (isNew) known->second = affine::shapeOf(*built, array);
  return known->second;
}

std::vector<affine::AccessId> Facts::accessesOf(affine::ArrayId array, Which which) const {
  std::vector<affine::AccessId> out;
  for (const affine::AccessId i : built->accesses.ids()) {
    const affine::Access& access = built->accesses[i];
    if (access.array != array || access.mode == ir::AccessMode::Address) continue;
    if (which == Which::All || (which == Which::Reads ? access.reads() : access.writes())) out.push_back(i);
  }
  return out;
}

const Footprint& Facts::footprint(affine::ArrayId array, Which which, FootprintOf of) {
  auto [known, isNew] = footprints.try_emplace({array, which, of.scope, of.loop});
  if (isNew) known->second = analysis::footprint(*built, accessesOf(array, which), of);
  return known->second;
}

const Shared& Facts::sharing(affine::ArrayId array, Which which, SharingOf of) {
  auto [known, isNew] = shared.try_emplace({array, which, of.scope, of.axis, of.loop});
  if (isNew) known->second = analysis::sharing(*built, accessesOf(array, which), of);
  return known->second;
}

const Shared& Facts::reuse(affine::ArrayId array, Which which, affine::LoopId loop, Scope scope) {
  auto [known, isNew] = reused.try_emplace({array, which, scope, loop});
  if (isNew) known->second = analysis::reuse(*built, accessesOf(array, which), loop, scope);
  return known->second;
}

const KernelUniformity& Facts::uniformity() {
  if (!uniform) uniform = analysis::uniformity(*built);
  return *uniform;
}

const BarrierFacts& Facts::barriers() {
  if (!barrierFacts) barrierFacts = analysis::barriers(*built);
  return *barrierFacts;
}

const std::vector<Dependence>& Facts::dependences(Between between) {
  auto [known, isNew] = dependent.try_emplace(between);
  if (isNew) known->second = analysis::dependences(*built, between);
  return known->second;
}

const Resources& Facts::resources(uint64_t dynamicShared, const RegisterOracle& registers) {
  if (!needs) needs = analysis::resources(*original, built->block, dynamicShared, machine, registers);
  return *needs;
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

Facts* FactsCache::find(const affine::KernelModel& model) const {
  for (const auto& [key, entry] : entries)
    if (&entry.facts->model() == &model) return entry.facts.get();
  return nullptr;
}

ir::KernelPtr FactsCache::readied(const ir::KernelPtr& kernel, ir::KernelPtr (*ready)(const ir::KernelPtr&)) {
  if (const auto found = readyKernels.find(kernel); found != readyKernels.end()) return found->second;
  const ir::KernelPtr made = ready(kernel);
  if (made == kernel) return made;
  if (readyKernels.size() >= mostEntries) readyKernels.clear();
  return readyKernels[kernel] = made;
}

}  // namespace hone::analysis
