// How the lanes of a memory instruction lie to each other.
#pragma once

#include <cstdint>

namespace hone::sim {

enum class AccessPattern : uint8_t { Row, OneWord, Other };  // neighbouring words; all at one word

template <unsigned count> inline uint64_t strayFrom(const uint64_t* a, uint64_t stride) {
  uint64_t d = 0;
  for (unsigned i = 0; i < count; ++i) d |= a[i] ^ (a[0] + i * stride);
  return d;
}

// Of the addresses of `count` lanes (4 to 32, a power of two) that move one word each.
inline AccessPattern patternOf(const uint64_t* a, unsigned count) {
  uint64_t stride = a[1] - a[0];
  // Most that are irregular are so early.
  if ((stride != 4 && stride != 0) || (a[0] & 3) || a[3] != a[0] + 3 * stride ||
      a[count - 1] != a[0] + (count - 1) * stride)
    return AccessPattern::Other;
  uint64_t d = count == 32   ? strayFrom<32>(a, stride)
               : count == 16 ? strayFrom<16>(a, stride)
               : count == 8  ? strayFrom<8>(a, stride)
                             : strayFrom<4>(a, stride);
  if (d) return AccessPattern::Other;
  return stride ? AccessPattern::Row : AccessPattern::OneWord;
}

}  // namespace hone::sim
