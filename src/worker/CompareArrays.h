// Whether two runs left the same in an array. The one judge of results, on the embedded device and on real
// ones.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "worker/Scalar.h"

namespace hone::worker {

struct ArrayShape {
  uint64_t elements = 0, elementBytes = 1;
  std::span<const Leaf> leaves;  // none: elements are bytes without a meaning
};

struct Tolerance {
  bool permitted =
      false;  // floats may differ within 4 · operations · u · max(|a|, largest |a| of the results)
  double operations = 1;     // per thread
  bool isUnordered = false;  // compared as bags of elements
};

struct ArrayDifference {
  uint64_t index = 0;   // the first element that differs
  uint64_t count = 1;   // elements that differ
  std::string message;  // "1.5 and 2.25"
};

struct ArrayComparison {
  std::optional<ArrayDifference> difference;
  double maxError = 0;    // largest absolute difference of two floats; infinity where one is no number
  uint64_t compared = 0;  // numbers that a run changed and that are numbers in one run at least
  uint64_t notNumbers = 0, firstNotNumber = 0;  // NaN in both runs, which says nothing; the first element
};

// `initial` is what the array held before the runs, or empty: what neither run changed is no result and may
// look like NaN. Elements that are equal in an array that holds no floats, or is compared without regard to
// order, count as one.
ArrayComparison compareArrays(const ArrayShape& shape, std::span<const uint8_t> initial,
                              std::span<const uint8_t> a, std::span<const uint8_t> b,
                              const Tolerance& tolerance);

}  // namespace hone::worker
