// What kind of kernel this is, by which elements its stores and loads name and what its loops carry.
#pragma once

#include "affine/KernelModel.h"

namespace hone::analysis {

enum class KernelKind : uint8_t {
  Elementwise,      // each element from those at its own place
  RowReduction,     // sums, extrema, … of elements that lie next to each other
  ColumnReduction,  // of elements that lie apart, next to those of other sums
  Stencil,          // each element from neighbours, which others use as well
  Product,          // sums over pairs, each side of which serves many sums
  Scan,             // sums of all elements before
  Scatter,          // loaded values say where results go
  Gather,           // loaded values say what is read
  Permutation,      // elements change places
  Mixed,            // several of these
  None              // nothing of this can be told
};
const char* str(KernelKind kind);  // "elementwise", "row reduction", …

struct KindAnswer {
  KernelKind kind = KernelKind::None;
  std::string reason;  // in a few words: "`out` takes sums of `in` along L1, whose elements are neighbours"
};

KindAnswer kindOf(const affine::KernelModel& model);

}  // namespace hone::analysis
