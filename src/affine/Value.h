// What is known of a value while a kernel is walked through; private to building models.
#pragma once

#include <set>

#include "affine/KernelModel.h"

namespace hone::affine {

enum class ValueKind : uint8_t { Number, Truth, Pointer, Parts, Other };

struct Value {
  ValueKind kind = ValueKind::Other;
  // Number: the integer. When modular the value is this one modulo 2^bits of its unsigned type.
  Poly poly;
  bool modular = false;
  CondPtr cond;                     // Truth
  ArrayId array;                    // Pointer: none when not known
  Poly bytes;                       // Pointer: from the start of the array
  std::vector<Value> parts;         // Parts: lanes of a vector or fields of a struct
  Variation varies;                 // Other, and pointers to unknown memory
  std::string reason;               // Other, and pointers to unknown memory: why
  std::set<unsigned> requirements;  // into KernelModel::requirements

  bool isNumber() const { return kind == ValueKind::Number; }
  bool isPointer() const { return kind == ValueKind::Pointer; }
};

inline Value numberValue(Poly p) {
  Value v;
  v.kind = ValueKind::Number;
  v.poly = std::move(p);
  return v;
}
inline Value truthValue(CondPtr c) {
  Value v;
  v.kind = ValueKind::Truth;
  v.cond = std::move(c);
  return v;
}
inline Value pointerValue(ArrayId array, Poly bytes) {
  Value v;
  v.kind = ValueKind::Pointer;
  v.array = array;
  v.bytes = std::move(bytes);
  return v;
}
inline Value otherValue(std::string reason, Variation varies) {
  Value v;
  v.reason = std::move(reason);
  v.varies = varies;
  return v;
}

bool sameValue(const Value& a, const Value& b);

}  // namespace hone::affine
