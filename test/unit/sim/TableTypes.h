// Types of the intrinsic table as the device sees them, for tests that walk the table.
#pragma once

#include <vector>

#include "ir/intrinsics/IntrinsicSignatures.h"
#include "sim/bytecode/Program.h"

namespace hone::sim {

using ir::TypePtr;

inline Scalar scalarOf(const ir::Type& type) {
  switch (type.kind) {
    case ir::TypeKind::Bool: return Scalar::Bool;
    case ir::TypeKind::BFloat: return Scalar::BF16;
    case ir::TypeKind::Pointer: return Scalar::U64;
    case ir::TypeKind::Float:
      return type.bits == 16 ? Scalar::F16 : type.bits == 32 ? Scalar::F32 : Scalar::F64;
    default: break;
  }
  switch (type.bits) {
    case 8: return type.isSigned ? Scalar::I8 : Scalar::U8;
    case 16: return type.isSigned ? Scalar::I16 : Scalar::U16;
    case 32: return type.isSigned ? Scalar::I32 : Scalar::U32;
    default: return type.isSigned ? Scalar::I64 : Scalar::U64;
  }
}

inline std::vector<TypePtr> scalars() {
  std::vector<TypePtr> out;
  for (unsigned bits : {8u, 16u, 32u, 64u})
    for (bool isSigned : {false, true}) out.push_back(ir::intType(bits, isSigned));
  for (unsigned bits : {16u, 32u, 64u}) out.push_back(ir::floatType(bits));
  out.push_back(ir::bfloatType());
  return out;
}

// All types that T may be.
inline std::vector<TypePtr> candidates() {
  std::vector<TypePtr> out = scalars();
  for (const TypePtr& scalar : scalars())
    for (unsigned lanes : {2u, 3u, 4u, 8u, 16u}) out.push_back(ir::vectorType(scalar, lanes));
  return out;
}

inline bool isVector(const TypePtr& type) { return type && type->is(ir::TypeKind::Vector); }

inline void addLeaves(const TypePtr& type, bool onlyOne, std::vector<Scalar>& out) {
  if (!type || type->is(ir::TypeKind::Void)) return;
  if (!isVector(type)) {
    out.push_back(scalarOf(*type));
    return;
  }
  for (unsigned i = 0; i < (onlyOne ? 1u : type->lanes); ++i) out.push_back(scalarOf(*type->element));
}

}  // namespace hone::sim
