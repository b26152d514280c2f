// What the lanes of a warp do relative to each other in one access, for every warp of a block.
#pragma once

#include <bitset>

#include "analysis/PerThread.h"

namespace hone::analysis {

// Lanes whose addresses differ by numbers.
struct LaneGroup {
  uint32_t mask = 0;
  affine::Poly start;  // address of its first lane: blocks, loop counters, symbols, what is not known
  std::array<int64_t, 32> offset{};  // bytes from there, by lane of `mask`
};

struct WarpPattern {
  unsigned warp = 0;
  std::string when;               // in which case, where several are told apart: "blockIdx.x % 2 == 1"
  uint32_t mask = 0;              // lanes that exist and that no guard switches off for good
  bool partial = false;           // a guard or loop may switch off some of them and not others
  std::vector<LaneGroup> groups;  // by their first lanes
  // All lanes in one group.
  bool isKnown() const { return groups.size() == 1; }
};

struct LanePattern {
  std::vector<WarpPattern> warps;  // those with a lane that takes part; one per case
  std::string partial;             // what may make warps partial, "" when nothing can
  std::string unknown;             // why nothing can be said of the lanes; `warps` then have masks alone
  // Every assumption beyond the model's own is a superset: cases that cannot happen may be listed.
};

LanePattern lanePattern(PerThread& perThread, const affine::Access& access);
// The same for another address under the guards and loops of the access: with other pitches, say.
LanePattern lanePattern(PerThread& perThread, const affine::Access& access, const affine::Poly& address);

// The residues that a value which is the same for the whole warp can have, modulo a power of two up to 256. A
// superset: what its terms can have by themselves is combined freely.
struct Residues {
  unsigned modulus = 256;
  std::bitset<256> can;
  std::vector<std::string> dependsOn;    // what makes it more than one: "loop i", "blockIdx.x", "w*i"
  std::optional<unsigned> only() const;  // when there is one
};
Residues residues(const affine::KernelModel& model, const affine::Poly& value, unsigned modulus = 256);

// Why the distances between lanes of a warp are no numbers: what is not known of them, "" when all is; and in
// words.
std::string unknownDistance(const affine::KernelModel& model, const WarpPattern& warp);
std::string describeDistances(const affine::KernelModel& model, const WarpPattern& warp);

// What addresses of an access are multiples of, by the type that it touches.
unsigned accessAlignment(const affine::KernelModel& model, const affine::Access& access);

// Why the executions of an access in a launch cannot be counted one by one; "" when they can.
std::string whyNotCountable(const affine::KernelModel& model, const affine::Access& access);

std::string loopName(const affine::KernelModel& model, affine::LoopId loop);
// As a person names it: "loop i", "blockIdx.x", "w".
std::string describeAtom(const affine::KernelModel& model, affine::AtomId id);

}  // namespace hone::analysis
