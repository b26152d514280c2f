// Bits: counts, shifts across words, fields, selection, and the windows of pointers.
#include "sim/functions/MathLane.h"

namespace hone::sim::math {
namespace {

template <class T> using Unsigned = std::make_unsigned_t<T>;

template <class U> U reversed(U x) {
  if constexpr (sizeof(U) == 1)
    return __builtin_bitreverse8(x);
  else if constexpr (sizeof(U) == 2)
    return __builtin_bitreverse16(x);
  else if constexpr (sizeof(U) == 4)
    return __builtin_bitreverse32(x);
  else
    return __builtin_bitreverse64(x);
}

// `width` ones from bit `offset`; a field that reaches beyond the word is cut.
template <class U> U fieldMask(uint32_t offset, uint32_t width) {
  constexpr uint32_t bits = sizeof(U) * 8;
  if (offset >= bits || width == 0) return 0;
  U ones = width >= bits ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << width) - 1);
  return static_cast<U>(ones << offset);
}

template <class T> T extract(T value, uint32_t offset, uint32_t width) {
  using U = Unsigned<T>;
  constexpr uint32_t bits = sizeof(U) * 8;
  if (offset >= bits || width == 0) return 0;
  auto field = static_cast<U>((static_cast<U>(value) & fieldMask<U>(offset, width)) >> offset);
  const bool isNegative = std::is_signed_v<T> && width < bits && (field >> (width - 1) & 1);
  return static_cast<T>(isNegative ? field | static_cast<U>(~fieldMask<U>(0, width)) : field);
}

template <class T> void addCounts(PureTable& table) {
  using U = Unsigned<T>;
  constexpr int32_t bits = sizeof(T) * 8;
  auto ones = [](T x) { return std::popcount(static_cast<U>(x)); };
  auto leading = [](T x) { return std::countl_zero(static_cast<U>(x)); };
  auto trailing = [](T x) { return std::countr_zero(static_cast<U>(x)); };
  auto first = [](T x) { return x == 0 ? 0 : std::countr_zero(static_cast<U>(x)) + 1; };
  table.add<T(T)>("popcount", ones);
  table.add<T(T)>("clz", leading);
  table.add<T(T)>("ctz", trailing);
  if constexpr (bits >= 32) {
    table.add<int32_t(T)>("popcount", ones);
    table.add<int32_t(T)>("clz", leading);
    table.add<int32_t(T)>("ffs", first);
  }
  auto reverse = [](T x) { return static_cast<T>(reversed(static_cast<U>(x))); };
  table.add<T(T)>("brev", reverse);
  table.add<T(T)>("bit_reverse", reverse);
}

template <class T> void addBitFields(PureTable& table) {
  using U = Unsigned<T>;
  using S = std::make_signed_t<T>;
  constexpr unsigned bits = sizeof(T) * 8;
  table.add<T(T, T)>("rotate", [](T x, T n) {
    const unsigned by = static_cast<unsigned>(static_cast<U>(n)) % bits;
    auto word = static_cast<U>(x);
    return static_cast<T>(by == 0 ? word : static_cast<U>(word << by | word >> (bits - by)));
  });
  table.add<T(T, T, uint32_t, uint32_t)>(
      "bitfield_insert", [](T base, T insert, uint32_t offset, uint32_t width) {
        const U mask = fieldMask<U>(offset, width);
        const U placed = offset < bits ? static_cast<U>(static_cast<U>(insert) << offset) : U{0};
        return static_cast<T>((static_cast<U>(base) & static_cast<U>(~mask)) | (placed & mask));
      });
  table.add<S(T, uint32_t, uint32_t)>("bitfield_extract_signed", [](T x, uint32_t offset, uint32_t width) {
    return extract(static_cast<S>(x), offset, width);
  });
  table.add<U(T, uint32_t, uint32_t)>("bitfield_extract_unsigned", [](T x, uint32_t offset, uint32_t width) {
    return extract(static_cast<U>(x), offset, width);
  });
}

template <unsigned width> struct IntegersOf;
template <> struct IntegersOf<8> {
  using S = int8_t;
};
template <> struct IntegersOf<16> {
  using S = int16_t;
};
template <> struct IntegersOf<32> {
  using S = int32_t;
};
template <> struct IntegersOf<64> {
  using S = int64_t;
};

template <class T> uint64_t wordOf(T x) {
  if constexpr (isFloat<T>)
    return bitsOf(x);
  else
    return static_cast<uint64_t>(static_cast<Unsigned<T>>(x));
}

template <class T> void addSelection(PureTable& table) {
  using S = typename IntegersOf<widthOf<T>>::S;
  using U = Unsigned<S>;
  table.add<T(T, T, S)>("select", [](T x, T y, S c) { return c != 0 ? y : x; });
  table.add<T(T, T, U)>("select", [](T x, T y, U c) { return c != 0 ? y : x; });
  table.add<T(T, T, S)>("select_msb", [](T x, T y, S c) { return c < 0 ? y : x; });
  table.add<T(T, T, U)>("select_msb", [](T x, T y, U c) { return static_cast<S>(c) < 0 ? y : x; });
  table.add<T(T, T, T)>("bitselect", [](T x, T y, T c) {
    return fromBits<T>((wordOf(x) & ~wordOf(c)) | (wordOf(y) & wordOf(c)));
  });
}

uint32_t permuted(uint32_t x, uint32_t y, uint32_t selector) {
  const uint64_t bytes = static_cast<uint64_t>(y) << 32 | x;
  uint32_t out = 0;
  for (unsigned b = 0; b < 4; ++b) {
    const unsigned pick = selector >> (4 * b) & 7;
    out |= static_cast<uint32_t>(bytes >> (8 * pick) & 0xff) << (8 * b);
  }
  return out;
}

// The offset-th set bit from `base` on: upwards when positive, downwards when negative, `base` itself when
// zero.
uint32_t findNthSet(uint32_t mask, uint32_t base, int32_t offset) {
  if (offset == 0) return base < 32 && (mask >> base & 1) ? base : ~0u;
  const int step = offset > 0 ? 1 : -1;
  int64_t left = offset > 0 ? offset : -static_cast<int64_t>(offset);
  for (int64_t at = base; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) && --left == 0) return static_cast<uint32_t>(at);
  return ~0u;
}

void addWords(PureTable& table) {
  using U = uint32_t;
  table.add<U(U, U, U)>("byte_perm", [](U x, U y, U s) { return permuted(x, y, s); });
  table.add<U(U, U, U)>("funnelshift_l", [](U low, U high, U n) {
    return static_cast<U>((static_cast<uint64_t>(high) << 32 | low) << (n & 31) >> 32);
  });
  table.add<U(U, U, U)>("funnelshift_lc", [](U low, U high, U n) {
    return static_cast<U>((static_cast<uint64_t>(high) << 32 | low) << (n < 32 ? n : 32) >> 32);
  });
  table.add<U(U, U, U)>("funnelshift_r", [](U low, U high, U n) {
    return static_cast<U>((static_cast<uint64_t>(high) << 32 | low) >> (n & 31));
  });
  table.add<U(U, U, U)>("funnelshift_rc", [](U low, U high, U n) {
    return static_cast<U>((static_cast<uint64_t>(high) << 32 | low) >> (n < 32 ? n : 32));
  });
  table.add<U(U, U, int32_t)>("fns",
                              [](U mask, U base, int32_t offset) { return findNthSet(mask, base, offset); });
  table.add<uint16_t(uint8_t, uint8_t)>("upsample", [](uint8_t h, uint8_t l) { return h << 8 | l; });
  table.add<int16_t(int8_t, uint8_t)>("upsample",
                                      [](int8_t h, uint8_t l) { return static_cast<int16_t>(h * 256 + l); });
  table.add<U(uint16_t, uint16_t)>("upsample",
                                   [](uint16_t h, uint16_t l) { return static_cast<U>(h) << 16 | l; });
  table.add<int32_t(int16_t, uint16_t)>("upsample", [](int16_t h, uint16_t l) { return h * 65536 + l; });
  table.add<uint64_t(U, U)>("upsample", [](U h, U l) { return static_cast<uint64_t>(h) << 32 | l; });
  table.add<int64_t(int32_t, U)>(
      "upsample", [](int32_t h, U l) { return static_cast<int64_t>(h) * (int64_t{1} << 32) + l; });
  table.add<int32_t(double)>("double_hi", [](double x) { return static_cast<int32_t>(bitsOf(x) >> 32); });
  table.add<int32_t(double)>("double_lo", [](double x) { return static_cast<int32_t>(bitsOf(x)); });
  table.add<double(int32_t, int32_t)>("double_from_hilo", [](int32_t h, int32_t l) {
    return std::bit_cast<double>(static_cast<uint64_t>(static_cast<U>(h)) << 32 | static_cast<U>(l));
  });
  table.add<Half(uint16_t)>("nan", [](uint16_t code) { return fromBits<Half>(0x7e00u | (code & 0x1ffu)); });
  table.add<float(U)>("nan", [](U code) { return fromBits<float>(0x7fc00000 | (code & 0x3fffff)); });
  table.add<double(uint64_t)>(
      "nan", [](uint64_t code) { return fromBits<double>(0x7ff8000000000000 | (code & 0x7ffffffffffff)); });
}

// Addresses within a memory, and pointers that say which memory they mean.
void addPointers(PureTable& table) {
  using P = uint64_t;
  for (const char* id : {"cvta_generic_to_global", "cvta_global_to_generic", "cvta_generic_to_constant",
                         "cvta_constant_to_generic"})
    table.add<P(P)>(id, [](P p) { return p; });
  for (const char* id : {"cvta_generic_to_shared", "cvta_generic_to_local"})
    table.add<P(P)>(id, [](P p) { return p & ~windowMask; });
  table.add<P(P)>("cvta_shared_to_generic", [](P p) { return p | sharedWindow; });
  table.add<P(P)>("cvta_local_to_generic", [](P p) { return p | localWindow; });
}

}  // namespace

void addBits(PureTable& table) {
  forIntegers([&](auto tag) {
    using T = typename decltype(tag)::type;
    addCounts<T>(table);
    addBitFields<T>(table);
    addSelection<T>(table);
  });
  forTypes<Half, float, double>([&](auto tag) { addSelection<typename decltype(tag)::type>(table); });
  addWords(table);
  addPointers(table);
}

}  // namespace hone::sim::math
