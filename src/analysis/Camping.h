// Partition camping: blocks that run side by side and all ask the same part of global memory, while the other
// parts wait.
#pragma once

#include "affine/Evaluate.h"
#include "target/Target.h"

namespace hone::analysis {

enum class CampingVerdict : uint8_t {
  No,
  Yes,
  DependsOn,  // where a size is a multiple of something: the reason says which
  Unknown
};
const char* str(CampingVerdict verdict);  // "no", "yes", "depends", "unknown"

// Of one access, for blocks that are neighbours along x (those along y run at other times). It camps where
// the step from block to block is a multiple of all partitions together and the threads of one block do not
// reach all partitions at one moment anyway.
struct Camping {
  CampingVerdict verdict = CampingVerdict::No;
  std::string reason;  // in words: "blocks lie 262144 bytes apart, a multiple of 8 partitions of 256 bytes"
  std::optional<affine::Poly> stride;  // bytes from a block to the next along x
  unsigned reached = 0;                // partitions that one block asks at one moment; 0: not known
};
// With a launch, its numbers stand for the sizes. Targets whose addresses are hashed (no partitions) have no
// camping.
Camping camping(const affine::KernelModel& model, const affine::Access& access, const target::Target& target,
                const affine::Launch* launch = nullptr);

}  // namespace hone::analysis
