#include "worker/FillElements.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace hone::worker {

namespace {

uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// The largest whole number that the type holds exactly.
int64_t mostOf(Scalar type) {
  switch (type) {
    case Scalar::Bool: return 1;
    case Scalar::BF16: return 256;
    case Scalar::F16: return 2048;
    case Scalar::F32:
    case Scalar::F64: return int64_t(1) << 24;
    default: break;
  }
  const unsigned bits = 8 * sizeOf(type) - (isSigned(type) ? 1 : 0);
  return (int64_t(1) << std::min(bits, 62u)) - 1;
}

// A permutation of 0 … range - 1 without a table: a factor without a common divisor, and a shift.
int64_t permuted(int64_t i, int64_t range, uint64_t seed) {
  if (range <= 1) return 0;
  int64_t factor = static_cast<int64_t>(mix(seed) % static_cast<uint64_t>(range));
  while (std::gcd(factor, range) != 1) factor = (factor + 1) % range;
  const int64_t shift = static_cast<int64_t>(mix(seed + 1) % static_cast<uint64_t>(range));
  return static_cast<int64_t>((static_cast<__int128>(i % range) * factor + shift) % range);
}

// Whole numbers that hang on a hash alone: of FillKind::Range and FillKind::Values.
class WholeValues {
 public:
  WholeValues(Scalar scalar, const Fill& howFilled)
      : fill(howFilled),
        isRange(fill.kind == FillKind::Range),
        isPositive(fill.positive || fill.fraction),
        isBool(scalar == Scalar::Bool),
        hasBits(fill.bits && !isFloating(scalar)),
        most(mostOf(scalar)),
        range(static_cast<uint64_t>(std::min(fill.range > 0 ? fill.range : 64, most + 1))),
        below(isSigned(scalar) && !isPositive ? 4 : 0) {}

  int64_t operator()(uint64_t hash) const {
    if (isRange) {
      const int64_t value = static_cast<int64_t>(hash % range);
      return fill.nonZero && value == 0 ? 1 : value;
    }
    int64_t value = static_cast<int64_t>(hash % 17) - below;
    if (hasBits && hash >> 63) value = static_cast<int64_t>(mix(hash)) & (isPositive ? most : -1);
    if (isBool) value = static_cast<int64_t>(hash & 1);
    return (fill.nonZero || isPositive) && value == 0 ? 1 : value;
  }

 private:
  const Fill& fill;
  bool isRange, isPositive, isBool, hasBits;
  int64_t most;
  uint64_t range;
  int64_t below;
};

int64_t wholeFor(uint64_t i, uint64_t hash, Scalar type, const Fill& fill) {
  if (fill.kind == FillKind::Permutation) {
    const int64_t range = fill.range > 0 ? fill.range : 1;
    const int64_t at = static_cast<int64_t>(i);
    return at < range ? permuted(at, range, fill.seed) : at;
  }
  if (fill.kind == FillKind::Offsets)
    return std::min(static_cast<int64_t>(i * 4 + hash % 4) + fill.range, mostOf(type));
  return WholeValues(type, fill)(hash);
}

double realFor(uint64_t hash, const Fill& fill) {
  const double unit = static_cast<double>(hash >> 11) * 0x1p-53;
  if (fill.fraction) return 0.0625 + 0.875 * unit;
  if (fill.positive) return 0.25 + 2 * unit;
  if (!fill.nonZero && (hash & 15) == 0) return 0;
  return 4 * unit - 1.75;
}

void fillLeaf(uint8_t* at, uint64_t element, size_t leaf, std::span<const Leaf> leaves, const Fill& fill) {
  const Scalar type = leaves[leaf].type;
  if (type == Scalar::Address) return;
  const uint64_t hash = mix(fill.seed ^ mix(element * leaves.size() + leaf));
  const bool isReal = fill.kind == FillKind::Values && !fill.whole && isFloating(type);
  const int64_t whole = isReal ? 0 : wholeFor(element, hash, type, fill);
  const double real = isReal ? realFor(hash, fill) : static_cast<double>(whole);
  store(at, type, real, whole);
}

// `value` makes a T of the hash of its number.
template <class T, class Value>
void fillRow(uint8_t* data, uint64_t from, uint64_t to, uint64_t seed, const Value& value) {
  for (uint64_t i = (from + sizeof(T) - 1) / sizeof(T); i * sizeof(T) < to; ++i) {
    const T one = static_cast<T>(value(mix(seed ^ mix(i))));
    std::memcpy(data + (i * sizeof(T) - from), &one, sizeof(T));
  }
}

uint8_t poison(uint64_t byte, const Fill& fill) { return static_cast<uint8_t>(mix(fill.seed ^ byte) >> 8); }

bool isPoison(std::span<const Leaf> leaves, const Fill& fill) {
  return fill.kind == FillKind::Poison || leaves.empty();
}

}  // namespace

void fillElements(uint8_t* data, uint64_t first, uint64_t count, std::span<const Leaf> leaves,
                  uint64_t elementBytes, const Fill& fill) {
  for (uint64_t i = first; i < first + count; ++i, data += elementBytes) {
    if (isPoison(leaves, fill)) {
      for (uint64_t b = 0; b < elementBytes; ++b) data[b] = poison(i * elementBytes + b, fill);
      continue;
    }
    for (size_t l = 0; l < leaves.size(); ++l) fillLeaf(data + leaves[l].offset, i, l, leaves, fill);
  }
}

void fillBytes(uint8_t* data, uint64_t from, uint64_t to, std::span<const Leaf> leaves, uint64_t elementBytes,
               const Fill& fill) {
  if (isPoison(leaves, fill)) {
    for (uint64_t b = from; b < to; ++b) data[b - from] = poison(b, fill);
    return;
  }
  for (uint64_t i = from / elementBytes; i * elementBytes < to; ++i) {
    const uint64_t begin = i * elementBytes;
    auto leaf = leaves.begin();
    if (begin < from)
      leaf = std::lower_bound(leaves.begin(), leaves.end(), from - begin,
                              [](const Leaf& one, uint64_t offset) { return one.offset < offset; });
    for (; leaf != leaves.end() && begin + leaf->offset < to; ++leaf)
      fillLeaf(data + (begin + leaf->offset - from), i, static_cast<size_t>(leaf - leaves.begin()), leaves,
               fill);
  }
}

bool isRowOfScalars(std::span<const Leaf> leaves, uint64_t elementBytes, const Fill& fill) {
  if (leaves.empty() || (fill.kind != FillKind::Values && fill.kind != FillKind::Range)) return false;
  const Scalar type = leaves.front().type;
  const uint64_t bytes = sizeOf(type);
  if (type == Scalar::Address || leaves.size() * bytes != elementBytes) return false;
  for (size_t l = 0; l < leaves.size(); ++l)
    if (leaves[l].type != type || leaves[l].offset != l * bytes) return false;
  return true;
}

void fillScalars(uint8_t* data, uint64_t from, uint64_t to, Scalar type, const Fill& fill) {
  const bool isReal = fill.kind == FillKind::Values && !fill.whole;
  const auto real = [&](uint64_t hash) { return realFor(hash, fill); };
  if (isReal && type == Scalar::F32) return fillRow<float>(data, from, to, fill.seed, real);
  if (isReal && type == Scalar::F64) return fillRow<double>(data, from, to, fill.seed, real);
  const WholeValues whole(type, fill);
  if (type == Scalar::I32 || type == Scalar::U32) return fillRow<int32_t>(data, from, to, fill.seed, whole);
  if (type == Scalar::F32) return fillRow<float>(data, from, to, fill.seed, whole);
  const Leaf leaf{.type = type, .offset = 0};
  fillBytes(data, from, to, {&leaf, 1}, sizeOf(type), fill);
}

}  // namespace hone::worker
