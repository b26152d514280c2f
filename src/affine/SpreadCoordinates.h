// Coordinates that a sum spreads over several terms: 64*blockIdx.x + 4*threadIdx.x + r, with r from 0 to 3,
// is one column and no rows of four.
#pragma once

#include "affine/KernelModel.h"

namespace hone::affine {

// The coordinates of threads along each axis that stand in a sum, times a number each: blockIdx * size +
// threadIdx, where asked for with counters of unrolled loops, which tell a thread's own elements apart. A
// coordinate takes every value, and a block begins where the one before ends.
std::vector<Poly> spreadCoordinates(const KernelModel& model, const Poly& sum, bool withCounters);

}  // namespace hone::affine
