// Types of the kernel IR. Immutable and shared; compare with sameType, never by pointer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hone::ir {

struct Expr;
struct Type;
struct Record;
using TypePtr = std::shared_ptr<const Type>;
using RecordPtr = std::shared_ptr<Record>;

enum class TypeKind : uint8_t { Void, Bool, Int, Float, BFloat, Vector, Struct, Pointer, Array, Handle };

// Where storage lies. Generic: a CUDA pointer whose target is not known, or an OpenCL 2.0 generic pointer.
enum class Space : uint8_t { Generic, Private, Global, Shared, Constant };

struct Type {
  TypeKind kind = TypeKind::Void;
  uint8_t bits = 0;          // Int, Float, BFloat: width
  bool isSigned = false;     // Int
  bool isPlainChar = false;  // Int of 8 bits written `char`, whose sign is the platform's
  uint8_t lanes = 0;         // Vector: 1 to 16
  TypePtr element;           // Vector, Pointer (pointee), Array
  int64_t extent = -1;       // Array: elements, -1 when not known (`extern __shared__ float s[]`)
  std::string extentName;  // hint: the extent as written with named constants ("TILE + 1"); may use template
                           // parameters
  // Hint: the extent over constants that passes chose (literals with a role); null: none are in it.
  std::shared_ptr<const Expr> extentForm;
  RecordPtr record;              // Struct
  Space space = Space::Generic;  // Pointer: where it points
  bool isConst = false;          // Pointer: the pointee is const
  bool isVolatile = false;       // Pointer: the pointee is volatile
  bool isRestrict = false;       // Pointer
  std::string spelling;          // hint: typedef, enum or macro name to print; the required name for Handle

  bool is(TypeKind k) const { return kind == k; }
  bool isInteger() const { return kind == TypeKind::Int || kind == TypeKind::Bool; }
  bool isFloating() const { return kind == TypeKind::Float || kind == TypeKind::BFloat; }
  bool isArithmetic() const { return isInteger() || isFloating(); }
  bool isPointer() const { return kind == TypeKind::Pointer; }
};

struct Field {
  std::string name;
  TypePtr type;
  // Of a bit-field: its width, its first bit in the storage unit that it shares with its neighbours, and the
  // bytes of that unit, which lies at the field's offset.
  unsigned bits = 0, firstBit = 0, unitBytes = 0;

  bool isBitField() const { return bits != 0; }
};

// A struct, class or union as laid out by the user's program. Filled in after creation, since fields may
// point to the record.
struct Record {
  std::string name;  // as it must be written where the kernel stands, template arguments included
  std::vector<Field> fields;
  std::vector<TypePtr> bases;  // base classes, laid out before the fields
  bool isUnion = false;
  bool isComplete = true;  // false: an opaque struct met only behind a pointer
  uint64_t size = 0;       // bytes
  uint64_t align = 1;
  std::vector<uint64_t> offsets;  // of the fields, bytes
};

// The first bit-field that values of a type hold, anywhere in it; null: none.
const Field* heldBitField(const Type& type);

TypePtr voidType();
TypePtr boolType();
TypePtr charType();  // plain char
TypePtr intType(unsigned bits, bool isSigned);
inline TypePtr int32() { return intType(32, true); }
inline TypePtr uint32() { return intType(32, false); }
inline TypePtr int64() { return intType(64, true); }
inline TypePtr uint64() { return intType(64, false); }
TypePtr floatType(unsigned bits);  // 16, 32 or 64
TypePtr bfloatType();
TypePtr vectorType(TypePtr element, unsigned lanes);
TypePtr structType(RecordPtr record);
TypePtr pointerType(TypePtr element, Space space, bool isConst = false, bool isVolatile = false,
                    bool isRestrict = false);
TypePtr arrayType(TypePtr element, int64_t extent);
TypePtr handleType(
    std::string name);  // an opaque value of the platform (texture object, sampler, group handle)
TypePtr withSpelling(TypePtr type, std::string spelling);
TypePtr withSpace(TypePtr pointer, Space space);

// Same type, hints and pointer qualifiers other than space left aside.
bool sameType(const Type& a, const Type& b);
inline bool sameType(const TypePtr& a, const TypePtr& b) { return sameType(*a, *b); }

bool holdsPointer(const Type& type);  // is one, or has one as an element or a member

// Bytes; 0 for void, incomplete and unknown extents. OpenCL stores vectors of three as vectors of four
// (paddedVec3) and aligns each vector to its size; CUDA does neither.
uint64_t sizeOf(const Type& type, bool paddedVec3 = false);
uint64_t alignOf(const Type& type, bool paddedVec3 = false);
// Numbers, pointers and handles that a value consists of; a huge number where there are too many to count.
uint64_t leafCount(const Type& type);

// The type C computes in: integer promotion of one type, and the usual arithmetic conversions of two.
TypePtr promoted(const TypePtr& type);
TypePtr usualArithmetic(const TypePtr& a, const TypePtr& b);

// For the debug dump and messages: "f32", "u8", "ptr<global const f32>", "arr<16 x f32>", "struct Particle".
std::string str(const Type& type);
const char* str(Space space);

}  // namespace hone::ir
