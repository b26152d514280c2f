// Blocks of a launch that execute an access alike, so that one of them can be looked at for all.
#pragma once

#include "affine/Evaluate.h"

namespace hone::analysis {

struct BlockClass {
  std::array<int64_t, 3> block{};
  uint64_t count = 0;  // blocks that it stands for, itself included
};
// Every block is in one class; blocks of a class make the same requests, at addresses that are equal modulo
// 256 bytes. Nothing when more than `most` classes would be needed or a block coordinate is used in a way
// that is not understood. Requirements hold for all blocks where they hold for those of the classes.
std::optional<std::vector<BlockClass>> blockClasses(const affine::KernelModel& model,
                                                    const affine::Access& access,
                                                    const affine::Launch& launch, size_t most = 4096);

// affine::forEachRequest over all blocks, with the number of blocks that each request stands for.
bool forEachRequestOfClasses(const affine::KernelModel& model, const affine::Access& access,
                             const affine::Launch& launch, uint64_t limit,
                             const std::function<void(const affine::WarpRequest&, uint64_t)>& fn);

}  // namespace hone::analysis
