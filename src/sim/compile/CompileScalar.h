// Questions about the scalars of values; private to Compile*.cpp.
#pragma once

#include "sim/compile/Compiler.h"

namespace hone::sim {

inline const ir::Type& elementOf(const ir::Type& type) {
  return type.is(ir::TypeKind::Vector) ? *type.element : type;
}

inline bool isSignedScalar(Scalar s) {
  return s == Scalar::I8 || s == Scalar::I16 || s == Scalar::I32 || s == Scalar::I64;
}

inline bool isNarrow(Scalar s) {
  return s == Scalar::I8 || s == Scalar::U8 || s == Scalar::I16 || s == Scalar::U16 || s == Scalar::F16 ||
         s == Scalar::BF16;
}

inline unsigned bitsOf(Scalar s) { return 8 * memoryBytes(s); }

}  // namespace hone::sim
