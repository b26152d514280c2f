// A count that lies between two numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace hone::analysis {

struct Span {
  unsigned min = 0, max = 0;
  bool isOne() const { return min == max; }
  friend bool operator==(const Span&, const Span&) = default;
};

inline std::string str(const Span& span) {
  return span.isOne() ? std::to_string(span.min) : std::to_string(span.min) + ".." + std::to_string(span.max);
}

// Counts are at least 1, so that 0 stands for "none seen yet".
inline void include(Span& span, uint64_t value) {
  const unsigned v = static_cast<unsigned>(value);
  span = span.max ? Span{std::min(span.min, v), std::max(span.max, v)} : Span{v, v};
}
inline void include(Span& span, const Span& other) { include(span, other.min), include(span, other.max); }

}  // namespace hone::analysis
