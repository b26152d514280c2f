#include "device/CompareRuns.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace hone::device {

using namespace ir;

namespace {

double unitRoundoff(const Type& type) {
  if (type.is(TypeKind::BFloat)) return 0x1p-8;
  return type.bits == 16 ? 0x1p-11 : type.bits == 32 ? 0x1p-24 : 0x1p-53;
}

std::string shown(const uint8_t* at, const Type& type) {
  double value = loadNumber(at, type);
  if (!type.isFloating()) return fmt::format("{}", static_cast<int64_t>(value));
  return type.bits == 64 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
}

class ArrayComparison {
 public:
  ArrayComparison(const ArrayData& of, const std::vector<uint8_t>& left, const std::vector<uint8_t>& right)
      : array(of), a(left), b(right) {}

  std::optional<Difference> difference;
  double maxError = 0;

  void compare(double operations, bool permitted) {
    if (a.size() == b.size() && a == b && !mayHoldNan()) return;
    for (uint64_t i = 0; i < array.length; ++i) {
      uint64_t at = i * array.elementBytes;
      for (const TypeLeaf& leaf : array.leaves) leafOf(i, at + leaf.offset, leaf, operations, permitted);
      if (array.leaves.empty() && std::memcmp(&a[at], &b[at], array.elementBytes) != 0)
        note(i, false, "other bytes");
    }
  }

  void compareUnordered() {
    auto sorted = [&](const std::vector<uint8_t>& bytes) {
      std::vector<std::string> elements;
      for (uint64_t i = 0; i < array.length; ++i)
        elements.emplace_back(reinterpret_cast<const char*>(&bytes[i * array.elementBytes]),
                              array.elementBytes);
      std::sort(elements.begin(), elements.end());
      return elements;
    };
    std::vector<std::string> left = sorted(a), right = sorted(b);
    for (uint64_t i = 0; i < left.size(); ++i)
      if (left[i] != right[i]) return note(0, false, "other elements, in whatever order");
  }

 private:
  bool mayHoldNan() const {
    return std::any_of(array.leaves.begin(), array.leaves.end(),
                       [](const TypeLeaf& l) { return l.type->isFloating(); });
  }

  void note(uint64_t index, bool isNan, const std::string& message) {
    if (difference) {
      ++difference->count;
      return;
    }
    difference = Difference{array.name, index, isNan, 1, message};
  }

  double largestOf(const TypeLeaf& leaf) {
    auto known = largest.find(leaf.offset);
    if (known != largest.end()) return known->second;
    double most = 0;
    for (uint64_t i = 0; i < array.length; ++i) {
      double value = std::fabs(loadNumber(&a[i * array.elementBytes + leaf.offset], *leaf.type));
      if (std::isfinite(value)) most = std::max(most, value);
    }
    return largest[leaf.offset] = most;
  }

  void leafOf(uint64_t i, uint64_t at, const TypeLeaf& leaf, double operations, bool permitted) {
    const Type& type = *leaf.type;
    uint64_t bytes = std::max<uint64_t>(1, sizeOf(type));
    bool same = std::memcmp(&a[at], &b[at], bytes) == 0;
    if (!type.isFloating()) {
      if (!same) note(i, false, fmt::format("{} and {}", shown(&a[at], type), shown(&b[at], type)));
      return;
    }
    // What neither run changed is no result: a poisoned element may look like NaN.
    bool untouched =
        same && array.initial.size() == a.size() && std::memcmp(&a[at], &array.initial[at], bytes) == 0;
    if (untouched) return;
    double x = loadNumber(&a[at], type), y = loadNumber(&b[at], type);
    if (std::isnan(x) || std::isnan(y)) {
      maxError = std::numeric_limits<double>::infinity();
      return note(i, std::isnan(x) && std::isnan(y),
                  fmt::format("{} and {}", shown(&a[at], type), shown(&b[at], type)));
    }
    if (same) return;
    double error = std::fabs(x - y);
    maxError = std::max(maxError, std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
    if (permitted && error <= 4 * operations * unitRoundoff(type) * std::max(std::fabs(x), largestOf(leaf)))
      return;
    note(i, false, fmt::format("{} and {}", shown(&a[at], type), shown(&b[at], type)));
  }

  const ArrayData& array;
  const std::vector<uint8_t>&a, &b;
  std::map<uint64_t, double> largest;
};

}  // namespace

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
    if (!array.aliasOf.empty() || a.after[i].size() != b.after[i].size() || a.after[i].empty()) continue;
    ArrayComparison one(array, a.after[i], b.after[i]);
    auto facts = c.facts->arrays.find(array.name);
    bool isAppended = facts != c.facts->arrays.end() && facts->second.isAppended;
    bool isSummed = facts != c.facts->arrays.end() && facts->second.isFloatAtomic;
    if (c.unordered.contains(array.name) || isAppended)
      one.compareUnordered();
    else
      one.compare(operations, options.reassociate || isSummed);
    out.maxError = std::max(out.maxError, one.maxError);
    if (one.difference) out.differences.push_back(*one.difference);
  }
  return out;
}

bool hasNewNan(const CaseData& data, const CaseRun& run) {
  for (size_t i = 0; i < data.arrays.size(); ++i) {
    const ArrayData& array = data.arrays[i];
    const std::vector<uint8_t>& now = run.after[i];
    if (!array.aliasOf.empty() || now.size() != array.initial.size()) continue;
    for (const TypeLeaf& leaf : array.leaves) {
      if (!leaf.type->isFloating()) continue;
      for (uint64_t at = leaf.offset; at < now.size(); at += array.elementBytes)
        if (std::isnan(loadNumber(&now[at], *leaf.type)) &&
            std::memcmp(&now[at], &array.initial[at], sizeOf(*leaf.type)) != 0)
          return true;
    }
  }
  return false;
}

}  // namespace hone::device
