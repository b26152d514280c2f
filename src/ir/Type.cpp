#include "ir/Type.h"

#include <algorithm>
#include <cassert>

namespace hone::ir {

namespace {

TypePtr scalar(TypeKind kind, unsigned bits, bool isSigned = false, bool isPlainChar = false) {
  auto type = std::make_shared<Type>();
  type->kind = kind;
  type->bits = static_cast<uint8_t>(bits);
  type->isSigned = isSigned;
  type->isPlainChar = isPlainChar;
  return type;
}

// The floating type without its spelling.
TypePtr floatLike(const TypePtr& type) {
  return type->is(TypeKind::BFloat) ? bfloatType() : floatType(type->bits);
}

// Of two arithmetic types the one that C's usual arithmetic conversions choose.
TypePtr usualScalar(const TypePtr& a, const TypePtr& b) {
  if (a->isFloating() || b->isFloating()) {
    if (!b->isFloating()) return floatLike(a);
    if (!a->isFloating()) return floatLike(b);
    if (a->kind == b->kind) return floatLike(a->bits >= b->bits ? a : b);
    // bfloat with half has no common type of 16 bits; with wider floats the wider one wins.
    return floatType(std::max<unsigned>(32, std::max(a->bits, b->bits)));
  }
  TypePtr x = promoted(a), y = promoted(b);
  if (x->bits != y->bits) return x->bits > y->bits ? x : y;
  return x->isSigned ? y : x;
}

}  // namespace

const Field* heldBitField(const Type& type) {
  if (type.is(TypeKind::Array)) return heldBitField(*type.element);
  if (!type.is(TypeKind::Struct)) return nullptr;
  for (const TypePtr& base : type.record->bases)
    if (const Field* found = heldBitField(*base)) return found;
  for (const Field& field : type.record->fields) {
    if (field.isBitField()) return &field;
    if (const Field* found = heldBitField(*field.type)) return found;
  }
  return nullptr;
}

TypePtr voidType() {
  static const TypePtr type = scalar(TypeKind::Void, 0);
  return type;
}

TypePtr boolType() {
  static const TypePtr type = scalar(TypeKind::Bool, 8);
  return type;
}

TypePtr charType() {
  static const TypePtr type = scalar(TypeKind::Int, 8, true, true);
  return type;
}

TypePtr intType(unsigned bits, bool isSigned) {
  static const TypePtr types[2][4] = {{scalar(TypeKind::Int, 8), scalar(TypeKind::Int, 16),
                                       scalar(TypeKind::Int, 32), scalar(TypeKind::Int, 64)},
                                      {scalar(TypeKind::Int, 8, true), scalar(TypeKind::Int, 16, true),
                                       scalar(TypeKind::Int, 32, true), scalar(TypeKind::Int, 64, true)}};
  switch (bits) {
    case 8: return types[isSigned][0];
    case 16: return types[isSigned][1];
    case 32: return types[isSigned][2];
    case 64: return types[isSigned][3];
    default: return scalar(TypeKind::Int, bits, isSigned);  // 128 bits and the like
  }
}

TypePtr floatType(unsigned bits) {
  static const TypePtr half = scalar(TypeKind::Float, 16), single = scalar(TypeKind::Float, 32),
                       full = scalar(TypeKind::Float, 64);
  assert(bits == 16 || bits == 32 || bits == 64);
  return bits == 16 ? half : bits == 32 ? single : full;
}

TypePtr bfloatType() {
  static const TypePtr type = scalar(TypeKind::BFloat, 16);
  return type;
}

TypePtr vectorType(TypePtr element, unsigned lanes) {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::Vector;
  type->element = std::move(element);
  type->lanes = static_cast<uint8_t>(lanes);
  return type;
}

TypePtr structType(RecordPtr record) {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::Struct;
  type->record = std::move(record);
  return type;
}

TypePtr pointerType(TypePtr element, Space space, bool isConst, bool isVolatile, bool isRestrict) {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::Pointer;
  type->bits = 64;
  type->element = std::move(element);
  type->space = space;
  type->isConst = isConst;
  type->isVolatile = isVolatile;
  type->isRestrict = isRestrict;
  return type;
}

TypePtr arrayType(TypePtr element, int64_t extent) {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::Array;
  type->element = std::move(element);
  type->extent = extent;
  return type;
}

TypePtr handleType(std::string name) {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::Handle;
  type->spelling = std::move(name);
  return type;
}

TypePtr withSpelling(TypePtr type, std::string spelling) {
  auto copy = std::make_shared<Type>(*type);
  copy->spelling = std::move(spelling);
  return copy;
}

TypePtr withSpace(TypePtr pointer, Space space) {
  if (pointer->space == space) return pointer;
  auto copy = std::make_shared<Type>(*pointer);
  copy->space = space;
  return copy;
}

bool holdsPointer(const Type& type) {
  if (type.isPointer()) return true;
  if (type.is(TypeKind::Array) || type.is(TypeKind::Vector)) return holdsPointer(*type.element);
  if (!type.is(TypeKind::Struct)) return false;
  const std::vector<TypePtr>& bases = type.record->bases;
  const std::vector<Field>& fields = type.record->fields;
  return std::any_of(bases.begin(), bases.end(), [](const TypePtr& base) { return holdsPointer(*base); }) ||
         std::any_of(fields.begin(), fields.end(), [](const Field& f) { return holdsPointer(*f.type); });
}

bool sameType(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case TypeKind::Void:
    case TypeKind::Bool: return true;
    case TypeKind::Int: return a.bits == b.bits && a.isSigned == b.isSigned && a.isPlainChar == b.isPlainChar;
    case TypeKind::Float:
    case TypeKind::BFloat: return a.bits == b.bits;
    case TypeKind::Vector: return a.lanes == b.lanes && sameType(*a.element, *b.element);
    case TypeKind::Struct:
      // Two imports of one program make two records of one name.
      return a.record == b.record || (!a.record->name.empty() && a.record->name == b.record->name);
    case TypeKind::Pointer: return a.space == b.space && sameType(*a.element, *b.element);
    case TypeKind::Array: return a.extent == b.extent && sameType(*a.element, *b.element);
    case TypeKind::Handle: return a.spelling == b.spelling;
  }
  return false;
}

uint64_t sizeOf(const Type& type, bool paddedVec3) {
  switch (type.kind) {
    case TypeKind::Void: return 0;
    case TypeKind::Bool: return 1;
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::BFloat: return type.bits / 8;
    case TypeKind::Vector:
      return sizeOf(*type.element, paddedVec3) * (paddedVec3 && type.lanes == 3 ? 4 : type.lanes);
    case TypeKind::Struct: return type.record->isComplete ? type.record->size : 0;
    case TypeKind::Pointer:
    case TypeKind::Handle: return 8;
    case TypeKind::Array:
      return type.extent < 0 ? 0 : sizeOf(*type.element, paddedVec3) * static_cast<uint64_t>(type.extent);
  }
  return 0;
}

uint64_t leafCount(const Type& type) {
  constexpr uint64_t most = uint64_t{1} << 48;
  uint64_t count = 1;
  if (type.is(TypeKind::Void)) count = 0;
  if (type.is(TypeKind::Vector)) count = type.lanes;
  if (type.is(TypeKind::Array)) {
    const uint64_t each = leafCount(*type.element);
    const uint64_t extent = type.extent < 0 ? 0 : static_cast<uint64_t>(type.extent);
    count = extent && each > most / extent ? most : each * extent;
  }
  if (type.is(TypeKind::Struct)) {
    count = 0;
    for (const TypePtr& base : type.record->bases) count += leafCount(*base);
    for (const Field& field : type.record->fields) count += leafCount(*field.type);
  }
  return std::min(count, most);
}

uint64_t alignOf(const Type& type, bool paddedVec3) {
  switch (type.kind) {
    case TypeKind::Vector: {
      if (paddedVec3) return sizeOf(type, true);  // OpenCL: the whole vector
      uint64_t size = sizeOf(type);
      bool powerOfTwo = (type.lanes & (type.lanes - 1)) == 0;
      return powerOfTwo ? std::min<uint64_t>(size, 16)
                        : alignOf(*type.element);  // CUDA: 16 at most, none for threes
    }
    case TypeKind::Struct: return type.record->align;
    case TypeKind::Array: return alignOf(*type.element, paddedVec3);
    case TypeKind::Void: return 1;
    default: return std::max<uint64_t>(1, sizeOf(type, paddedVec3));
  }
}

TypePtr promoted(const TypePtr& type) {
  switch (type->kind) {
    case TypeKind::Bool: return int32();
    case TypeKind::Int: return type->bits < 32 ? int32() : intType(type->bits, type->isSigned);
    default: return type;
  }
}

TypePtr usualArithmetic(const TypePtr& a, const TypePtr& b) {
  if (a->is(TypeKind::Vector)) return a;  // a scalar is widened to the vector; two vectors are of one type
  if (b->is(TypeKind::Vector)) return b;
  if (a->isArithmetic() && b->isArithmetic()) return usualScalar(a, b);
  return a->isArithmetic() ? b : a;
}

const char* str(Space space) {
  switch (space) {
    case Space::Generic: return "generic";
    case Space::Private: return "private";
    case Space::Global: return "global";
    case Space::Shared: return "shared";
    case Space::Constant: return "constant";
  }
  return "";
}

std::string str(const Type& type) {
  switch (type.kind) {
    case TypeKind::Void: return "void";
    case TypeKind::Bool: return "bool";
    case TypeKind::Int:
      if (type.isPlainChar) return type.isSigned ? "char" : "uchar";
      return (type.isSigned ? "i" : "u") + std::to_string(type.bits);
    case TypeKind::Float: return "f" + std::to_string(type.bits);
    case TypeKind::BFloat: return "bf" + std::to_string(type.bits);
    case TypeKind::Vector: return str(*type.element) + "x" + std::to_string(type.lanes);
    case TypeKind::Struct: return (type.record->isUnion ? "union " : "struct ") + type.record->name;
    case TypeKind::Pointer: {
      std::string text = std::string("ptr<") + str(type.space) + " ";
      if (type.isConst) text += "const ";
      if (type.isVolatile) text += "volatile ";
      return text + str(*type.element) + (type.isRestrict ? "> restrict" : ">");
    }
    case TypeKind::Array:
      return "arr<" + (type.extent < 0 ? "?" : std::to_string(type.extent)) + " x " + str(*type.element) +
             ">";
    case TypeKind::Handle: return "handle " + type.spelling;
  }
  return "";
}

}  // namespace hone::ir
