// Bounds that do not need the grid's size.
#pragma once

#include "affine/Atoms.h"

namespace hone::analysis {

// An upper bound that names the grid's size less: the least of two values is below the other too, which reads
// better.
affine::Poly withoutGrid(affine::Atoms& atoms, affine::Poly high);

}  // namespace hone::analysis
