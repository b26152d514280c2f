#include "device/FillArray.h"

namespace hone::device {

using namespace ir;
using worker::Scalar;

Scalar scalarOf(const Type& type) {
  if (type.is(TypeKind::Bool)) return Scalar::Bool;
  if (type.is(TypeKind::BFloat)) return Scalar::BF16;
  if (type.is(TypeKind::Float))
    return type.bits == 16 ? Scalar::F16 : type.bits == 32 ? Scalar::F32 : Scalar::F64;
  if (!type.is(TypeKind::Int)) return Scalar::Address;
  switch (type.bits) {
    case 8: return type.isSigned ? Scalar::I8 : Scalar::U8;
    case 16: return type.isSigned ? Scalar::I16 : Scalar::U16;
    case 32: return type.isSigned ? Scalar::I32 : Scalar::U32;
    default: return type.isSigned ? Scalar::I64 : Scalar::U64;
  }
}

std::vector<worker::Leaf> scalarLeaves(const std::vector<TypeLeaf>& leaves) {
  std::vector<worker::Leaf> out;
  for (const TypeLeaf& leaf : leaves)
    out.push_back({scalarOf(*leaf.type), static_cast<uint32_t>(leaf.offset)});
  return out;
}

uint64_t hashOf(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

void storeNumber(uint8_t* at, const Type& type, double real, int64_t whole) {
  worker::store(at, scalarOf(type), real, whole);
}

double loadNumber(const uint8_t* at, const Type& type) { return worker::load(at, scalarOf(type)); }

void fillElements(uint8_t* data, uint64_t first, uint64_t count, const std::vector<TypeLeaf>& leaves,
                  uint64_t elementBytes, const Fill& fill) {
  worker::fillElements(data, first, count, scalarLeaves(leaves), elementBytes, fill);
}

}  // namespace hone::device
