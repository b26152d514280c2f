// The parts of memory that one warp instruction touches.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace hone::target {

inline constexpr unsigned warpLanes = 32;  // of every target there is

// Distinct blocks of memory, at most one per lane, each with the bytes of it that lanes touch.
struct Touched {
  std::array<uint64_t, warpLanes> block;  // address / size of a block
  std::array<uint32_t, warpLanes> bytes;  // one bit per byte of a block of up to 32 bytes
  unsigned count = 0;
};

// The hardware moves 1, 2, 4, 8 or 16 aligned bytes per lane and instruction; a wider, odd or less aligned
// access is several instructions. Calls f(first byte, bytes) for each of them. `alignment`: the size or-ed
// with all addresses.
template <class F>
void forEachPiece(unsigned bytes, uint64_t alignment, F&& f) {
  const unsigned piece = static_cast<unsigned>(std::min<uint64_t>(16, alignment & (~alignment + 1)));
  for (unsigned first = 0; first < bytes; first += piece) f(first, piece);
}

// Distinct blocks of `blockBytes` (a power of two) touched by the lanes of `mask`, in the order of the lanes.
// A lane's bytes must lie in one block.
Touched touchedBlocks(const uint64_t* address, uint32_t mask, unsigned bytes, unsigned blockBytes);

// An atomic takes one pass per lane at the same address: sectors counted once per pass.
unsigned countAtomicSectors(const uint64_t* address, uint32_t mask, unsigned sectorBytes);

// Lanes beyond the first at one address, and the largest number of lanes at one address.
std::pair<unsigned, unsigned> countSameAddress(const uint64_t* address, uint32_t mask);

}  // namespace hone::target
