// Linear equations over bounded integers solved digit by digit: e = 64*i + 16*z + 4*y + x has one solution
// where x, y < 4 and z < 4.
#pragma once

#include "affine/Atoms.h"

namespace hone::analysis {

// sum = value; `sum` is made of coordinates and of what is given, `value` of what is given.
struct Equation {
  affine::Poly sum, value;
};

struct Coordinate {
  affine::AtomId atom = 0;
  affine::Range range;
};

// The coordinates that the equations determine, given their ranges alone. Quotient and remainder of one value
// by one number (i / 18, i % 18) count as one equation.
std::map<affine::AtomId, affine::Poly> solveByDigits(affine::Atoms& atoms, std::vector<Equation> equations,
                                                     const std::vector<Coordinate>& coordinates);

}  // namespace hone::analysis
