// Atomics of a warp, lane after lane, and copies of bytes.
#include <bit>

#include "sim/execute/Executor.h"
#include "sim/execute/LaneBytes.h"
#include "sim/execute/MemorySpaces.h"

namespace hone::sim {

// Atomics

namespace {

template <class T>
T updated(AtomicOp op, T old, T value, T compare) {
  switch (op) {
    case AtomicOp::Add: return T(old + value);
    case AtomicOp::Sub: return T(old - value);
    case AtomicOp::Exchange:
    case AtomicOp::Store: return value;
    case AtomicOp::Min: return value < old ? value : old;
    case AtomicOp::Max: return old < value ? value : old;
    case AtomicOp::CompareExchange: return std::memcmp(&old, &compare, sizeof(T)) == 0 ? value : old;
    case AtomicOp::Load: return old;
    case AtomicOp::IncWrap: return old >= value ? T(0) : T(old + T(1));
    case AtomicOp::DecWrap: return old == T(0) || old > value ? value : T(old - T(1));
    default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (op == AtomicOp::And) return T(old & value);
    if (op == AtomicOp::Or) return T(old | value);
    if (op == AtomicOp::Xor) return T(old ^ value);
  }
  return old;
}

// Several host threads may update one word: compare and swap on its bits.
template <class T, class Bits>
T update(uint8_t* at, AtomicOp op, T value, T compare) {
  auto* word = reinterpret_cast<Bits*>(at);
  Bits seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    T old;
    std::memcpy(&old, &seen, sizeof(T));
    const T next = updated(op, old, value, compare);
    Bits bits;
    std::memcpy(&bits, &next, sizeof(T));
    if (bits == seen ||
        __atomic_compare_exchange_n(word, &seen, bits, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return old;
  }
}

struct BFloat {
  uint16_t bits;
};

}  // namespace

void Executor::atomic(BlockRun& b, Warp& w, const Instr& i, uint32_t pc, uint32_t mask) {
  if (!mask) return;
  scattered += unsigned(std::popcount(mask));
  uint64_t address[warpLanes];
  std::memcpy(address, reg<uint64_t>(w, i.a), sizeof address);
  const unsigned bytes = memoryBytes(i.type);
  alignas(16) uint8_t staged[warpLanes * 8];
  const unsigned width = isWide(i.type) ? 8 : 4;
  std::memset(staged, 0, sizeof staged);
  if (i.b != noReg)
    for (unsigned l = 0; l < warpLanes; ++l)
      if ((mask >> l) & 1) toBytes(i.type, reg<uint8_t>(w, i.b) + l * width, staged + size_t(l) * bytes);
  const AccessKind kind = AccessKind::Atomic;
  forEachSpace(i, mask, address, [&](MemorySpace space, uint32_t lanes) {
    Resolved r;
    resolve(b, w, pc, kind, space, -1, bytes, bytes, lanes, address, r);
    observe(b, w, pc, kind, i.hint, bytes, staged, r);
    for (unsigned l = 0; l < warpLanes; ++l) {
      if (!((r.mask >> l) & 1)) continue;
      uint8_t* at = space == MemorySpace::Local ? w.local + localByte(r.address[l], l) : r.host[l];
      const auto run = [&]<class T, class Bits>(T, Bits) {
        T value{}, compare{};
        uint8_t raw[8] = {};
        std::memcpy(&value, staged + size_t(l) * bytes, sizeof(T));
        if (i.c != noReg) {
          toBytes(i.type, reg<uint8_t>(w, i.c) + l * width, raw);
          std::memcpy(&compare, raw, sizeof(T));
        }
        const T old = update<T, Bits>(at, i.atomic, value, compare);
        std::memcpy(raw, &old, sizeof(T));
        loadOne(i.type, reinterpret_cast<uint8_t*>(reg<uint32_t>(w, i.dst) + l),
                reinterpret_cast<uint8_t*>(reg<uint64_t>(w, i.dst) + l), raw);
      };
      if (space == MemorySpace::Local && bytes == 8) {  // two words apart: no other thread sees them
        uint64_t whole = 0;
        std::memcpy(&whole, at, 4);
        std::memcpy(reinterpret_cast<uint8_t*>(&whole) + 4, w.local + localByte(r.address[l] + 4, l), 4);
        uint8_t* const real = at;
        at = reinterpret_cast<uint8_t*>(&whole);
        if (i.type == Scalar::F64)
          run(double{}, uint64_t{});
        else if (i.type == Scalar::I64)
          run(int64_t{}, uint64_t{});
        else
          run(uint64_t{}, uint64_t{});
        std::memcpy(real, &whole, 4);
        std::memcpy(w.local + localByte(r.address[l] + 4, l), reinterpret_cast<uint8_t*>(&whole) + 4, 4);
        continue;
      }
      switch (i.type) {
        case Scalar::I32: run(int32_t{}, uint32_t{}); break;
        case Scalar::U32: run(uint32_t{}, uint32_t{}); break;
        case Scalar::F32: run(float{}, uint32_t{}); break;
        case Scalar::I64: run(int64_t{}, uint64_t{}); break;
        case Scalar::U64: run(uint64_t{}, uint64_t{}); break;
        case Scalar::F64: run(double{}, uint64_t{}); break;
        case Scalar::U16: run(uint16_t{}, uint16_t{}); break;
        case Scalar::I16: run(int16_t{}, uint16_t{}); break;
        case Scalar::F16: run(_Float16{}, uint16_t{}); break;
        case Scalar::BF16: {  // added in float and rounded
          float value, sum;
          uint16_t bits, seen;
          std::memcpy(&bits, staged + size_t(l) * bytes, 2);
          value = fromBFloat(bits);
          std::memcpy(&seen, at, 2);
          sum = fromBFloat(seen) + value;
          uint32_t rounded = std::bit_cast<uint32_t>(sum);
          rounded += 0x7fff + ((rounded >> 16) & 1);
          const uint16_t next = uint16_t(rounded >> 16);
          std::memcpy(at, &next, 2);
          reg<float>(w, i.dst)[l] = fromBFloat(seen);
          break;
        }
        case Scalar::I8: run(int8_t{}, uint8_t{}); break;
        default: run(uint8_t{}, uint8_t{}); break;
      }
    }
  });
}

// memcpy and memset, byte by byte for each lane.
void Executor::copyBytes(BlockRun& b, Warp& w, const CallSite& site, uint32_t pc, uint32_t mask) {
  const bool isSet = site.function == "memset";
  const uint64_t* to = reg<uint64_t>(w, site.args[0]);
  const auto wide = [&](size_t arg, unsigned l) {
    return isWide(site.argTypes[arg]) ? reg<uint64_t>(w, site.args[arg])[l]
                                      : uint64_t(reg<uint32_t>(w, site.args[arg])[l]);
  };
  uint64_t longest = 0;
  for (unsigned l = 0; l < warpLanes; ++l)
    if ((mask >> l) & 1) longest = std::max(longest, wide(2, l));
  Instr i;
  i.op = Op::Load;
  i.type = Scalar::U8;
  i.a = site.args[0];
  for (uint64_t k = 0; k < longest && !launch.stop; ++k) {
    uint32_t lanes = 0;
    uint64_t address[warpLanes];
    uint8_t value[warpLanes] = {};
    for (unsigned l = 0; l < warpLanes; ++l)
      if (((mask >> l) & 1) && k < wide(2, l)) lanes |= 1u << l;
    if (isSet) {
      for (unsigned l = 0; l < warpLanes; ++l) value[l] = uint8_t(wide(1, l));
    } else {
      for (unsigned l = 0; l < warpLanes; ++l) address[l] = reg<uint64_t>(w, site.args[1])[l] + k;
      forEachSpace(i, lanes, address, [&](MemorySpace space, uint32_t some) {
        Resolved r;
        resolve(b, w, pc, AccessKind::Load, space, -1, 1, 1, some, address, r);
        observe(b, w, pc, AccessKind::Load, CacheHint::Default, 1, nullptr, r);
        for (unsigned l = 0; l < warpLanes; ++l)
          if ((r.mask >> l) & 1)
            value[l] = space == MemorySpace::Local ? w.local[localByte(r.address[l], l)] : *r.host[l];
      });
    }
    for (unsigned l = 0; l < warpLanes; ++l) address[l] = to[l] + k;
    forEachSpace(i, lanes, address, [&](MemorySpace space, uint32_t some) {
      Resolved r;
      resolve(b, w, pc, AccessKind::Store, space, -1, 1, 1, some, address, r);
      observe(b, w, pc, AccessKind::Store, CacheHint::Default, 1, value, r);
      storeTo(w, i, r, value);
    });
  }
}

}  // namespace hone::sim
