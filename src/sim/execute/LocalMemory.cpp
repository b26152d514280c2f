// Lanes at the same offset of their local memory, which lies there word by word for all lanes.
#include <bit>
#include <cstring>

#include "sim/execute/Executor.h"
#include "sim/execute/LaneLoops.h"

namespace hone::sim {

namespace {

constexpr size_t wordSetBytes = warpLanes * 4 / 8;  // bits of one word of each lane in Warp::localSet

// The four bits of each lane in the mask.
struct WordSet {
  uint64_t half[2];

  explicit WordSet(uint32_t mask) : half{fourOfEach(mask & 0xffff), fourOfEach(mask >> 16)} {}

  bool areSet(const uint8_t* bits) const {
    uint64_t now[2];
    std::memcpy(now, bits, wordSetBytes);
    return ((half[0] & ~now[0]) | (half[1] & ~now[1])) == 0;
  }
  void set(uint8_t* bits) const {
    uint64_t now[2];
    std::memcpy(now, bits, wordSetBytes);
    now[0] |= half[0], now[1] |= half[1];
    std::memcpy(bits, now, wordSetBytes);
  }
  void clear(uint8_t* bits) const {
    uint64_t now[2];
    std::memcpy(now, bits, wordSetBytes);
    now[0] &= ~half[0], now[1] &= ~half[1];
    std::memcpy(bits, now, wordSetBytes);
  }

 private:
  static uint64_t fourOfEach(uint64_t x) {
    x = (x | x << 24) & 0x000000ff000000ff;
    x = (x | x << 12) & 0x000f000f000f000f;
    x = (x | x << 6) & 0x0303030303030303;
    x = (x | x << 3) & 0x1111111111111111;
    return x * 15;
  }
};

static_assert(std::endian::native == std::endian::little);

}  // namespace

// A whole number of words.
bool Executor::moveLocal(Warp& w, const Instr& i, AccessKind kind, uint64_t at, uint32_t mask) {
  const unsigned each = memoryBytes(i.type), bytes = each * i.count;
  const int root = i.imm2 - 1;
  const LocalVariable* var =
      root >= 0 && size_t(root) < program.locals.size() ? &program.locals[size_t(root)] : nullptr;
  if (var && var->inFrame) return false;  // lanes may be in frames of different depth
  const uint64_t low = var ? var->offset : 0, size = var ? var->size : program.localBytes;
  if (each < 4 || at < low || at - low > size || size - (at - low) < bytes ||
      at % std::min(8u, std::bit_ceil(bytes)))
    return false;
  const unsigned words = bytes / 4;
  if (launch.options.checkUninitialized && launch.shadow) {
    uint8_t* bits = w.localSet + at / 4 * wordSetBytes;
    const WordSet mine(mask);
    if (kind == AccessKind::Load) {
      for (unsigned k = 0; k < words; ++k)
        if (!mine.areSet(bits + k * wordSetBytes)) return false;
    } else {
      for (unsigned k = 0; k < words; ++k) mine.set(bits + k * wordSetBytes);
    }
  }
  uint8_t* memory = w.local + at / 4 * (warpLanes * 4);
  for (unsigned k = 0; k < i.count; ++k) {
    if (each == 4) {
      auto* value = reg<uint32_t>(w, Reg(i.dst + k));
      auto* place = reinterpret_cast<uint32_t*>(memory + size_t(k) * warpLanes * 4);
      if (kind == AccessKind::Load)
        moveLanes(value, place, mask);
      else
        moveLanes(place, value, mask);
      continue;
    }
    auto* low32 = reinterpret_cast<uint32_t*>(memory + size_t(k) * warpLanes * 8);
    uint32_t* high32 = low32 + warpLanes;
    uint64_t* value = reg<uint64_t>(w, Reg(i.dst + 2 * k));
    if (kind == AccessKind::Load) {
      lanes(value, mask, [&](unsigned l) { return uint64_t(high32[l]) << 32 | low32[l]; });
    } else {
      lanes(low32, mask, [&](unsigned l) { return uint32_t(value[l]); });
      lanes(high32, mask, [&](unsigned l) { return uint32_t(value[l] >> 32); });
    }
  }
  return true;
}

// Some lanes, where an access of local memory names the same place in each of them.
bool Executor::moveLocalOfSome(Warp& w, const Instr& i, AccessKind kind, uint32_t mask) {
  if (i.a != noReg || i.space != MemorySpace::Local || i.hint == CacheHint::Volatile || launch.profiler ||
      launch.options.onAccess || !std::has_single_bit(memoryBytes(i.type) * i.count))
    return false;
  uint64_t address[warpLanes];
  addresses(w, i, address);
  const uint64_t at = address[std::countr_zero(mask)];
  uint64_t stray = 0;
  for (unsigned l = 0; l < warpLanes; ++l) stray |= (address[l] ^ at) & spreadBit<uint64_t>(mask, l);
  return stray == 0 && moveLocal(w, i, kind, at, mask);
}

void Executor::forgetLocal(Warp& w, uint32_t from, uint32_t bytes, uint32_t mask) {
  const WordSet mine(mask);
  const uint32_t end = from + bytes;
  for (uint32_t at = from; at < end;) {
    if (at % 4 == 0 && end - at >= 4) {
      mine.clear(w.localSet + size_t(at / 4) * wordSetBytes);
      at += 4;
      continue;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
      const size_t bit = (size_t(at) / 4 * warpLanes + size_t(std::countr_zero(rest))) * 4 + at % 4;
      w.localSet[bit / 8] &= uint8_t(~(1u << (bit % 8)));
    }
    ++at;
  }
}

void Executor::forgetInFrames(Warp& w, uint32_t from, uint32_t bytes, uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    const auto lane = unsigned(std::countr_zero(rest));
    forgetLocal(w, from + w.stacks->base[lane], bytes, 1u << lane);
  }
}

}  // namespace hone::sim
