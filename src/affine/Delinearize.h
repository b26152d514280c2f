// Dimensions for flat addresses: one shape per array, on which its accesses agree.
#pragma once

#include "affine/Evaluate.h"

namespace hone::affine {

// An array seen with dimensions. `extents` are those of all dimensions but the outermost, outermost first:
// y*w + x has {w}.
struct Shape {
  ArrayId array;
  int64_t unit = 0;           // bytes of one element: what every access moves a multiple of, at a multiple of
  std::vector<Poly> extents;  // made of numbers and symbols
  bool isDeclared = false;    // the array's own declared dimensions
  // Empty for accesses of other arrays and for those that do not fit the dimensions.
  ById<AccessId, std::vector<Poly>> subscripts;
  ById<AccessId, int64_t> widths;  // elements along the last dimension that one execution touches
  std::vector<AccessId> misfits;   // accesses of the array whose address is not understood or does not fit
  // What must hold for the dimensions to be right and could not be proved from guards and loops: 0 <= x < w.
  std::vector<Requirement> conditions;
  // A condition that holds no size could not be proved: rows may be left at any launch, not only where a size
  // is less than the kernel expects.
  bool mayLeaveRows = false;

  unsigned dimensions() const { return unsigned(extents.size()) + 1; }
  bool fits(AccessId access) const { return subscripts.contains(access) && !subscripts[access].empty(); }
};

// The shape of an array: declared dimensions as they are, else pitches that are numbers (where proved), else
// pitches made of symbols, else one flat dimension. With a launch, symbols have its numbers.
Shape shapeOf(const KernelModel& model, ArrayId array, const Launch* launch = nullptr);

// p = quotient * by + rest, with no term of rest divisible by the leading term of `by`.
struct Quotient {
  Poly quotient, rest;
};
Quotient divide(const Poly& p, const Poly& by);

}  // namespace hone::affine
