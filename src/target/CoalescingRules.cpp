#include "target/CoalescingRules.h"

#include "target/Target.h"

#include <algorithm>
#include <bit>

#include "ir/Error.h"
#include "target/CountSectors.h"

namespace hone::target {

namespace {

void push(Transactions& out, uint64_t address, unsigned bytes) { out.list[out.count++] = {address, bytes}; }

// One transaction (two of 128 bytes for 16-byte words) when lane t is at word t of an aligned segment; else
// 32 bytes per lane.
void strictHalfWarp(Transactions& out, const uint64_t* address, uint32_t lanes, unsigned firstLane,
                    unsigned bytes) {
  const unsigned anyLane = static_cast<unsigned>(std::countr_zero(lanes));
  const uint64_t base = address[anyLane] - uint64_t(anyLane - firstLane) * bytes;
  bool inOrder = bytes >= 4 && base % (16 * bytes) == 0;
  for (uint32_t left = lanes; left && inOrder; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    inOrder = address[lane] == base + uint64_t(lane - firstLane) * bytes;
  }
  ++out.groups;
  if (inOrder) {
    ++out.coalesced;
    const unsigned size = std::min(16 * bytes, 128u);
    for (unsigned at = 0; at < 16 * bytes; at += size) push(out, base + at, size);
    return;
  }
  for (uint32_t left = lanes; left; left &= left - 1)
    push(out, address[std::countr_zero(left)] & ~uint64_t(31), 32);
}

void segmentsOfHalfWarp(Transactions& out, const uint64_t* address, uint32_t lanes, unsigned bytes) {
  const unsigned segment = bytes == 1 ? 32 : bytes == 2 ? 64 : 128;
  unsigned used = 0;
  uint64_t asked = 0;
  for (uint32_t left = lanes; left;) {
    const uint64_t base = address[std::countr_zero(left)] & ~uint64_t(segment - 1);
    uint64_t low = UINT64_MAX, high = 0;
    uint32_t served = 0;
    for (uint32_t l = left; l; l &= l - 1) {
      const unsigned lane = static_cast<unsigned>(std::countr_zero(l));
      if ((address[lane] & ~uint64_t(segment - 1)) != base) continue;
      low = std::min(low, address[lane]);
      high = std::max(high, address[lane] + bytes);
      served |= uint32_t(1) << lane;
    }
    left &= ~served;
    uint64_t at = base;
    unsigned size = segment;
    while (size > 32) {
      const unsigned half = size / 2;
      if (high <= at + half)
        size = half;
      else if (low >= at + half)
        at += half, size = half;
      else
        break;
    }
    push(out, at, size);
    ++used;
    asked = std::max(asked, uint64_t(std::popcount(lanes)) * bytes);
  }
  ++out.groups;
  if (used <= std::max<uint64_t>(1, (asked + 127) / 128)) ++out.coalesced;
}

void blocksOf(Transactions& out, const uint64_t* address, uint32_t lanes, unsigned bytes,
              unsigned blockBytes) {
  const Touched touched = touchedBlocks(address, lanes, bytes, blockBytes);
  for (unsigned i = 0; i < touched.count; ++i) push(out, touched.block[i] * blockBytes, blockBytes);
  ++out.groups;
  const uint64_t asked = uint64_t(std::popcount(lanes)) * bytes;
  if (touched.count <= std::max<uint64_t>(1, (asked + blockBytes - 1) / blockBytes)) ++out.coalesced;
}

}  // namespace

CoalescingRule coalescingRule(std::string_view name) {
  for (CoalescingRule rule :
       {CoalescingRule::Strict16, CoalescingRule::Segments, CoalescingRule::Lines, CoalescingRule::Sectors})
    if (name == str(rule)) return rule;
  throw Error("there is no coalescing rule '" + std::string(name) +
              "'; those there are: strict16, segments, lines, sectors");
}

const char* str(CoalescingRule rule) {
  switch (rule) {
    case CoalescingRule::Strict16: return "strict16";
    case CoalescingRule::Segments: return "segments";
    case CoalescingRule::Lines: return "lines";
    case CoalescingRule::Sectors: break;
  }
  return "sectors";
}

Transactions coalesce(CoalescingRule rule, const uint64_t* address, uint32_t mask, unsigned bytes,
                      unsigned lineBytes) {
  Transactions out;
  unsigned lanes = 32;
  if (rule == CoalescingRule::Strict16 || rule == CoalescingRule::Segments) lanes = 16;
  if (rule == CoalescingRule::Lines && bytes >= 8) lanes = bytes == 8 ? 16 : 8;
  const uint32_t ones = lanes == 32 ? ~uint32_t(0) : (uint32_t(1) << lanes) - 1;
  for (unsigned first = 0; first < warpLanes; first += lanes) {
    const uint32_t group = mask & ones << first;
    if (!group) continue;
    switch (rule) {
      case CoalescingRule::Strict16: strictHalfWarp(out, address, group, first, bytes); break;
      case CoalescingRule::Segments: segmentsOfHalfWarp(out, address, group, bytes); break;
      case CoalescingRule::Lines: blocksOf(out, address, group, bytes, lineBytes); break;
      case CoalescingRule::Sectors: blocksOf(out, address, group, bytes, 32); break;
    }
  }
  return out;
}

bool worksByHalfWarps(const Target& target) {
  const CoalescingRule rule = target.coalescing;
  return rule == CoalescingRule::Strict16 || rule == CoalescingRule::Segments;
}

}  // namespace hone::target
