#include "target/CountSectors.h"

#include <algorithm>

namespace hone::target {

namespace {

template <class F>
void forEachLane(uint32_t mask, F&& f) {
  for (uint32_t left = mask; left; left &= left - 1) f(static_cast<unsigned>(std::countr_zero(left)));
}

}  // namespace

namespace {

// Whether all lanes lie so far apart, one after another.
bool risesBy(const uint64_t* address, uint64_t step) {
  uint64_t stray = 0;
  for (unsigned lane = 0; lane < warpLanes; ++lane) stray |= address[lane] ^ (address[0] + lane * step);
  return stray == 0;
}

// Blocks of 32 bytes that so many bytes from there on fill, the first and the last perhaps in part.
Touched blocksOfRange(uint64_t from, unsigned bytes) {
  Touched out;
  const uint64_t last = (from + bytes - 1) / 32;
  for (uint64_t block = from / 32; block <= last; ++block) {
    out.block[out.count] = block;
    out.bytes[out.count++] = ~uint32_t(0);
  }
  out.bytes[0] &= ~uint32_t(0) << from % 32;
  out.bytes[out.count - 1] &= ~uint32_t(0) >> (31 - (from + bytes - 1) % 32);
  return out;
}

}  // namespace

Touched touchedBlocks(const uint64_t* address, uint32_t mask, unsigned bytes, unsigned blockBytes) {
  // Mostly lanes are neighbours, or all at one place.
  if (mask == ~uint32_t(0) && blockBytes == 32 && bytes <= 16) {
    const uint64_t step = address[1] - address[0];
    if ((step == 0 || step == bytes) && risesBy(address, step))
      return blocksOfRange(address[0], step ? warpLanes * bytes : bytes);
  }
  Touched out;
  const unsigned shift = static_cast<unsigned>(std::countr_zero(blockBytes));
  uint64_t highest = 0, current = 0;  // block: that of the lane before
  unsigned at = 0;
  uint32_t gathered = 0;  // of the current block, to be added to it
  const uint32_t ones = bytes >= 32 ? ~uint32_t(0) : (uint32_t(1) << bytes) - 1;
  forEachLane(mask, [&](unsigned lane) {
    const uint64_t block = address[lane] >> shift;
    const uint32_t touched = ones << (address[lane] & (blockBytes - 1) & 31);
    // Neighbouring lanes mostly share a block.
    if (block == current && out.count > 0) {
      gathered |= touched;
      return;
    }
    if (out.count > 0) out.bytes[at] |= gathered;
    gathered = touched;
    current = block;
    // Addresses mostly rise.
    if (out.count > 0 && block <= highest)
      for (unsigned i = out.count; i-- > 0;)
        if (out.block[i] == block) {
          at = i;
          return;
        }
    highest = std::max(highest, block);
    at = out.count++;
    out.block[at] = block;
    out.bytes[at] = 0;
  });
  if (out.count > 0) out.bytes[at] |= gathered;
  return out;
}

unsigned countAtomicSectors(const uint64_t* address, uint32_t mask, unsigned sectorBytes) {
  struct Cell {
    uint64_t address;
    unsigned lanes;
  };
  std::array<Cell, warpLanes> cells;
  unsigned count = 0;
  forEachLane(mask, [&](unsigned lane) {
    for (unsigned i = 0; i < count; ++i)
      if (cells[i].address == address[lane]) {
        ++cells[i].lanes;
        return;
      }
    cells[count++] = {address[lane], 1};
  });
  // A sector is passed as often as the address in it that most lanes share.
  unsigned passes = 0;
  for (unsigned i = 0; i < count; ++i) {
    const uint64_t sector = cells[i].address / sectorBytes;
    bool isFirst = true;
    unsigned most = 0;
    for (unsigned j = 0; j < count; ++j) {
      if (cells[j].address / sectorBytes != sector) continue;
      if (j < i) isFirst = false;
      most = std::max(most, cells[j].lanes);
    }
    if (isFirst) passes += most;
  }
  return passes;
}

std::pair<unsigned, unsigned> countSameAddress(const uint64_t* address, uint32_t mask) {
  unsigned beyond = 0, most = 0;
  forEachLane(mask, [&](unsigned lane) {
    unsigned same = 0, before = 0;
    forEachLane(mask, [&](unsigned other) {
      if (address[other] != address[lane]) return;
      ++same;
      before += other < lane;
    });
    beyond += before > 0;
    most = std::max(most, same);
  });
  return {beyond, most};
}

}  // namespace hone::target
