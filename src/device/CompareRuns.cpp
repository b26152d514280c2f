#include "device/CompareRuns.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hone::device {

using namespace ir;

Comparison compareRuns(const Case& c, const CaseData& data, const CaseRun& a, const CaseRun& b,
                       const CompareOptions& options) {
  Comparison out;
  double operations = 1;
  for (const CaseRun* run : {&a, &b})
    if (run->result.warps > 0)
      operations = std::max(operations, static_cast<double>(run->result.warpInstructions) /
                                            static_cast<double>(run->result.warps));
  for (size_t i = 0; i < data.arrays.size(); ++i) {
    const ArrayData& array = data.arrays[i];
    if (c.temporaries.contains(array.name)) continue;
    if (!array.aliasOf.empty() || (a.after[i].empty() && b.after[i].empty())) continue;
    const std::vector<uint8_t> initial = initialBytes(array);
    const std::vector<uint8_t>& left = a.after[i].empty() ? initial : a.after[i];
    const std::vector<uint8_t>& right = b.after[i].empty() ? initial : b.after[i];
    if (left.size() != right.size()) continue;
    auto facts = c.facts->arrays.find(array.name);
    const bool isKnown = facts != c.facts->arrays.end();
    const worker::Tolerance tolerance{
        options.reassociate || (isKnown && facts->second.isFloatAtomic), operations,
        c.unordered.contains(array.name) || (isKnown && facts->second.isAppended)};
    const std::vector<worker::Leaf> leaves = scalarLeaves(array.leaves);
    const worker::ArrayComparison one =
        worker::compareArrays({array.length, array.elementBytes, leaves}, initial, left, right, tolerance);
    out.maxError = std::max(out.maxError, one.maxError);
    out.compared += one.compared;
    if (one.compared + one.notNumbers > 0) out.changed.insert(array.name);
    if (one.notNumbers > 0) out.notNumbers[array.name] = one.notNumbers;
    if (one.difference) out.differences.push_back({array.name, *one.difference});
  }
  return out;
}

uint64_t newNans(const CaseData& data, const CaseRun& run) {
  uint64_t count = 0;
  for (size_t i = 0; i < data.arrays.size(); ++i) {
    const ArrayData& array = data.arrays[i];
    const std::vector<uint8_t>& now = run.after[i];
    const bool isReal = std::any_of(array.leaves.begin(), array.leaves.end(),
                                    [](const TypeLeaf& leaf) { return leaf.type->isFloating(); });
    if (!array.aliasOf.empty() || now.empty() || !isReal) continue;
    const std::vector<uint8_t> initial = initialBytes(array);
    if (now.size() != initial.size()) continue;
    for (const TypeLeaf& leaf : array.leaves) {
      if (!leaf.type->isFloating()) continue;
      for (uint64_t at = leaf.offset; at < now.size(); at += array.elementBytes)
        if (std::isnan(loadNumber(&now[at], *leaf.type)) &&
            std::memcmp(&now[at], &initial[at], sizeOf(*leaf.type)) != 0)
          ++count;
    }
  }
  return count;
}

}  // namespace hone::device
