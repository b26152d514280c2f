// Data for arrays that nobody gave: the same for the same seed and element, however long the array is.
#pragma once

#include <span>

#include "worker/Scalar.h"

namespace hone::worker {

enum class FillKind : uint8_t {
  Values,       // floats of moderate size, some negative, some zero; small integers
  Range,        // whole numbers from 0 to below `range`
  Permutation,  // of 0 … range - 1, as often as it fits
  Offsets,      // rising, by 1 to 7, from `range` on
  Poison        // bits that no computation gives by chance
};

struct Fill {
  FillKind kind = FillKind::Values;
  uint64_t seed = 1;
  int64_t range = 0;
  bool positive = false;  // floats from 0.25 to 2.25
  bool fraction = false;  // floats between 0 and 1; whole numbers as with `positive`
  bool nonZero = false;
  bool whole = false;  // floats without a fraction
  bool bits = false;   // of Values: whole numbers of as many bits as their type has, every other of them
};

// Writes elements first … first + count - 1; `data` points to the first of them.
void fillElements(uint8_t* data, uint64_t first, uint64_t count, std::span<const Leaf> leaves,
                  uint64_t elementBytes, const Fill& fill);

// The same for the values that begin in bytes from … to - 1 of the array; `data` points to the first of them.
// Leaves are in the order of their offsets.
void fillBytes(uint8_t* data, uint64_t from, uint64_t to, std::span<const Leaf> leaves, uint64_t elementBytes,
               const Fill& fill);

// Whether that is the same scalar over and over, with values that hang on their number alone.
bool isRowOfScalars(std::span<const Leaf> leaves, uint64_t elementBytes, const Fill& fill);
// fillBytes for those, many times as fast.
void fillScalars(uint8_t* data, uint64_t from, uint64_t to, Scalar type, const Fill& fill);

}  // namespace hone::worker
