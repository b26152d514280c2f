// Reads of bytes that nothing wrote: one bit per byte of shared, local and (where asked for) global memory.
#include <atomic>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "sim/check/ShadowState.h"

namespace hone::sim {
namespace {

void report(Shadow::State& shadow, const WarpAccess& access, unsigned lane, uint64_t address) {
  Findings::Side side{access.pc, access.place, lane, false, access.kind == AccessKind::Atomic};
  uint64_t identity = arrayIdentity(shadow, access, lane, address);
  if (shadow.findings.repeat(FindingKind::Uninitialized, FindingClass::Error, side, nullptr, identity))
    return;
  ArrayElement element = describe(shadow, access, lane, address);
  const char* who = access.space == MemorySpace::Local
                        ? (shadow.program.isOpenCL ? "the work-item" : "the thread")
                    : access.space == MemorySpace::Shared ? (shadow.program.isOpenCL    ? "the work-group"
                                                             : shadow.program.isOpenAcc ? "the gang"
                                                                                        : "the block")
                                                          : "anyone";
  shadow.findings.add(FindingKind::Uninitialized, FindingClass::Error, side, &element.where, nullptr,
                      fmt::format("read before {} wrote it", who));
}

// The old value is not looked at.
bool overwrites(const Shadow::State& shadow, const WarpAccess& access) {
  if (access.kind != AccessKind::Atomic) return access.kind == AccessKind::Store;
  const std::vector<Instr>& code = shadow.program.code;
  return access.pc < code.size() && code[access.pc].op == Op::Atomic &&
         code[access.pc].atomic == AtomicOp::Store;
}

constexpr uint64_t laneBitsOf(uint32_t bytes) {
  return bytes >= 64 ? ~uint64_t(0) : (uint64_t(1) << bytes) - 1;
}

// Bits [first, first + count) of a plain bit map.
bool allSet(const uint64_t* bits, uint64_t first, uint32_t count) {
  while (count) {
    unsigned at = unsigned(first & 63), n = std::min<uint32_t>(count, 64 - at);
    uint64_t mask = laneBitsOf(n) << at;
    if ((bits[first >> 6] & mask) != mask) return false;
    first += n;
    count -= n;
  }
  return true;
}

void setAll(uint64_t* bits, uint64_t first, uint32_t count) {
  while (count) {
    unsigned at = unsigned(first & 63), n = std::min<uint32_t>(count, 64 - at);
    bits[first >> 6] |= laneBitsOf(n) << at;
    first += n;
    count -= n;
  }
}

// The same on bytes that several host threads change: no write where nothing changes.
bool allSetShared(uint8_t* bits, uint64_t first, uint32_t count) {
  while (count) {
    unsigned at = unsigned(first & 7), n = std::min<uint32_t>(count, 8 - at);
    uint8_t mask = uint8_t(((1u << n) - 1) << at);
    if ((std::atomic_ref<uint8_t>(bits[first >> 3]).load(std::memory_order_relaxed) & mask) != mask)
      return false;
    first += n;
    count -= n;
  }
  return true;
}

void setAllShared(uint8_t* bits, uint64_t first, uint32_t count) {
  while (count) {
    unsigned at = unsigned(first & 7), n = std::min<uint32_t>(count, 8 - at);
    uint8_t mask = uint8_t(((1u << n) - 1) << at);
    std::atomic_ref<uint8_t> byte(bits[first >> 3]);
    if ((byte.load(std::memory_order_relaxed) & mask) != mask) byte.fetch_or(mask, std::memory_order_relaxed);
    first += n;
    count -= n;
  }
}

// Bits of a stretch of a buffer, 64 at a time. The map is as long as a whole number of words.
template <bool set> bool allOf(uint8_t* map, uint64_t first, uint32_t count) {
  auto* words = reinterpret_cast<uint64_t*>(map);
  while (count) {
    const unsigned at = unsigned(first & 63), n = std::min<uint32_t>(count, 64 - at);
    const uint64_t mask = laneBitsOf(n) << at;
    std::atomic_ref<uint64_t> word(words[first >> 6]);
    if ((word.load(std::memory_order_relaxed) & mask) != mask) {
      if constexpr (set)
        word.fetch_or(mask, std::memory_order_relaxed);
      else
        return false;
    }
    first += n;
    count -= n;
  }
  return true;
}

template <class Do> void eachLane(uint32_t mask, Do&& action) {
  for (; mask; mask &= mask - 1) action(unsigned(std::countr_zero(mask)));
}

}  // namespace

void initializeShared(Shadow::State& shadow, BlockShadow::State& block, const WarpAccess& access,
                      AccessPattern pattern) {
  uint64_t* bits = block.initialized.data();
  bool stores = overwrites(shadow, access);
  const uint64_t* a = access.address;
  if (pattern != AccessPattern::Other) {
    uint32_t bytes = pattern == AccessPattern::Row ? 128 : 4;
    if (stores) {
      setAll(bits, a[0], bytes);
      return;
    }
    if (allSet(bits, a[0], bytes)) return;
  } else if (!stores && access.mask == ~uint32_t(0) && access.bytes == 4) {
    uint64_t missing = 0;
    for (unsigned i = 0; i < warpLanes; ++i) missing |= ~(bits[a[i] >> 6] >> (a[i] & 60)) | (a[i] & 3);
    if ((missing & 15) == 0) return;
  }
  uint64_t odd = access.bytes ^ 4u;
  eachLane(access.mask, [&](unsigned lane) { odd |= a[lane] & 3; });
  if (!odd) {  // each lane in one word of the map
    uint64_t missing = 0;
    if (stores)
      eachLane(access.mask, [&](unsigned lane) { bits[a[lane] >> 6] |= uint64_t(15) << (a[lane] & 60); });
    else
      eachLane(access.mask, [&](unsigned lane) { missing |= ~(bits[a[lane] >> 6] >> (a[lane] & 60)) & 15; });
    if (!missing) return;
  }
  if (stores) {
    eachLane(access.mask, [&](unsigned lane) { setAll(bits, access.address[lane], access.bytes); });
    return;
  }
  eachLane(access.mask, [&](unsigned lane) {
    uint64_t at = access.address[lane];
    if (allSet(bits, at, access.bytes)) return;
    report(shadow, access, lane, at);
    if (access.kind == AccessKind::Atomic) setAll(bits, at, access.bytes);
  });
}

bool initializeSharedRegular(BlockShadow::State& block, const RegularAccess& access) {
  uint64_t* bits = block.initialized.data();
  const unsigned pieces = warpLanes / access.lanes;
  const uint32_t bytes = access.row ? uint32_t(access.lanes) * access.bytes : access.bytes;
  for (unsigned p = 0; p < pieces; ++p) {
    if (access.kind == AccessKind::Store)
      setAll(bits, access.at[p], bytes);
    else if (!allSet(bits, access.at[p], bytes))
      return false;
  }
  return true;
}

bool initializeGlobalRegular(const RegularAccess& access) {
  uint8_t* bits = access.buffer->initialized.get();
  if (!bits) return true;
  const unsigned pieces = warpLanes / access.lanes;
  const uint32_t bytes = access.row ? uint32_t(access.lanes) * access.bytes : access.bytes;
  for (unsigned p = 0; p < pieces; ++p) {
    const uint64_t at = access.at[p] - access.buffer->base;
    if (access.kind == AccessKind::Store)
      allOf<true>(bits, at, bytes);
    else if (!allOf<false>(bits, at, bytes))
      return false;
  }
  return true;
}

void initializeGlobal(Shadow::State& shadow, const WarpAccess& access) {
  const Buffer* first = access.buffer[std::countr_zero(access.mask | 0x80000000)];
  if (access.mask == ~uint32_t(0) && !first->initialized) {
    bool others = false;
    for (unsigned i = 0; i < warpLanes; ++i) others |= access.buffer[i] != first;
    if (!others) return;
  }
  eachLane(access.mask, [&](unsigned lane) {
    Buffer* b = access.buffer[lane];
    uint8_t* bits = b->initialized.get();
    if (!bits) return;
    uint64_t at = access.address[lane] - b->base;
    if (overwrites(shadow, access)) {
      setAllShared(bits, at, access.bytes);
      return;
    }
    if (allSetShared(bits, at, access.bytes)) return;
    report(shadow, access, lane, access.address[lane]);
    if (access.kind == AccessKind::Atomic) setAllShared(bits, at, access.bytes);
  });
}

void initializeLocal(Shadow::State& shadow, const WarpAccess& access, uint8_t* initialized) {
  if (access.bytes == 4) {  // aligned: four bits, half a byte of the map
    uint32_t missing = 0;
    eachLane(access.mask, [&](unsigned lane) {
      const uint64_t half = access.address[lane] / 4 * warpLanes + lane;
      const unsigned mask = 15u << (half & 1) * 4;
      uint8_t& byte = initialized[half >> 1];
      if (access.kind == AccessKind::Load)
        missing |= ~byte & mask;
      else
        byte |= uint8_t(mask);
    });
    if (!missing) return;
  }
  eachLane(access.mask, [&](unsigned lane) {
    uint64_t at = access.address[lane], end = at + access.bytes;
    bool complete = true;
    while (at < end) {
      uint64_t next = std::min(end, (at | 3) + 1);
      uint64_t bit = ((at / 4) * warpLanes + lane) * 4 + (at & 3);  // four bits, within one byte
      uint8_t mask = uint8_t(((1u << (next - at)) - 1) << (bit & 7));
      uint8_t& byte = initialized[bit >> 3];
      if (access.kind == AccessKind::Load)
        complete &= (byte & mask) == mask;
      else
        byte |= mask;
      at = next;
    }
    if (!complete) report(shadow, access, lane, access.address[lane]);
  });
}

}  // namespace hone::sim
