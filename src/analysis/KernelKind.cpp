#include "analysis/KernelKind.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

#include "analysis/AddressForms.h"
#include "analysis/StoreKind.h"

namespace hone::analysis {

using namespace affine;

const char* str(KernelKind kind) {
  switch (kind) {
    case KernelKind::Elementwise: return "elementwise";
    case KernelKind::RowReduction: return "row reduction";
    case KernelKind::ColumnReduction: return "column reduction";
    case KernelKind::Stencil: return "stencil";
    case KernelKind::Product: return "product";
    case KernelKind::Scan: return "scan";
    case KernelKind::Scatter: return "scatter";
    case KernelKind::Gather: return "gather";
    case KernelKind::Permutation: return "permutation";
    case KernelKind::Mixed: return "mixed";
    case KernelKind::None: break;
  }
  return "none";
}

namespace {

// A load of global memory that goes, as far as can be followed, into nothing.
std::optional<AccessId> lostLoad(const KernelModel& model, const ValueSources& sources) {
  std::set<AccessId> used;
  for (const AccessId id : model.accesses.ids()) {
    if (model.accesses[id].writes())
      used.insert(sources.written(id).reads.begin(), sources.written(id).reads.end());
    used.insert(sources.address(id).reads.begin(), sources.address(id).reads.end());
  }
  for (const AccessId id : model.accesses.ids()) {
    const Access& access = model.accesses[id];
    if (access.mode == ir::AccessMode::Read && model.isGlobal(access) && !used.contains(id)) return id;
  }
  return std::nullopt;
}

}  // namespace

KindAnswer kindOf(const KernelModel& model) {
  const ValueSources sources(model);
  AddressForms forms(model);
  std::vector<KindAnswer> answers;
  std::optional<KindAnswer> fill;
  for (const AccessId store : model.accesses.ids()) {
    const Access& access = model.accesses[store];
    if (!access.writes() || !model.isGlobal(access)) continue;
    const StoreAnswer answer = kindOfStore(model, sources, forms, store);
    // What holds no loaded value says little beside what does.
    if (answer.isFill)
      fill = answer.kind;
    else
      answers.push_back(answer.kind);
  }
  if (fill)
    if (const auto lost = lostLoad(model, sources))
      return {KernelKind::None, fmt::format("what becomes of {} is not known", model.accesses[*lost].handle)};
  if (answers.empty()) return fill.value_or(KindAnswer{KernelKind::None, "it stores nothing"});
  for (const KindAnswer& one : answers)
    if (one.kind == KernelKind::None || one.kind == KernelKind::Mixed) return one;
  // Beside anything else, values at their own places are what is done with it.
  std::vector<KindAnswer> others;
  for (const KindAnswer& one : answers)
    if (one.kind != KernelKind::Elementwise &&
        std::ranges::none_of(others, [&](const KindAnswer& other) { return other.kind == one.kind; }))
      others.push_back(one);
  if (others.empty()) return answers.front();
  if (others.size() == 1) return others.front();
  std::vector<std::string> words;
  words.reserve(others.size());
  for (const KindAnswer& one : others) words.push_back(fmt::format("{} ({})", str(one.kind), one.reason));
  return {KernelKind::Mixed, fmt::format("{}", fmt::join(words, " and "))};
}

}  // namespace hone::analysis
