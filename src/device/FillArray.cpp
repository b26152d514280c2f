#include "device/FillArray.h"

#include <bit>
#include <cstring>
#include <numeric>

namespace hone::device {

using namespace ir;

namespace {

uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

template <class T> void put(uint8_t* at, T value) { std::memcpy(at, &value, sizeof value); }
template <class T> T get(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

uint16_t toBFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// The largest whole number that the type holds exactly.
int64_t mostOf(const Type& type) {
  if (type.is(TypeKind::Bool)) return 1;
  if (type.is(TypeKind::BFloat)) return 256;
  if (type.is(TypeKind::Float)) return type.bits == 16 ? 2048 : int64_t(1) << 24;
  unsigned bits = type.bits - (type.isSigned ? 1 : 0);
  return bits >= 62 ? int64_t(1) << 62 : (int64_t(1) << bits) - 1;
}

// A permutation of 0 … range - 1 without a table: a factor without a common divisor, and a shift.
int64_t permuted(int64_t i, int64_t range, uint64_t seed) {
  if (range <= 1) return 0;
  int64_t factor = static_cast<int64_t>(mix(seed) % static_cast<uint64_t>(range));
  while (std::gcd(factor, range) != 1) factor = (factor + 1) % range;
  int64_t shift = static_cast<int64_t>(mix(seed + 1) % static_cast<uint64_t>(range));
  return static_cast<int64_t>((static_cast<__int128>(i % range) * factor + shift) % range);
}

int64_t wholeFor(uint64_t i, uint64_t hash, const Type& type, const Fill& fill) {
  int64_t most = mostOf(type);
  switch (fill.kind) {
    case FillKind::Range: {
      int64_t range = std::min(fill.range > 0 ? fill.range : 64, most == INT64_MAX ? most : most + 1);
      int64_t value = static_cast<int64_t>(hash % static_cast<uint64_t>(range));
      return fill.nonZero && value == 0 ? 1 : value;
    }
    case FillKind::Permutation: {
      int64_t range = fill.range > 0 ? fill.range : 1;
      int64_t at = static_cast<int64_t>(i);
      return at < range ? permuted(at, range, fill.seed) : at;
    }
    case FillKind::Offsets: return static_cast<int64_t>(i * 4 + hash % 4) & most;
    default: {
      bool isSigned = type.isFloating() || type.isSigned;
      int64_t value = static_cast<int64_t>(hash % 17) - (isSigned && !fill.positive ? 4 : 0);
      if (type.is(TypeKind::Bool)) value = static_cast<int64_t>(hash & 1);
      return (fill.nonZero || fill.positive) && value == 0 ? 1 : value;
    }
  }
}

double realFor(uint64_t hash, const Fill& fill) {
  double unit = static_cast<double>(hash >> 11) * 0x1p-53;
  if (fill.positive) return 0.25 + 2 * unit;
  if (!fill.nonZero && (hash & 15) == 0) return 0;
  return 4 * unit - 1.75;
}

}  // namespace

uint64_t hashOf(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

void storeNumber(uint8_t* at, const Type& type, double real, int64_t whole) {
  if (type.is(TypeKind::BFloat)) return put(at, toBFloat(static_cast<float>(real)));
  if (type.is(TypeKind::Float)) {
    if (type.bits == 16) return put(at, static_cast<_Float16>(real));
    if (type.bits == 32) return put(at, static_cast<float>(real));
    return put(at, real);
  }
  unsigned bytes = type.is(TypeKind::Bool) ? 1 : type.bits / 8;
  std::memcpy(at, &whole, bytes);
}

double loadNumber(const uint8_t* at, const Type& type) {
  if (type.is(TypeKind::BFloat)) return std::bit_cast<float>(uint32_t(get<uint16_t>(at)) << 16);
  if (type.is(TypeKind::Float)) {
    if (type.bits == 16) return static_cast<double>(get<_Float16>(at));
    return type.bits == 32 ? static_cast<double>(get<float>(at)) : get<double>(at);
  }
  unsigned bits = type.is(TypeKind::Bool) ? 8 : type.bits;
  uint64_t value = 0;
  std::memcpy(&value, at, bits / 8);
  if (!type.isSigned || bits == 64)
    return type.isSigned ? static_cast<double>(static_cast<int64_t>(value)) : static_cast<double>(value);
  return static_cast<double>(static_cast<int64_t>(value << (64 - bits)) >> (64 - bits));
}

void fillElements(uint8_t* data, uint64_t first, uint64_t count, const std::vector<TypeLeaf>& leaves,
                  uint64_t elementBytes, const Fill& fill) {
  for (uint64_t i = first; i < first + count; ++i, data += elementBytes) {
    if (fill.kind == FillKind::Poison || leaves.empty()) {
      for (uint64_t b = 0; b < elementBytes; ++b)
        data[b] = static_cast<uint8_t>(mix(fill.seed ^ (i * elementBytes + b)) >> 8);
      continue;
    }
    for (size_t l = 0; l < leaves.size(); ++l) {
      const Type& type = *leaves[l].type;
      if (!type.isArithmetic()) continue;
      uint64_t hash = mix(fill.seed ^ mix(i * leaves.size() + l));
      const bool isReal = fill.kind == FillKind::Values && !fill.whole && !type.isInteger();
      int64_t whole = isReal ? 0 : wholeFor(i, hash, type, fill);
      double real = isReal ? realFor(hash, fill) : static_cast<double>(whole);
      storeNumber(data + leaves[l].offset, type, real, whole);
    }
  }
}

}  // namespace hone::device
