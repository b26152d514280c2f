// Numbers in memory by type, the same on every machine that data of a case is made or compared on.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hone::worker {

// Address stands for pointers and handles: eight bytes that are neither filled nor numbers.
enum class Scalar : uint8_t { Address, Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64 };

// A number inside an element of an array.
struct Leaf {
  Scalar type = Scalar::Address;
  uint32_t offset = 0;  // bytes
};

unsigned sizeOf(Scalar type);
bool isFloating(Scalar type);
bool isSigned(Scalar type);
double unitRoundoff(Scalar type);  // of a floating type

std::string_view name(Scalar type);  // "f32"
std::optional<Scalar> scalarNamed(std::string_view name);

// `real` for floating types, `whole` for the others.
void store(uint8_t* at, Scalar type, double real, int64_t whole);
double load(const uint8_t* at, Scalar type);

}  // namespace hone::worker
