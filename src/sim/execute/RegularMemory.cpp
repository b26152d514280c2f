// Loads and stores of all lanes of a warp in rows or at one place: one bounds check, one test of the checks,
// one copy.
#include <bit>
#include <cstring>

#include "sim/execute/Executor.h"
#include "sim/execute/LaneBytes.h"
#include "sim/execute/LaneLoops.h"
#include "sim/execute/MemorySpaces.h"

namespace hone::sim {

namespace {

constexpr unsigned pieceLanes = 8, pieces = warpLanes / pieceLanes;  // the smallest looked for

// Whether each eight neighbouring values are the same or rise by `step`.
template <class T>
[[gnu::always_inline]] inline bool isPiecewise(const T* x, T step) {
  T stray = 0;
  for (unsigned p = 0; p < pieces; ++p) {
    const T* at = x + p * pieceLanes;
    const T first = at[0];
    for (unsigned l = 0; l < pieceLanes; ++l) stray |= at[l] ^ T(first + T(l) * step);
  }
  return stray == 0;
}

// Of 8, 16 or 32 lanes: lengths that are known make no calls.
[[gnu::always_inline]] inline void copyPieces(void* to, const void* from, size_t bytes) {
  auto* d = static_cast<uint8_t*>(to);
  const auto* s = static_cast<const uint8_t*>(from);
  if (bytes == 128)
    std::memcpy(d, s, 128);
  else
    for (size_t k = 0; k < bytes; k += 32) std::memcpy(d + k, s + k, 32);
}

template <class M, class R, class Convert>
[[gnu::always_inline]] inline void loadRow(R* dst, const uint8_t* from, unsigned lanes, unsigned count,
                                           Convert convert) {
  for (unsigned l = 0; l < lanes; ++l) {
    M v;
    std::memcpy(&v, from + size_t(l) * count * sizeof(M), sizeof v);
    dst[l] = convert(v);
  }
}

template <class M, class R, class Convert>
[[gnu::always_inline]] inline void loadPiece(R* dst, const uint8_t* from, unsigned lanes, unsigned count,
                                             bool row, Convert convert) {
  if (!row) {
    M v;
    std::memcpy(&v, from, sizeof v);
    const R r = convert(v);
    for (unsigned l = 0; l < lanes; l += pieceLanes)
      for (unsigned k = 0; k < pieceLanes; ++k) dst[l + k] = r;
  } else if (count == 1) {
    if constexpr (sizeof(M) == sizeof(R)) {
      copyPieces(dst, from, lanes * sizeof(M));
    } else {
      for (unsigned l = 0; l < lanes; l += pieceLanes)
        loadRow<M>(dst + l, from + l * sizeof(M), pieceLanes, 1, convert);
    }
  } else {
    loadRow<M>(dst, from, lanes, count, convert);
  }
}

// One of the elements a lane moves.
void loadElements(Scalar type, uint8_t* dst, const uint8_t* from, unsigned lanes, unsigned count, bool row) {
  auto* u32 = reinterpret_cast<uint32_t*>(dst);
  auto* i32 = reinterpret_cast<int32_t*>(dst);
  auto* f32 = reinterpret_cast<float*>(dst);
  switch (type) {
    case Scalar::I32:
    case Scalar::U32:
    case Scalar::F32: loadPiece<uint32_t>(u32, from, lanes, count, row, [](uint32_t v) { return v; }); break;
    case Scalar::I64:
    case Scalar::U64:
    case Scalar::F64:
      loadPiece<uint64_t>(reinterpret_cast<uint64_t*>(dst), from, lanes, count, row,
                          [](uint64_t v) { return v; });
      break;
    case Scalar::U8:
      loadPiece<uint8_t>(u32, from, lanes, count, row, [](uint8_t v) { return uint32_t(v); });
      break;
    case Scalar::Bool:
      loadPiece<uint8_t>(u32, from, lanes, count, row, [](uint8_t v) { return uint32_t(v != 0); });
      break;
    case Scalar::I8:
      loadPiece<int8_t>(i32, from, lanes, count, row, [](int8_t v) { return int32_t(v); });
      break;
    case Scalar::U16:
      loadPiece<uint16_t>(u32, from, lanes, count, row, [](uint16_t v) { return uint32_t(v); });
      break;
    case Scalar::I16:
      loadPiece<int16_t>(i32, from, lanes, count, row, [](int16_t v) { return int32_t(v); });
      break;
    case Scalar::F16: loadPiece<uint16_t>(f32, from, lanes, count, row, halfFromMemory); break;
    case Scalar::BF16: loadPiece<uint16_t>(f32, from, lanes, count, row, fromBFloat); break;
  }
}

template <class M, class R, class Convert>
[[gnu::always_inline]] inline void storeRow(uint8_t* to, const R* src, unsigned lanes, unsigned count,
                                            Convert convert) {
  for (unsigned l = 0; l < lanes; ++l) {
    const M v = convert(src[l]);
    std::memcpy(to + size_t(l) * count * sizeof(M), &v, sizeof v);
  }
}

void storeElements(Scalar type, const uint8_t* src, uint8_t* to, unsigned lanes, unsigned count) {
  const auto* u32 = reinterpret_cast<const uint32_t*>(src);
  const auto* f32 = reinterpret_cast<const float*>(src);
  switch (type) {
    case Scalar::I32:
    case Scalar::U32:
    case Scalar::F32:
      if (count == 1)
        copyPieces(to, src, size_t(lanes) * 4);
      else
        storeRow<uint32_t>(to, u32, lanes, count, [](uint32_t v) { return v; });
      break;
    case Scalar::I64:
    case Scalar::U64:
    case Scalar::F64:
      if (count == 1)
        copyPieces(to, src, size_t(lanes) * 8);
      else
        storeRow<uint64_t>(to, reinterpret_cast<const uint64_t*>(src), lanes, count,
                           [](uint64_t v) { return v; });
      break;
    case Scalar::I8:
    case Scalar::U8: storeRow<uint8_t>(to, u32, lanes, count, [](uint32_t v) { return uint8_t(v); }); break;
    case Scalar::Bool:
      storeRow<uint8_t>(to, u32, lanes, count, [](uint32_t v) { return uint8_t(v != 0); });
      break;
    case Scalar::I16:
    case Scalar::U16:
      storeRow<uint16_t>(to, u32, lanes, count, [](uint32_t v) { return uint16_t(v); });
      break;
    case Scalar::F16: storeRow<uint16_t>(to, f32, lanes, count, halfToMemory); break;
    case Scalar::BF16: storeRow<uint16_t>(to, f32, lanes, count, toBFloat); break;
  }
}

}  // namespace

// Fills in how the lanes lie to each other and where the pieces begin.
bool Executor::findShape(Warp& w, const Instr& i, RegularAccess& r) {
  const uint64_t offset = uint64_t(int64_t(i.imm));
  const bool sameBase = i.a == noReg || (i.a & uniformBank);
  if (sameBase && i.index != IndexKind::I64) {
    const uint64_t base = offset + (i.a == noReg ? 0 : reg<uint64_t>(w, i.a)[0]);
    if (i.index == IndexKind::None || (i.b & uniformBank)) {
      uint64_t at = base;
      if (i.index == IndexKind::I32) at += uint64_t(int64_t(reg<int32_t>(w, i.b)[0])) * i.c;
      if (i.index == IndexKind::U32) at += uint64_t(reg<uint32_t>(w, i.b)[0]) * i.c;
      r.row = false;
      r.lanes = 32;
      r.at[0] = at;
      return true;
    }
    const uint32_t* x = reg<uint32_t>(w, i.b);
    const uint32_t step = x[1] - x[0];
    if (step > 1 || (step == 1 && i.c != r.bytes)) return false;
    if (x[pieceLanes - 1] != x[0] + (pieceLanes - 1) * step || !isPiecewise<uint32_t>(x, step)) return false;
    r.row = step == 1;
    for (unsigned p = 0; p < pieces; ++p) {
      const uint32_t first = x[p * pieceLanes];
      // A row must not run over the end of the index's type.
      if (i.index == IndexKind::I32) {
        if (int32_t(first) > INT32_MAX - int(pieceLanes)) return false;
        r.at[p] = base + uint64_t(int64_t(int32_t(first)) * int64_t(i.c));
      } else {
        if (first > UINT32_MAX - pieceLanes) return false;
        r.at[p] = base + uint64_t(first) * i.c;
      }
    }
    r.join();
    return true;
  }
  uint64_t address[warpLanes];
  const uint64_t* a = address;
  uint64_t extra = 0;
  if (i.index == IndexKind::None) {
    a = reg<uint64_t>(w, i.a);
    extra = offset;
    if (const uint64_t step = a[1] - a[0]; step != 0 && step != r.bytes) return false;
  } else {
    addresses(w, i, address);
  }
  const uint64_t step = a[1] - a[0];
  if (step != 0 && step != r.bytes) return false;
  if (a[pieceLanes - 1] != a[0] + (pieceLanes - 1) * step || !isPiecewise<uint64_t>(a, step)) return false;
  r.row = step != 0;
  for (unsigned p = 0; p < pieces; ++p) r.at[p] = a[p * pieceLanes] + extra;
  r.join();
  return true;
}

bool Executor::moveRegular(BlockRun& b, Warp& w, const Instr& i, uint32_t pc, AccessKind kind) {
  const unsigned each = memoryBytes(i.type), bytes = each * i.count;
  if (launch.profiler || i.hint == CacheHint::Volatile || !std::has_single_bit(bytes)) return false;
  RegularAccess r;
  r.bytes = uint8_t(bytes);
  if (!findShape(w, i, r)) return false;
  const unsigned count = warpLanes / r.lanes, length = r.row ? r.lanes * bytes : bytes;

  // On the chip by its offset, or by a pointer into the window.
  MemorySpace space = i.space;
  if (i.a != noReg && space != MemorySpace::Global && space != MemorySpace::Constant) {
    space = spaceOf(r.at[0]);
    for (unsigned p = 0; p < count; ++p)
      if (spaceOf(r.at[p]) != space || spaceOf(r.at[p] + length - 1) != space) return false;
    const uint64_t window = space == MemorySpace::Shared  ? sharedWindow
                            : space == MemorySpace::Local ? localWindow
                                                          : 0;
    for (unsigned p = 0; p < count; ++p) r.at[p] -= window;
  }
  if (space == MemorySpace::Local)
    return !r.row && r.lanes == warpLanes && moveLocal(w, i, kind, r.at[0], allLanes);
  if (!r.row && kind == AccessKind::Store) return false;

  const int root = i.imm2 - 1;
  uint64_t low = 0, size;
  uint8_t* data;
  Buffer* buffer = nullptr;
  if (space == MemorySpace::Shared) {
    const SharedVariable* var =
        root >= 0 && size_t(root) < launch.shared.size() ? &launch.shared[size_t(root)] : nullptr;
    low = var ? var->offset : 0;
    size = var ? var->size : launch.sharedBytes;
    data = b.shared.data() + low;
  } else {
    buffer = root >= 0 && size_t(root) < launch.parameterBuffers.size()
                 ? launch.parameterBuffers[size_t(root)]
                 : nullptr;
    if (!buffer) buffer = lastBuffer;
    if (!buffer) return false;
    if (kind == AccessKind::Store && (buffer->readOnly || !buffer->mayChange.load(std::memory_order_relaxed)))
      return false;
    low = buffer->base;
    size = buffer->size;
    data = buffer->data;
  }
  for (unsigned p = 0; p < count; ++p) {
    const uint64_t at = r.at[p] - low;
    if (at > size || size - at < length || (r.at[p] & (bytes - 1))) return false;
  }
  if (launch.shadow) {
    r.pc = pc;
    r.kind = kind;
    r.place = {b.linear, w.index};
    r.buffer = buffer;
    if (space == MemorySpace::Shared) {
      if (!launch.shadow->sharedRegular(*b.shadow, r)) return false;
    } else if (space != MemorySpace::Constant) {
      if (!launch.shadow->globalRegular(*b.shadow, r)) return false;
    }
  }
  if (buffer && buffer->elastic)
    for (unsigned p = 0; p < count; ++p) {
      buffer->noteReach(r.at[p], r.at[p] + length);
      buffer->makePresent(r.at[p], r.at[p] + length);
    }
  if (buffer && kind == AccessKind::Store && !buffer->written.load(std::memory_order_relaxed))
    buffer->written.store(true, std::memory_order_relaxed);
  const unsigned units = registerUnits(i.type), width = units * 4;
  for (unsigned p = 0; p < count; ++p) {
    uint8_t* at = data + (r.at[p] - low);
    for (unsigned k = 0; k < i.count; ++k) {
      uint8_t* value = reg<uint8_t>(w, Reg(i.dst + k * units)) + size_t(p) * r.lanes * width;
      if (kind == AccessKind::Load)
        loadElements(i.type, value, at + k * each, r.lanes, i.count, r.row);
      else
        storeElements(i.type, value, at + k * each, r.lanes, i.count);
    }
  }
  return true;
}

}  // namespace hone::sim
