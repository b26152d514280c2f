// Accesses that touch nothing but what another one touches too, and so need not be asked about.
#pragma once

#include <vector>

#include "affine/KernelModel.h"

namespace hone::analysis {

// Those of `accesses`, of one array, that no other of them covers: at the same address in a loop that runs
// alike, where at least as little must hold; nor the addresses of rows whose elements are accesses of their
// own. The order stays.
std::vector<affine::AccessId> withoutCovered(const affine::KernelModel& model,
                                             const std::vector<affine::AccessId>& accesses);

}  // namespace hone::analysis
