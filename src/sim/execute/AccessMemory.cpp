// Loads and stores of a warp: where each lane's address leads, whether it may, and the bytes moved.
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "ir/CountOf.h"
#include "sim/execute/Executor.h"
#include "sim/execute/LaneBytes.h"
#include "sim/execute/MemorySpaces.h"

namespace hone::sim {

namespace {

constexpr uint64_t nullReach = 4096;

unsigned alignmentOf(unsigned bytes) { return std::min(16u, std::bit_ceil(bytes)); }

const char* doing(AccessKind kind) {
  return kind == AccessKind::Load ? "reads" : kind == AccessKind::Store ? "writes" : "updates";
}

// The element that a byte lies in.
int64_t elementAt(int64_t byte, int64_t elementBytes) {
  return byte >= 0 ? byte / elementBytes : -((-byte + elementBytes - 1) / elementBytes);
}

// What an access touches, which may be several elements or parts of them.
std::string elementsFrom(int64_t byte, unsigned bytes, int64_t elementBytes, const char* unit = "element") {
  const int64_t first = elementAt(byte, elementBytes),
                last = elementAt(byte + int64_t(bytes) - 1, elementBytes);
  return first == last ? fmt::format("{} {}", unit, first) : fmt::format("{}s {} to {}", unit, first, last);
}

}  // namespace

void Executor::addresses(Warp& w, const Instr& i, uint64_t* out) {
  const uint64_t offset = uint64_t(int64_t(i.imm));
  // `scaled` gives the index in bytes: of 32 bits by a multiplication that vectors have.
  const auto fill = [&](auto scaled) {
    if (i.a == noReg) {
      for (unsigned l = 0; l < warpLanes; ++l) out[l] = offset + scaled(l);
    } else {
      const uint64_t* base = reg<uint64_t>(w, i.a);
      for (unsigned l = 0; l < warpLanes; ++l) out[l] = base[l] + offset + scaled(l);
    }
  };
  switch (i.index) {
    case IndexKind::None: fill([](unsigned) { return uint64_t(0); }); break;
    case IndexKind::I32: {
      const int32_t *x = reg<int32_t>(w, i.b), scale = int32_t(i.c);
      fill([x, scale](unsigned l) { return uint64_t(int64_t(x[l]) * int64_t(scale)); });
      break;
    }
    case IndexKind::U32: {
      const uint32_t *x = reg<uint32_t>(w, i.b), scale = i.c;
      fill([x, scale](unsigned l) { return uint64_t(x[l]) * uint64_t(scale); });
      break;
    }
    case IndexKind::I64: {
      const uint64_t *x = reg<uint64_t>(w, i.b), scale = i.c;
      if (std::has_single_bit(scale)) {
        const int shift = std::countr_zero(scale);
        fill([x, shift](unsigned l) { return x[l] << shift; });
      } else {
        fill([x, scale](unsigned l) { return x[l] * scale; });
      }
      break;
    }
  }
}

void Executor::outOfBounds(FindingKind kind, const BlockRun& b, const Warp& w, uint32_t pc, unsigned lane,
                           AccessKind access, const Findings::Where& where,
                           const std::function<std::string()>& message) {
  const Findings::Side side{
      pc, {b.linear, w.index}, lane, access != AccessKind::Load, access == AccessKind::Atomic};
  if (launch.options.stopAtFirst || ++launch.badAccesses > launch.options.mostBadAccesses) launch.stop = true;
  // A kernel that does this often should not pay for the text each time.
  if (launch.findings.repeat(kind, FindingClass::Error, side, nullptr, std::hash<std::string>()(where.array)))
    return;
  launch.findings.add(kind, FindingClass::Error, side, &where, nullptr, message());
}

bool Executor::maySpoil(Buffer& buffer) {
  launch.strayWrite = true;
  if (launch.stopOnStray)
    launch.stop = true;
  else
    buffer.mayChange = true;
  return !launch.stopOnStray;
}

namespace {

// The least and the greatest address of the lanes, and all bits that are set in any.
struct Extent {
  uint64_t low = ~uint64_t(0), high = 0, bits = 0;
  void add(uint64_t address) {
    low = std::min(low, address);
    high = std::max(high, address);
    bits |= address;
  }
};

Extent extentOf(const uint64_t* address, uint32_t mask) {
  Extent all;
  if (mask == ~uint32_t(0))
    for (unsigned l = 0; l < warpLanes; ++l) all.add(address[l]);
  else
    for (uint32_t left = mask; left; left &= left - 1) all.add(address[std::countr_zero(left)]);
  return all;
}

// Addresses of a warp that are further apart take longer to count.
constexpr uint64_t spanOfNeighbours = 1024;

// What the lanes of a warp touch, mostly neighbours.
void makePresent(Buffer& buffer, const uint64_t* address, uint32_t mask, uint64_t low, uint64_t high,
                 unsigned bytes) {
  constexpr uint64_t near = 4096;
  if (high - low < near) {
    buffer.makePresent(low, high + bytes);
    return;
  }
  for (unsigned l = 0; l < warpLanes; ++l)
    if ((mask >> l) & 1) buffer.makePresent(address[l], address[l] + bytes);
}

}  // namespace

// An array may have more than its share as long as others have less.
void Executor::keepFewPages(Buffer& buffer) {
  if (buffer.presentBytes() <= launch.mostBytesOfArray) return;
  uint64_t all = 0;
  bool isParameter = false;
  for (const Buffer* one : launch.parameterBuffers)
    if (one) all += one->presentBytes(), isParameter |= one == &buffer;
  if (!isParameter || all > launch.mostBytesOfArrays) remade += buffer.keepFew(launch.mostBytesOfArray);
}

void Executor::resolveGlobal(BlockRun& b, Warp& w, uint32_t pc, AccessKind kind, int root, unsigned bytes,
                             unsigned align, Resolved& r) {
  Buffer* const expected = root >= 0 && size_t(root) < launch.parameterBuffers.size()
                               ? launch.parameterBuffers[size_t(root)]
                               : nullptr;
  Buffer* last = expected ? expected : lastBuffer;
  const uint32_t mask = r.mask;
  const auto [low, high, bits] = extentOf(r.address, mask);
  // Mostly all lanes are in one buffer and aligned.
  const auto areAllIn = [&, least = low, most = high, all = bits](const Buffer& buffer) {
    if (buffer.size < bytes ||
        (kind != AccessKind::Load && (buffer.readOnly || !buffer.mayChange.load(std::memory_order_relaxed))))
      return false;
    return !mask ||
           (least >= buffer.base && most - buffer.base <= buffer.size - bytes && !(all & (align - 1)));
  };
  const auto leadInto = [&](Buffer& buffer) {
    const uintptr_t toHost = reinterpret_cast<uintptr_t>(buffer.data) - buffer.base;
    for (unsigned l = 0; l < warpLanes; ++l)
      r.host[l] = reinterpret_cast<uint8_t*>(r.address[l] + toHost);  // of idle lanes anywhere
    for (unsigned l = 0; l < warpLanes; ++l) r.buffer[l] = &buffer;
    lastBuffer = &buffer;
    if (kind != AccessKind::Load && !buffer.written.load(std::memory_order_relaxed))
      buffer.written.store(true, std::memory_order_relaxed);
  };
  if (last && areAllIn(*last)) {
    if (last->elastic && mask) {
      last->noteReach(low, high + bytes);
      // One thread alone knows that nobody else holds on to what is given up.
      if (launch.profiler) keepFewPages(*last);
      makePresent(*last, r.address, mask, low, high, bytes);
      if (high - low >= spanOfNeighbours) scattered += unsigned(std::popcount(mask));
    } else {
      scattered += unsigned(std::popcount(mask));
    }
    leadInto(*last);
    r.one = last;
    return;
  }
  scattered += unsigned(std::popcount(mask));
  // Or in another than the access before.
  if (Buffer* const other = expected || low < nullReach ? nullptr : launch.memory.find(low);
      other && areAllIn(*other)) {
    if (other->elastic) {
      other->noteReach(low, high + bytes);
      makePresent(*other, r.address, mask, low, high, bytes);
    }
    leadInto(*other);
    return;
  }
  for (unsigned l = 0; l < warpLanes; ++l) {
    if (!((mask >> l) & 1)) continue;
    const uint64_t a = r.address[l];
    if (!last || a < last->base || a - last->base > last->size || last->size - (a - last->base) < bytes) {
      Buffer* found = a < nullReach ? nullptr : expected ? expected : launch.memory.find(a);
      if (!found) {
        r.mask &= ~(1u << l);
        const bool isNull = a < nullReach;
        const std::string stray = isNull ? "" : launch.memory.describeStray(a);
        outOfBounds(isNull ? FindingKind::NullPointer : FindingKind::WildPointer, b, w, pc, l, kind,
                    {MemorySpace::Global, "", -1, -1}, [&] {
                      return fmt::format("{} {} bytes at {} {:#x}{}", doing(kind), bytes,
                                         isNull ? "the null pointer, address" : "an address in no buffer,", a,
                                         stray.empty() ? "" : " (" + stray + ")");
                    });
        continue;
      }
      last = found;
      if (a < last->base || a - last->base > last->size || last->size - (a - last->base) < bytes) {
        r.mask &= ~(1u << l);
        const int64_t d = int64_t(a - last->base - last->origin);
        const int64_t element = last->elementBytes;
        const int64_t index = elementAt(d, element);
        const int64_t length = int64_t(last->size - last->origin) / element;
        const char* const unit = last->isUntyped ? "byte" : "element";
        outOfBounds(FindingKind::OutOfBounds, b, w, pc, l, kind,
                    {MemorySpace::Global, last->name, index, length, last->isUntyped}, [&] {
                      return std::string(fmt::format("{} {} of {}, which has {}", doing(kind),
                                                     elementsFrom(d, bytes, element, unit), last->name,
                                                     ir::countOf(uint64_t(length), unit)));
                    });
        continue;
      }
    }
    if (a & (align - 1)) {
      r.mask &= ~(1u << l);
      const int64_t index = int64_t(a - last->base - last->origin) / int64_t(last->elementBytes);
      outOfBounds(
          FindingKind::Misaligned, b, w, pc, l, kind,
          {MemorySpace::Global, last->name, index, int64_t(last->size / last->elementBytes), last->isUntyped},
          [&] {
            return std::string(fmt::format("{} {} bytes at an address that is no multiple of {}", doing(kind),
                                           bytes, align));
          });
      continue;
    }
    if (last->readOnly && kind != AccessKind::Load) {
      r.mask &= ~(1u << l);
      outOfBounds(FindingKind::WriteToConstant, b, w, pc, l, kind,
                  {MemorySpace::Global, last->name, int64_t(a - last->base) / int64_t(last->elementBytes), -1,
                   last->isUntyped},
                  [&] { return std::string("writes constant memory"); });
      continue;
    }
    if (last->elastic) {
      last->noteReach(a, a + bytes);
      last->makePresent(a, a + bytes);
    }
    if (kind != AccessKind::Load && !last->mayChange && !maySpoil(*last)) {
      r.mask &= ~(1u << l);
      continue;
    }
    r.buffer[l] = last;
    if (kind != AccessKind::Load) last->written.store(true, std::memory_order_relaxed);
    r.host[l] = last->data + (a - last->base);
  }
  if (last) lastBuffer = last;
}

void Executor::resolveShared(BlockRun& b, Warp& w, uint32_t pc, AccessKind kind, int root, unsigned bytes,
                             unsigned align, Resolved& r) {
  const SharedVariable* var =
      root >= 0 && size_t(root) < launch.shared.size() ? &launch.shared[size_t(root)] : nullptr;
  const uint64_t low = var ? var->offset : 0, size = var ? var->size : launch.sharedBytes;
  const auto memory = reinterpret_cast<uintptr_t>(b.shared.data());
  uint32_t bad = 0;
  for (unsigned l = 0; l < warpLanes; ++l) {
    const uint64_t at = r.address[l] - low;
    bad |= uint32_t(at > size || size - at < bytes || (r.address[l] & (align - 1))) << l;
    r.host[l] = reinterpret_cast<uint8_t*>(memory + r.address[l]);
  }
  bad &= r.mask;
  if (!bad) return;
  r.mask &= ~bad;
  for (unsigned l = 0; l < warpLanes; ++l) {
    if (!((bad >> l) & 1)) continue;
    const int64_t address = int64_t(r.address[l]);
    const SharedVariable* in = var;
    if (!in)  // the nearest variable at or before the address
      for (const SharedVariable& s : launch.shared)
        if (int64_t(s.offset) <= address && (!in || s.offset >= in->offset)) in = &s;
    const uint32_t element = in ? std::max(1u, in->elementBytes) : 1;
    const int64_t d = address - int64_t(in ? in->offset : 0);
    const int64_t index = elementAt(d, element);
    const std::string name = in ? in->name : "shared memory";
    const int64_t length = in ? int64_t(in->size / element) : int64_t(launch.sharedBytes);
    const uint64_t at = r.address[l] - low;
    const bool outside = at > size || size - at < bytes;
    outOfBounds(outside ? FindingKind::OutOfBounds : FindingKind::Misaligned, b, w, pc, l, kind,
                {MemorySpace::Shared, name, index, length}, [&] {
                  return std::string(outside
                                         ? fmt::format("{} {} of {}, which has {}", doing(kind),
                                                       elementsFrom(d, bytes, element), name,
                                                       ir::countOf(uint64_t(length), "element"))
                                         : fmt::format("{} {} bytes at an address that is no multiple of {}",
                                                       doing(kind), bytes, align));
                });
  }
}

void Executor::resolveLocal(BlockRun& b, Warp& w, uint32_t pc, AccessKind kind, int root, unsigned bytes,
                            unsigned align, Resolved& r) {
  const LocalVariable* var =
      root >= 0 && size_t(root) < program.locals.size() ? &program.locals[size_t(root)] : nullptr;
  const uint64_t size = var ? var->size : program.localBytes;
  const auto low = [&](unsigned l) -> uint64_t {
    return (var ? var->offset : 0) + (var && var->inFrame ? w.stacks->base[l] : 0);
  };
  align = std::min(align, 8u);
  uint32_t bad = 0;
  for (unsigned l = 0; l < warpLanes; ++l) {
    const uint64_t at = r.address[l] - low(l);
    bad |= uint32_t((at > size) | (size - at < bytes) | ((r.address[l] & (align - 1)) != 0)) << l;
  }
  if (!(bad & r.mask)) return;
  for (unsigned l = 0; l < warpLanes; ++l) {
    if (!((r.mask >> l) & 1)) continue;
    const uint64_t at = r.address[l] - low(l);
    const bool outside = at > size || size - at < bytes;
    if (!outside && r.address[l] % align == 0) continue;
    r.mask &= ~(1u << l);
    const uint32_t element = var ? std::max(1u, var->elementBytes) : 1;
    const int64_t d = int64_t(at);
    const int64_t index = elementAt(d, element);
    const std::string name = var ? var->name : "local memory";
    const int64_t length = int64_t(size / element);
    outOfBounds(outside ? FindingKind::OutOfBounds : FindingKind::Misaligned, b, w, pc, l, kind,
                {MemorySpace::Local, name, index, length}, [&] {
                  return std::string(outside
                                         ? fmt::format("{} {} of {}, which has {}", doing(kind),
                                                       elementsFrom(d, bytes, element), name,
                                                       ir::countOf(uint64_t(length), "element"))
                                         : fmt::format("{} {} bytes at an address that is no multiple of {}",
                                                       doing(kind), bytes, align));
                });
  }
}

void Executor::resolve(BlockRun& b, Warp& w, uint32_t pc, AccessKind kind, MemorySpace space, int root,
                       unsigned bytes, unsigned align, uint32_t mask, const uint64_t* address, Resolved& r) {
  r.space = space;
  r.mask = mask;
  std::memcpy(r.address, address, sizeof r.address);
  switch (space) {
    case MemorySpace::Shared: resolveShared(b, w, pc, kind, root, bytes, align, r); break;
    case MemorySpace::Local: resolveLocal(b, w, pc, kind, root, bytes, align, r); break;
    default: resolveGlobal(b, w, pc, kind, root, bytes, align, r);
  }
}

// Checks and counters, before memory changes.
void Executor::observe(BlockRun& b, Warp& w, uint32_t pc, AccessKind kind, CacheHint hint, unsigned bytes,
                       const uint8_t* data, Resolved& r) {
  const bool isWatched = bool(launch.options.onAccess);
  if ((!launch.shadow && !launch.profiler && !isWatched) || !r.mask) return;
  // Nobody writes it in this launch, and all of it has a value.
  const bool isPlainRead = kind == AccessKind::Load && r.one && !r.one->initialized &&
                           !r.one->mayChange.load(std::memory_order_relaxed);
  if (isPlainRead && !launch.profiler && !isWatched) return;
  WarpAccess access;
  access.pc = pc;
  access.kind = kind;
  access.space = r.space;
  access.hint = hint;
  access.bytes = uint8_t(bytes);
  access.mask = r.mask;
  access.address = r.address;
  access.buffer = r.buffer;
  access.data = data;
  access.place = {b.linear, w.index};
  if (isWatched) launch.options.onAccess(access);
  if (launch.profiler) launch.profiler->access(b.sm, access);
  if (!launch.shadow) return;
  switch (r.space) {
    case MemorySpace::Shared: launch.shadow->shared(*b.shadow, access, b.shared.data()); break;
    case MemorySpace::Local: launch.shadow->local(access, w.localSet, program); break;
    default: launch.shadow->global(*b.shadow, access);
  }
}

namespace {

template <class M, class R, class Convert>
void loadLanes(R* dst, const uint8_t* const* host, size_t offset, uint32_t mask, Convert convert) {
  if (mask == ~uint32_t(0)) {
    for (unsigned l = 0; l < warpLanes; ++l) {
      M v;
      std::memcpy(&v, host[l] + offset, sizeof v);
      dst[l] = convert(v);
    }
    return;
  }
  for (unsigned l = 0; l < warpLanes; ++l) {
    if (!((mask >> l) & 1)) continue;
    M v;
    std::memcpy(&v, host[l] + offset, sizeof v);
    dst[l] = convert(v);
  }
}

}  // namespace

void Executor::loadFrom(Warp& w, const Instr& i, const Resolved& r) {
  const unsigned bytes = memoryBytes(i.type), units = registerUnits(i.type);
  for (unsigned k = 0; k < i.count; ++k) {
    const Reg dst = Reg(i.dst + k * units);
    const size_t offset = size_t(k) * bytes;
    if (r.space == MemorySpace::Local && bytes == 4) {
      uint32_t* const to = reg<uint32_t>(w, dst);
      for (uint32_t mask = r.mask; mask; mask &= mask - 1) {
        const unsigned l = unsigned(std::countr_zero(mask));
        std::memcpy(to + l, w.local + localByte(r.address[l] + offset, l), 4);
      }
      continue;
    }
    if (r.space == MemorySpace::Local) {
      for (unsigned l = 0; l < warpLanes; ++l) {
        if (!((r.mask >> l) & 1)) continue;
        uint8_t raw[8];
        for (unsigned j = 0; j < bytes; j += 4)
          std::memcpy(raw + j, w.local + localByte(r.address[l] + offset + j, l), std::min(4u, bytes));
        loadOne(i.type, reinterpret_cast<uint8_t*>(reg<uint32_t>(w, dst) + l),
                reinterpret_cast<uint8_t*>(reg<uint64_t>(w, dst) + l), raw);
      }
      continue;
    }
    switch (i.type) {
      case Scalar::I32:
      case Scalar::U32:
      case Scalar::F32:
        loadLanes<uint32_t>(reg<uint32_t>(w, dst), r.host, offset, r.mask, [](uint32_t v) { return v; });
        break;
      case Scalar::I64:
      case Scalar::U64:
      case Scalar::F64:
        loadLanes<uint64_t>(reg<uint64_t>(w, dst), r.host, offset, r.mask, [](uint64_t v) { return v; });
        break;
      case Scalar::U8:
        loadLanes<uint8_t>(reg<uint32_t>(w, dst), r.host, offset, r.mask,
                           [](uint8_t v) { return uint32_t(v); });
        break;
      case Scalar::Bool:
        loadLanes<uint8_t>(reg<uint32_t>(w, dst), r.host, offset, r.mask,
                           [](uint8_t v) { return uint32_t(v != 0); });
        break;
      case Scalar::I8:
        loadLanes<int8_t>(reg<int32_t>(w, dst), r.host, offset, r.mask, [](int8_t v) { return int32_t(v); });
        break;
      case Scalar::U16:
        loadLanes<uint16_t>(reg<uint32_t>(w, dst), r.host, offset, r.mask,
                            [](uint16_t v) { return uint32_t(v); });
        break;
      case Scalar::I16:
        loadLanes<int16_t>(reg<int32_t>(w, dst), r.host, offset, r.mask,
                           [](int16_t v) { return int32_t(v); });
        break;
      case Scalar::F16:
        loadLanes<uint16_t>(reg<float>(w, dst), r.host, offset, r.mask, halfFromMemory);
        break;
      case Scalar::BF16: loadLanes<uint16_t>(reg<float>(w, dst), r.host, offset, r.mask, fromBFloat); break;
    }
  }
}

void Executor::load(BlockRun& b, Warp& w, const Instr& i, uint32_t pc, uint32_t mask) {
  if (!mask) return;
  if (mask == ~uint32_t(0) ? moveRegular(b, w, i, pc, AccessKind::Load)
                           : moveLocalOfSome(w, i, AccessKind::Load, mask))
    return;
  uint64_t address[warpLanes];
  addresses(w, i, address);
  const unsigned bytes = memoryBytes(i.type) * i.count;
  forEachSpace(i, mask, address, [&](MemorySpace space, uint32_t lanes) {
    Resolved r;
    resolve(b, w, pc, AccessKind::Load, space, i.imm2 - 1, bytes, alignmentOf(bytes), lanes, address, r);
    observe(b, w, pc, AccessKind::Load, i.hint, bytes, nullptr, r);
    loadFrom(w, i, r);
    if (const uint32_t bad = lanes & ~r.mask)  // a lane that may not read gets zeros, the same in every run
      for (unsigned k = 0; k < i.count; ++k)
        for (unsigned l = 0; l < warpLanes; ++l)
          if ((bad >> l) & 1) {
            const Reg dst = Reg(i.dst + k * registerUnits(i.type));
            if (isWide(i.type))
              reg<uint64_t>(w, dst)[l] = 0;
            else
              reg<uint32_t>(w, dst)[l] = 0;
          }
  });
}

void Executor::storeTo(Warp& w, const Instr& i, const Resolved& r, const uint8_t* data) {
  const unsigned bytes = memoryBytes(i.type) * i.count;
  if (r.space != MemorySpace::Local && bytes == 4) {
    for (uint32_t mask = r.mask; mask; mask &= mask - 1) {
      const unsigned l = unsigned(std::countr_zero(mask));
      std::memcpy(r.host[l], data + size_t(l) * 4, 4);
    }
    return;
  }
  for (unsigned l = 0; l < warpLanes; ++l) {
    if (!((r.mask >> l) & 1)) continue;
    const uint8_t* from = data + size_t(l) * bytes;
    if (r.space == MemorySpace::Local) {
      for (unsigned j = 0; j < bytes;) {
        const unsigned n = std::min(bytes - j, 4u - unsigned((r.address[l] + j) % 4));
        std::memcpy(w.local + localByte(r.address[l] + j, l), from + j, n);
        j += n;
      }
    } else {
      std::memcpy(r.host[l], from, bytes);
    }
  }
}

void Executor::store(BlockRun& b, Warp& w, const Instr& i, uint32_t pc, uint32_t mask) {
  if (!mask) return;
  if (mask == ~uint32_t(0) ? moveRegular(b, w, i, pc, AccessKind::Store)
                           : moveLocalOfSome(w, i, AccessKind::Store, mask))
    return;
  uint64_t address[warpLanes];
  addresses(w, i, address);
  const unsigned bytes = memoryBytes(i.type) * i.count;
  alignas(16) uint8_t staged[warpLanes * 16];
  const uint8_t* data = staged;
  if (i.count == 1 && memoryBytes(i.type) >= 4) {
    data = reg<uint8_t>(w, i.dst);
  } else {
    const unsigned each = memoryBytes(i.type), units = registerUnits(i.type), width = isWide(i.type) ? 8 : 4;
    for (unsigned k = 0; k < i.count; ++k) {
      const uint8_t* from = reg<uint8_t>(w, Reg(i.dst + k * units));
      for (unsigned l = 0; l < warpLanes; ++l)
        if ((mask >> l) & 1) toBytes(i.type, from + l * width, staged + size_t(l) * bytes + size_t(k) * each);
    }
  }
  forEachSpace(i, mask, address, [&](MemorySpace space, uint32_t lanes) {
    Resolved r;
    resolve(b, w, pc, AccessKind::Store, space, i.imm2 - 1, bytes, alignmentOf(bytes), lanes, address, r);
    observe(b, w, pc, AccessKind::Store, i.hint, bytes, data, r);
    storeTo(w, i, r, data);
  });
}

}  // namespace hone::sim
