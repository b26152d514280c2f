#include "passes/reduce/TreeValue.h"

#include <cmath>
#include <limits>

#include "ir/Integers.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;

bool isIdempotent(Combine how) {
  return how == Combine::And || how == Combine::Or || how == Combine::Min || how == Combine::Max;
}

namespace {

// Whether a number that is known leaves every other one of the type as it is.
bool isNeutral(const TreeValue& known, Combine how, const Type& type) {
  if (known.is(TreeKind::Real)) {
    if (!type.isFloating()) return false;
    switch (how) {
      case Combine::Add: return known.real == 0;
      case Combine::Mul: return known.real == 1;
      case Combine::Max: return std::isinf(known.real) && known.real < 0;
      case Combine::Min: return std::isinf(known.real) && known.real > 0;
      default: return false;
    }
  }
  if (!type.isInteger()) return false;
  const uint64_t high = type.isSigned ? uint64_t{1} << (type.bits - 1) : 0;  // the sign
  switch (how) {
    case Combine::Add:
    case Combine::Or:
    case Combine::Xor: return known.number == 0;
    case Combine::Mul: return known.number == 1;
    case Combine::And: return known.number == wrapped(~uint64_t{0}, type);
    case Combine::Max: return known.number == wrapped(high, type);
    case Combine::Min: return known.number == wrapped(~high, type);
  }
  return false;
}

std::optional<TreeValue> ofKnown(const TreeValue& a, const TreeValue& b, Combine how) {
  if (a.kind != b.kind || !a.is(TreeKind::Real)) return std::nullopt;
  switch (how) {
    case Combine::Add: return TreeValue::ofReal(a.real + b.real);
    case Combine::Mul: return TreeValue::ofReal(a.real * b.real);
    case Combine::Min: return TreeValue::ofReal(std::fmin(a.real, b.real));
    case Combine::Max: return TreeValue::ofReal(std::fmax(a.real, b.real));
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<Combine> combineBy(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return Combine::Add;
    case BinaryOp::Mul: return Combine::Mul;
    case BinaryOp::BitAnd: return Combine::And;
    case BinaryOp::BitOr: return Combine::Or;
    case BinaryOp::BitXor: return Combine::Xor;
    default: return std::nullopt;
  }
}

std::optional<Combine> combineBy(const Intrinsic& function) {
  if (function.id == "min" || function.id == "fmin") return Combine::Min;
  if (function.id == "max" || function.id == "fmax") return Combine::Max;
  return std::nullopt;
}

std::optional<TreeValue> joined(const TreeValue& a, const TreeValue& b, Combine how, const Type& type,
                                const Intrinsic* call) {
  if (a.is(TreeKind::Pointer) || b.is(TreeKind::Pointer)) return std::nullopt;
  if (a.isKnown() && b.isKnown()) return ofKnown(a, b, how);
  if (a.is(TreeKind::Garbage) || b.is(TreeKind::Garbage)) return TreeValue{};
  if (a.isKnown()) return joined(b, a, how, type, call);
  // Smaller integers are cut off after each step, half floats rounded in ways of their own.
  if (!(type.is(TypeKind::Int) || type.is(TypeKind::Float)) || type.bits < 32) return std::nullopt;
  auto fits = [&](const TreeValue& v) { return !v.isJoined || (v.how == how && v.call == call); };
  if (b.isKnown()) {
    if (!isNeutral(b, how, type)) return std::nullopt;
    TreeValue out = a;
    if (!b.is(TreeKind::Real) || (how != Combine::Min && how != Combine::Max)) return out;
    if (!fits(a)) return std::nullopt;
    out.isJoined = out.isBounded = true;
    out.how = how;
    out.call = call;
    return out;
  }
  if (a.input != b.input || !fits(a) || !fits(b)) return std::nullopt;
  const bool isTwice = (a.threads & b.threads).any();
  if (HONE_SEED(RetreeCountsTwice, isTwice && !isIdempotent(how), false)) return TreeValue{};
  TreeValue out = a;
  out.isJoined = true;
  out.how = how;
  out.call = call;
  out.isBounded = a.isBounded || b.isBounded;
  out.threads |= b.threads;
  return out;
}

}  // namespace hone::passes
