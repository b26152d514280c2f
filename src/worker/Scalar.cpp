#include "worker/Scalar.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace hone::worker {

namespace {

constexpr std::array<std::string_view, 14> kNames{"address", "bool", "i8",  "u8",  "i16",  "u16", "i32",
                                                  "u32",     "i64",  "u64", "f16", "bf16", "f32", "f64"};

template <class T> void put(uint8_t* at, T value) { std::memcpy(at, &value, sizeof value); }
template <class T> T get(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

uint16_t toBFloat(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// IEEE half precision in arithmetic that every C++20 compiler has; to the nearest, ties to even.
uint16_t toHalf(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  if (size < 0x1p-14) return sign | static_cast<uint16_t>(std::nearbyint(size * 0x1p24));
  const int exponent = std::ilogb(size);
  // A mantissa that rounds up to 2048 carries into the exponent by itself.
  const auto mantissa = static_cast<unsigned>(std::nearbyint(std::ldexp(size, 10 - exponent)));
  return sign | static_cast<uint16_t>((static_cast<unsigned>(exponent + 15) << 10) + (mantissa - 1024));
}

double fromHalf(uint16_t bits) {
  const unsigned exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  double size = std::ldexp(mantissa + 1024.0, static_cast<int>(exponent) - 25);
  if (exponent == 0) size = std::ldexp(mantissa, -24);
  if (exponent == 31)
    size = mantissa ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  return bits & 0x8000 ? -size : size;
}

}  // namespace

unsigned sizeOf(Scalar type) {
  switch (type) {
    case Scalar::Bool:
    case Scalar::I8:
    case Scalar::U8: return 1;
    case Scalar::I16:
    case Scalar::U16:
    case Scalar::F16:
    case Scalar::BF16: return 2;
    case Scalar::I32:
    case Scalar::U32:
    case Scalar::F32: return 4;
    case Scalar::Address:
    case Scalar::I64:
    case Scalar::U64:
    case Scalar::F64: return 8;
  }
  return 0;
}

bool isFloating(Scalar type) { return type >= Scalar::F16; }

bool isSigned(Scalar type) {
  return isFloating(type) || type == Scalar::I8 || type == Scalar::I16 || type == Scalar::I32 ||
         type == Scalar::I64;
}

double unitRoundoff(Scalar type) {
  switch (type) {
    case Scalar::BF16: return 0x1p-8;
    case Scalar::F16: return 0x1p-11;
    case Scalar::F32: return 0x1p-24;
    default: return 0x1p-53;
  }
}

std::string_view name(Scalar type) { return kNames[static_cast<size_t>(type)]; }

std::optional<Scalar> scalarNamed(std::string_view text) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == text) return static_cast<Scalar>(i);
  return std::nullopt;
}

void store(uint8_t* at, Scalar type, double real, int64_t whole) {
  switch (type) {
    case Scalar::F16: return put(at, toHalf(real));
    case Scalar::BF16: return put(at, toBFloat(static_cast<float>(real)));
    case Scalar::F32: return put(at, static_cast<float>(real));
    case Scalar::F64: return put(at, real);
    default: std::memcpy(at, &whole, sizeOf(type));
  }
}

double load(const uint8_t* at, Scalar type) {
  switch (type) {
    case Scalar::Bool:
    case Scalar::U8: return get<uint8_t>(at);
    case Scalar::I8: return get<int8_t>(at);
    case Scalar::I16: return get<int16_t>(at);
    case Scalar::U16: return get<uint16_t>(at);
    case Scalar::I32: return get<int32_t>(at);
    case Scalar::U32: return get<uint32_t>(at);
    case Scalar::I64: return static_cast<double>(get<int64_t>(at));
    case Scalar::Address:
    case Scalar::U64: return static_cast<double>(get<uint64_t>(at));
    case Scalar::F16: return fromHalf(get<uint16_t>(at));
    case Scalar::BF16: return static_cast<double>(std::bit_cast<float>(uint32_t(get<uint16_t>(at)) << 16));
    case Scalar::F32: return static_cast<double>(get<float>(at));
    case Scalar::F64: return get<double>(at);
  }
  return 0;
}

}  // namespace hone::worker
