// Loads that a compiler leaves out or puts together in straight code, as it comes of unrolled iterations.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sim/bytecode/Program.h"

namespace hone::sim {

// By pc, the share of a load that is left: 0 where the same address was loaded before, with nothing between
// that may change it; a half or a quarter where it and its neighbours in one of the aligned shared arrays
// come in one access; and 0 for sums that only serve to name such neighbours. Other instructions have 1.
std::vector<double> loadShares(const Program& program, const std::set<std::string>& alignedShared);

}  // namespace hone::sim
