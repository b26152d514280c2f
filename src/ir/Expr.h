// Expressions of the kernel IR: pure, typed, immutable trees. Places (VarRef, Subscript, Member, Swizzle) are
// expressions too: read as a value they load, as the target of an Assign they store, under AddressOf they
// only name memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/ConstantRole.h"
#include "ir/SourceLoc.h"
#include "ir/Type.h"

namespace hone::ir {

struct Expr;
struct Variable;
struct Function;
struct Intrinsic;
using ExprPtr = std::shared_ptr<const Expr>;
using VarPtr = std::shared_ptr<const Variable>;
using FunctionPtr = std::shared_ptr<Function>;

// The thread's place in the launch. axis 0 is x. Global* exist in OpenCL; hone's own global id is
// BlockIdx * BlockDim + ThreadIdx, kept as the user wrote it.
enum class CoordKind : uint8_t {
  ThreadIdx,
  BlockIdx,
  BlockDim,
  GridDim,  // threadIdx, get_local_id, blockIdx, get_group_id, …
  GlobalId,
  GlobalSize,
  GlobalOffset,
  WorkDim,  // OpenCL only; GlobalId includes the offset
  WarpSize  // axis unused
};

enum class UnaryOp : uint8_t { Neg, Not, BitNot };  // Not is logical, of bool

enum class BinaryOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Shl,
  Shr,
  BitAnd,
  BitOr,
  BitXor,
  LogicalAnd,
  LogicalOr,  // short-circuit, bool
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,      // bool result (OpenCL vectors: signed integer vector)
  PtrDiff  // elements between two pointers, i64
};
bool isComparison(BinaryOp op);
bool isShift(BinaryOp op);
const char* spelling(BinaryOp op);  // "+", "<<", …
const char* spelling(UnaryOp op);

// `name` is the named constant the user wrote (object-like macro, constexpr, enumerator, sizeof): printed in
// place of the value where it is still in scope. `spelling` is the literal as written. `role` is what a pass
// chose the number for; unlike the others it counts in comparisons.
struct IntLiteral {
  uint64_t value = 0;
  std::string spelling, name;
  ConstantRole role = {};

  bool hasName() const { return !name.empty() || role; }
};  // two's complement, truncated to the type
struct FloatLiteral {
  double value = 0;
  std::string spelling, name;
};
struct NullPointer {};
struct VarRef {
  VarPtr var;
};
struct Coord {
  CoordKind kind;
  uint8_t axis = 0;
};
struct Unary {
  UnaryOp op;
  ExprPtr operand;
};
// Both operands have one type; for shifts the right one may differ. The result has that type, bool for
// comparisons.
struct Binary {
  BinaryOp op;
  ExprPtr lhs, rhs;
};
// Converts to the node's type: value conversions between arithmetic types and vectors of equal lanes (scalar
// to vector splats), reinterpretation between pointer types (a view), and pointer to integer.
struct Cast {
  ExprPtr operand;
  bool isExplicit = false;
};
struct Select {
  ExprPtr cond, yes, no;
};
// A call of a known function of the platform (intrinsic) or of the user (function); exactly one is set.
// Arguments have the parameter types; a reference parameter takes an AddressOf. For a method (params[0] named
// "this") the first argument is the object's address; a constructor's arguments leave the object out, its
// value is the call's.
struct Call {
  const Intrinsic* intrinsic = nullptr;
  FunctionPtr function;
  std::vector<ExprPtr> args;
  std::string spelling;           // hint: the callee as written ("sqrtf", "ns::f<3>")
  std::vector<TypePtr> typeArgs;  // intrinsics with explicit template arguments (tex2D<float>)
  // printf: the bytes of its format and of the string literals among its arguments; in `args` a null pointer
  // stands for each of these.
  std::string format = {};
  std::vector<std::string> texts = {};
};
// Element of an array or pointer. The first index goes through the base, each further one through a nested
// array.
struct Subscript {
  ExprPtr base;
  std::vector<ExprPtr> indices;
  bool starStyle = false;
};  // starStyle: written *p or p->
struct Member {
  ExprPtr base;
  unsigned field = 0;
  int baseClass = -1;
};  // baseClass >= 0: the base subobject itself
struct Swizzle {
  ExprPtr base;
  std::vector<uint8_t> lanes;
};  // one lane: a scalar, several: a vector
struct AddressOf {
  ExprPtr place;
};
// A vector, struct, array or handle from its parts: make_float4, (float4)(a, b), {1, 2}. OpenCL vectors may
// be built of vectors; a struct lists its base subobjects first; parts left out of a struct or array are
// zero; a handle with none is `T()`.
struct Construct {
  std::vector<ExprPtr> parts;
};

struct Expr {
  using Node = std::variant<IntLiteral, FloatLiteral, NullPointer, VarRef, Coord, Unary, Binary, Cast, Select,
                            Call, Subscript, Member, Swizzle, AddressOf, Construct>;
  TypePtr type;
  Node node;
  SourceLoc loc;

  template <class T> const T* as() const { return std::get_if<T>(&node); }
  template <class T> bool is() const { return std::holds_alternative<T>(node); }
};

template <class T> const T* as(const ExprPtr& e) { return e ? e->as<T>() : nullptr; }

ExprPtr makeExpr(TypePtr type, Expr::Node node, SourceLoc loc = {});

// Builders. Types follow C's rules; operands must already agree where C would convert (see convert).
ExprPtr intLit(int64_t value, TypePtr type = int32(), SourceLoc loc = {});
ExprPtr floatLit(double value, TypePtr type = floatType(32), SourceLoc loc = {});
ExprPtr boolLit(bool value, SourceLoc loc = {});
ExprPtr ref(const VarPtr& var, SourceLoc loc = {});
// Without these an unqualified ref(var) would find std::ref, which matches what is not const better.
inline ExprPtr ref(VarPtr& var, SourceLoc loc = {}) { return ref(std::as_const(var), loc); }
inline ExprPtr ref(VarPtr&& var, SourceLoc loc = {}) { return ref(std::as_const(var), loc); }
inline ExprPtr ref(const std::shared_ptr<Variable>& var, SourceLoc loc = {}) { return ref(VarPtr(var), loc); }
inline ExprPtr ref(std::shared_ptr<Variable>& var, SourceLoc loc = {}) { return ref(VarPtr(var), loc); }
ExprPtr coord(CoordKind kind, unsigned axis, TypePtr type = uint32(), SourceLoc loc = {});
ExprPtr unary(UnaryOp op, ExprPtr operand, SourceLoc loc = {});
// Applies the usual arithmetic conversions to the operands, then the operator.
ExprPtr binary(BinaryOp op, ExprPtr lhs, ExprPtr rhs, SourceLoc loc = {});
ExprPtr convert(ExprPtr value, const TypePtr& type,
                bool isExplicit = false);  // no node when the type is right already
ExprPtr subscript(ExprPtr base, std::vector<ExprPtr> indices,
                  SourceLoc loc = {});  // also merges nested subscripts of arrays
ExprPtr addressOf(ExprPtr place, Space space, SourceLoc loc = {});
ExprPtr deref(ExprPtr pointer, SourceLoc loc = {});  // Subscript(p, {0}); of AddressOf(x) it is x
ExprPtr member(ExprPtr base, unsigned field, SourceLoc loc = {});

std::optional<int64_t> constantValue(const ExprPtr& e);  // folds literals, casts and arithmetic of integers
bool isPlace(const Expr& e);
const Field* bitField(const Expr& place);  // null: no bit-field
// What C computes in with the value: bit-fields whose values all fit an int are one.
TypePtr promotedValue(const Expr& e);
// The variable at the root of a place or pointer expression, null when it comes from memory or a call.
VarPtr rootVariable(const ExprPtr& e);

}  // namespace hone::ir
