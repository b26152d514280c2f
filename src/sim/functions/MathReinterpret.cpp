// as_ of any type by any other of its size, and OpenCL's shuffles of vectors.
#include <cstring>

#include "sim/functions/MathLane.h"

namespace hone::sim::math {
namespace {

constexpr unsigned bytesOf(Scalar s) {
  switch (s) {
    case Scalar::Bool:
    case Scalar::I8:
    case Scalar::U8: return 1;
    case Scalar::I16:
    case Scalar::U16:
    case Scalar::F16:
    case Scalar::BF16: return 2;
    case Scalar::I64:
    case Scalar::U64:
    case Scalar::F64: return 8;
    default: return 4;
  }
}

// One lane's element as it lies in memory, and back.
void toMemory(Scalar type, const void* reg, unsigned lane, uint8_t* bytes) {
  if (isWide(type)) {
    std::memcpy(bytes, static_cast<const uint64_t*>(reg) + lane, 8);
    return;
  }
  uint32_t word = static_cast<const uint32_t*>(reg)[lane];
  if (type == Scalar::F16)
    word = halfBits(std::bit_cast<float>(word));
  else if (type == Scalar::BF16)
    word = bfloatBits(std::bit_cast<float>(word));
  std::memcpy(bytes, &word, bytesOf(type));
}
void fromMemory(Scalar type, void* reg, unsigned lane, const uint8_t* bytes) {
  if (isWide(type)) {
    std::memcpy(static_cast<uint64_t*>(reg) + lane, bytes, 8);
    return;
  }
  uint32_t word = 0;
  std::memcpy(&word, bytes, bytesOf(type));
  if (type == Scalar::I8)
    word = static_cast<uint32_t>(static_cast<int8_t>(word));
  else if (type == Scalar::I16)
    word = static_cast<uint32_t>(static_cast<int16_t>(word));
  else if (type == Scalar::F16)
    word = std::bit_cast<uint32_t>(halfFromBits(static_cast<uint16_t>(word)));
  else if (type == Scalar::BF16)
    word = std::bit_cast<uint32_t>(bfloatFromBits(static_cast<uint16_t>(word)));
  static_cast<uint32_t*>(reg)[lane] = word;
}

void reinterpretLanes(void* const* results, const void* const* args, Scalar from, unsigned fromCount,
                      Scalar to, unsigned toCount) {
  uint8_t bytes[128] = {};
  for (unsigned l = 0; l < warpLanes; ++l) {
    for (unsigned i = 0; i < fromCount; ++i) toMemory(from, args[i], l, bytes + i * bytesOf(from));
    for (unsigned i = 0; i < toCount; ++i) fromMemory(to, results[i], l, bytes + i * bytesOf(to));
  }
}

template <Scalar from, unsigned fromCount, Scalar to, unsigned toCount>
void reinterpret(void* const* results, const void* const* args) {
  if constexpr (fromCount == toCount && bytesOf(from) == bytesOf(to) && bytesOf(from) >= 4) {
    for (unsigned i = 0; i < fromCount; ++i)
      std::memcpy(results[i], args[i], std::size_t{bytesOf(from)} * warpLanes);
  } else {
    reinterpretLanes(results, args, from, fromCount, to, toCount);
  }
}

// Scalars that share a layout in registers and in memory are one.
constexpr Scalar layoutOf(Scalar s) {
  if (s == Scalar::U32 || s == Scalar::F32) return Scalar::I32;
  if (s == Scalar::U64 || s == Scalar::F64) return Scalar::I64;
  return s == Scalar::Bool ? Scalar::U8 : s;
}
template <class Body> PureFunction withLayout(Scalar scalar, Body body) {
  switch (layoutOf(scalar)) {
    case Scalar::I8: return body(std::integral_constant<Scalar, Scalar::I8>{});
    case Scalar::U8: return body(std::integral_constant<Scalar, Scalar::U8>{});
    case Scalar::I16: return body(std::integral_constant<Scalar, Scalar::I16>{});
    case Scalar::U16: return body(std::integral_constant<Scalar, Scalar::U16>{});
    case Scalar::F16: return body(std::integral_constant<Scalar, Scalar::F16>{});
    case Scalar::BF16: return body(std::integral_constant<Scalar, Scalar::BF16>{});
    case Scalar::I32: return body(std::integral_constant<Scalar, Scalar::I32>{});
    case Scalar::I64: return body(std::integral_constant<Scalar, Scalar::I64>{});
    default: return nullptr;
  }
}
template <class Body> PureFunction withCount(size_t count, Body body) {
  switch (count) {
    case 1: return body(std::integral_constant<unsigned, 1>{});
    case 2: return body(std::integral_constant<unsigned, 2>{});
    case 3: return body(std::integral_constant<unsigned, 3>{});
    case 4: return body(std::integral_constant<unsigned, 4>{});
    case 8: return body(std::integral_constant<unsigned, 8>{});
    case 16: return body(std::integral_constant<unsigned, 16>{});
    default: return nullptr;
  }
}
// Of three lanes OpenCL stores four.
constexpr unsigned stored(unsigned count) { return count == 3 ? 4 : count; }

template <class W, class M, unsigned m, unsigned n, unsigned sources>
void shuffleLanes(void* const* results, const void* const* args) {
  for (unsigned l = 0; l < warpLanes; ++l) {
    for (unsigned i = 0; i < n; ++i) {
      const auto pick =
          static_cast<unsigned>(static_cast<const M*>(args[m * sources + i])[l]) % (m * sources);
      static_cast<W*>(results[i])[l] = static_cast<const W*>(args[pick])[l];
    }
  }
}

template <class W, class M, unsigned sources> PureFunction shuffleOf(size_t m, size_t n) {
  return withCount(m, [&](auto from) {
    return withCount(n, [&](auto to) -> PureFunction {
      if constexpr (decltype(from)::value == 1 || decltype(from)::value == 3 || decltype(to)::value == 1 ||
                    decltype(to)::value == 3)
        return nullptr;
      else
        return &shuffleLanes<W, M, decltype(from)::value, decltype(to)::value, sources>;
    });
  });
}

}  // namespace

PureFunction findReinterpretation(std::span<const Scalar> args, std::span<const Scalar> results) {
  if (args.empty() || results.empty()) return nullptr;
  return withLayout(args[0], [&](auto from) {
    return withLayout(results[0], [&](auto to) {
      return withCount(args.size(), [&](auto fromCount) {
        return withCount(results.size(), [&](auto toCount) -> PureFunction {
          constexpr Scalar f = decltype(from)::value, t = decltype(to)::value;
          constexpr unsigned fc = decltype(fromCount)::value, tc = decltype(toCount)::value;
          if constexpr (bytesOf(f) * stored(fc) != bytesOf(t) * stored(tc))
            return nullptr;
          else
            return &reinterpret<f, fc, t, tc>;
        });
      });
    });
  });
}

PureFunction findShuffle(std::string_view id, std::span<const Scalar> args, std::span<const Scalar> results) {
  const unsigned sources = id == "shuffle" ? 1 : id == "shuffle2" ? 2 : 0;
  if (sources == 0 || args.size() <= results.size() || (args.size() - results.size()) % sources != 0)
    return nullptr;
  const size_t m = (args.size() - results.size()) / sources, n = results.size();
  const bool wide = isWide(results[0]), wideMask = isWide(args.back());
  if (wide != wideMask) return nullptr;
  if (sources == 1)
    return wide ? shuffleOf<uint64_t, uint64_t, 1>(m, n) : shuffleOf<uint32_t, uint32_t, 1>(m, n);
  return wide ? shuffleOf<uint64_t, uint64_t, 2>(m, n) : shuffleOf<uint32_t, uint32_t, 2>(m, n);
}

}  // namespace hone::sim::math
