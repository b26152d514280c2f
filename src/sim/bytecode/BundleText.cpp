#include "sim/bytecode/BundleText.h"

#include <array>
#include <cstring>
#include <string_view>

#include "ir/Error.h"

namespace hone::sim {

namespace {

constexpr std::string_view firstLine =
    "// Byte code of hone's embedded device as text; programs that hone built load it.\n";
constexpr std::string_view mark = "\n// hone bundle of ";
constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr size_t lineDigits = 100;

// Six bits a digit, the first bits of a byte first.
std::string encode(const std::vector<uint8_t>& bytes) {
  std::string out;
  unsigned held = 0, bits = 0;
  size_t written = 0;
  const auto put = [&](unsigned value) {
    if (written++ % lineDigits == 0) out += written == 1 ? "// " : "\n// ";
    out += digits[value & 63];
  };
  for (const uint8_t byte : bytes) {
    held = (held << 8 | byte) & 0xffff;
    for (bits += 8; bits >= 6; bits -= 6) put(held >> (bits - 6));
  }
  if (bits) put(held << (6 - bits));
  return out + "\n";
}

std::array<int, 256> valuesOfDigits() {
  std::array<int, 256> values;
  values.fill(-1);
  for (size_t k = 0; k < digits.size(); ++k) values[uint8_t(digits[k])] = int(k);
  return values;
}

}  // namespace

std::string bundleText(const Bundle& bundle, const std::string& architecture) {
  std::string out(firstLine);
  out += ".version 8.7\n.target " + architecture + "\n.address_size 64\n";
  for (const BundledKernel& k : bundle.kernels) out += ".visible .entry " + k.linkageName + "()\n";
  const std::vector<uint8_t> bytes = writeBundle(bundle);
  return out + std::string(mark.substr(1)) + std::to_string(bytes.size()) + " bytes\n" + encode(bytes);
}

std::vector<uint8_t> bundleInText(const char* text) {
  if (std::strncmp(text, firstLine.data(), firstLine.size()) != 0) return {};
  const char* at = std::strstr(text, mark.data());
  size_t size = 0;
  if (at) size = std::strtoull(at + mark.size(), nullptr, 10);
  at = at ? std::strchr(at + mark.size(), '\n') : nullptr;
  static const std::array<int, 256> values = valuesOfDigits();
  std::vector<uint8_t> out;
  unsigned held = 0, bits = 0;
  while (at && *at && out.size() < size) {
    if (*at == '\n') {  // and what makes a comment of the line
      ++at;
      if (std::strncmp(at, "// ", 3) == 0) at += 3;
      continue;
    }
    const int value = values[uint8_t(*at++)];
    if (value < 0) break;
    held = (held << 6 | unsigned(value)) & 0xffff;
    bits += 6;
    if (bits >= 8) out.push_back(uint8_t(held >> (bits -= 8)));
  }
  if (out.empty() || out.size() != size) throw Error("this text of byte code is cut off or damaged", 1);
  return out;
}

}  // namespace hone::sim
