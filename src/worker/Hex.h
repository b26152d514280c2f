// Bytes as hexadecimal digits, two to a byte, and back. A header alone: what is loaded into programs needs it
// too.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::worker {

inline std::string hexOf(const uint8_t* bytes, size_t count) {
  static const char digits[] = "0123456789abcdef";
  std::string out(count * 2, '0');
  for (size_t i = 0; i < count; ++i) {
    out[2 * i] = digits[bytes[i] >> 4];
    out[2 * i + 1] = digits[bytes[i] & 15];
  }
  return out;
}

// None where there is half a byte, or something else than digits and the letters a to f.
inline std::optional<std::vector<uint8_t>> bytesOfHex(std::string_view text) {
  static const std::array<int8_t, 256> values = [] {
    std::array<int8_t, 256> out{};
    out.fill(-1);
    for (int i = 0; i < 10; ++i) out[static_cast<size_t>('0' + i)] = static_cast<int8_t>(i);
    for (int i = 0; i < 6; ++i) out[static_cast<size_t>('a' + i)] = static_cast<int8_t>(10 + i);
    return out;
  }();
  if (text.size() % 2) return std::nullopt;
  std::vector<uint8_t> out(text.size() / 2);
  for (size_t i = 0; i < out.size(); ++i) {
    const int high = values[static_cast<uint8_t>(text[2 * i])],
              low = values[static_cast<uint8_t>(text[2 * i + 1])];
    if (high < 0 || low < 0) return std::nullopt;
    out[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return out;
}

}  // namespace hone::worker
