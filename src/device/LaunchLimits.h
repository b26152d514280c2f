// What no GPU can launch, whatever the target.
#pragma once

#include <string>

#include "device/Case.h"

namespace hone::device {

// Why blocks of these extents, or a grid of such, cannot be launched; empty: they can.
std::string whyNoBlock(ir::Language language, const std::array<uint32_t, 3>& block);
std::string whyNoGrid(ir::Language language, const std::array<uint32_t, 3>& grid);
std::string whyNotShared(ir::Language language, int64_t bytes);  // dynamic shared memory of a block

}  // namespace hone::device
