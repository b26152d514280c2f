#include "emit/Conversions.h"

namespace hone::emit {

using namespace ir;

namespace {

bool isSmallFloat(const Type& t) { return t.isFloating() && t.bits == 16; }

// A scalar beside an OpenCL vector is widened to it unless its rank is above that of the element.
bool widensTo(const Type& scalar, const Type& element) {
  if (!scalar.isArithmetic() || scalar.is(TypeKind::Bool)) return false;
  if (sameType(scalar, element)) return true;
  if (element.isFloating()) return scalar.isInteger() || scalar.bits <= element.bits;
  return scalar.isInteger() && scalar.bits <= element.bits && scalar.isSigned == element.isSigned;
}

bool isVoidPointer(const Type& t) { return t.isPointer() && t.element->is(TypeKind::Void); }

bool qualifiersGrow(const Type& from, const Type& to) {
  return (!from.isConst || to.isConst) && (!from.isVolatile || to.isVolatile);
}

}  // namespace

bool hasOperators(const Type& t, Language language) {
  if (!t.is(TypeKind::Vector) || language == Language::OpenCL) return true;
  return t.lanes == 2 && isSmallFloat(*t.element);
}

TypePtr operationType(BinaryOp op, const TypePtr& l, const TypePtr& r, Language language) {
  const bool lv = l->is(TypeKind::Vector), rv = r->is(TypeKind::Vector);
  if (lv || rv) {
    // Of CUDA's vectors only pairs of half and bfloat have operators.
    if (language == Language::Cuda)
      return lv && rv && hasOperators(*l, language) && sameType(l, r) ? l : nullptr;
    if (lv && rv) return l->lanes == r->lanes && (isShift(op) || sameType(l, r)) ? l : nullptr;
    if (isShift(op)) return lv && r->isInteger() ? l : nullptr;
    return lv ? (widensTo(*r, *l->element) ? l : nullptr) : (widensTo(*l, *r->element) ? r : nullptr);
  }
  if (l->isArithmetic() && r->isArithmetic()) {
    if (isShift(op)) return l->isInteger() && r->isInteger() ? promoted(l) : nullptr;
    // __half is a class: its operators take two of the kind, anything else is ambiguous.
    if (language == Language::Cuda && (isSmallFloat(*l) || isSmallFloat(*r)))
      return sameType(l, r) ? l : nullptr;
    return usualArithmetic(l, r);
  }
  if (l->isPointer() && r->isPointer()) return sameType(l->element, r->element) ? l : nullptr;
  return nullptr;
}

TypePtr selectType(const TypePtr& a, const TypePtr& b, Language language) {
  if (sameType(a, b)) return language == Language::Cuda || !a->isArithmetic() ? a : promoted(a);
  if (a->isArithmetic() && b->isArithmetic()) {
    if (language == Language::Cuda && (isSmallFloat(*a) || isSmallFloat(*b))) return nullptr;
    return usualArithmetic(a, b);
  }
  return nullptr;
}

bool convertsImplicitly(const Type& from, const Type& to, Language language) {
  if (from.isArithmetic() && to.isArithmetic()) {
    if (language == Language::OpenCL || (!isSmallFloat(from) && !isSmallFloat(to))) return true;
    return from.is(TypeKind::Float) && to.is(TypeKind::Float) &&
           (from.bits == 32 || to.bits == 32 || from.bits == to.bits);
  }
  if (from.isPointer() && to.is(TypeKind::Bool)) return true;
  if (from.isPointer() && to.isPointer()) {
    if (!qualifiersGrow(from, to)) return false;
    if (language == Language::OpenCL && from.space != to.space && to.space != Space::Generic) return false;
    if (isVoidPointer(to)) return true;
    if (isVoidPointer(from)) return language == Language::OpenCL;
    Type element = *to.element;
    element.space = from.element->space;  // CUDA pointers behind pointers have no written space
    return language == Language::Cuda ? sameType(*from.element, element)
                                      : sameType(*from.element, *to.element);
  }
  if (to.is(TypeKind::Vector) && language == Language::OpenCL && !from.is(TypeKind::Vector))
    return widensTo(from, *to.element);
  return sameType(from, to);
}

bool isNarrowing(const Type& from, const Type& to) {
  if (!from.isArithmetic() || !to.isArithmetic()) return from.isPointer() && to.is(TypeKind::Bool);
  if (from.isInteger() && to.isFloating()) return true;
  return !preservesValue(from, to);
}

TypePtr variadicType(const TypePtr& type) {
  if (type->is(TypeKind::Float) && type->bits < 64) return floatType(64);
  return type->isInteger() ? promoted(type) : type;
}

}  // namespace hone::emit
