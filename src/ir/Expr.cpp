#include "ir/Expr.h"

#include <cassert>

#include "ir/Kernel.h"
#include "ir/Literals.h"

namespace hone::ir {

namespace {

uint64_t truncate(uint64_t value, const Type& type) {
  if (type.is(TypeKind::Bool)) return value != 0;
  unsigned bits = type.bits;
  return bits == 0 || bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

// The type of a place reached from `type` through `count` indices; null when it is no such array.
TypePtr indexedType(TypePtr type, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    bool steps = type && (type->is(TypeKind::Array) || (i == 0 && type->is(TypeKind::Pointer)));
    if (!steps) return nullptr;
    type = type->element;
  }
  return type;
}

TypePtr comparisonType(const TypePtr& operand) {
  if (!operand->is(TypeKind::Vector)) return boolType();
  unsigned bits = operand->element->is(TypeKind::Bool) ? 8 : operand->element->bits;
  return vectorType(bits == 8 ? charType() : intType(bits, true), operand->lanes);
}

// p + i and p - i as the address of an element.
ExprPtr pointerArithmetic(BinaryOp op, const ExprPtr& pointer, ExprPtr index, SourceLoc loc) {
  if (op == BinaryOp::Sub) {
    // The negative of an unsigned 32-bit index would wrap before it is added to the address.
    bool widen = index->type->is(TypeKind::Int) && !index->type->isSigned && index->type->bits < 64;
    index = unary(UnaryOp::Neg, widen ? convert(index, int64()) : index, loc);
  }
  return addressOf(subscript(pointer, {std::move(index)}, loc), pointer->type->space, loc);
}

struct Qualifiers {
  bool isConst = false, isVolatile = false;
};

// What a pointer to the place must promise about its pointee.
Qualifiers qualifiersOf(const Expr& place) {
  if (const auto* var = place.as<VarRef>()) return {var->var->isConst, var->var->isVolatile};
  if (const auto* element = place.as<Subscript>()) {
    const Type& base = *element->base->type;
    return base.isPointer() ? Qualifiers{base.isConst, base.isVolatile} : qualifiersOf(*element->base);
  }
  if (const auto* field = place.as<Member>()) return qualifiersOf(*field->base);
  if (const auto* lanes = place.as<Swizzle>()) return qualifiersOf(*lanes->base);
  return {};
}

// Pointers that sameType calls equal, yet C needs a cast between them: qualifiers removed, long against long
// long.
bool needsWrittenCast(const Type& from, const Type& to) {
  if (!from.isPointer() || !to.isPointer()) return false;
  return from.isConst != to.isConst || from.isVolatile != to.isVolatile ||
         from.element->spelling != to.element->spelling || needsWrittenCast(*from.element, *to.element);
}

}  // namespace

bool isComparison(BinaryOp op) { return op >= BinaryOp::Eq && op <= BinaryOp::Ge; }
bool isShift(BinaryOp op) { return op == BinaryOp::Shl || op == BinaryOp::Shr; }

const char* spelling(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return "+";
    case BinaryOp::Sub:
    case BinaryOp::PtrDiff: return "-";
    case BinaryOp::Mul: return "*";
    case BinaryOp::Div: return "/";
    case BinaryOp::Rem: return "%";
    case BinaryOp::Shl: return "<<";
    case BinaryOp::Shr: return ">>";
    case BinaryOp::BitAnd: return "&";
    case BinaryOp::BitOr: return "|";
    case BinaryOp::BitXor: return "^";
    case BinaryOp::LogicalAnd: return "&&";
    case BinaryOp::LogicalOr: return "||";
    case BinaryOp::Eq: return "==";
    case BinaryOp::Ne: return "!=";
    case BinaryOp::Lt: return "<";
    case BinaryOp::Le: return "<=";
    case BinaryOp::Gt: return ">";
    case BinaryOp::Ge: return ">=";
  }
  return "";
}

const char* spelling(UnaryOp op) {
  switch (op) {
    case UnaryOp::Neg: return "-";
    case UnaryOp::Not: return "!";
    case UnaryOp::BitNot: return "~";
  }
  return "";
}

ExprPtr makeExpr(TypePtr type, Expr::Node node, SourceLoc loc) {
  return std::make_shared<Expr>(Expr{std::move(type), std::move(node), loc});
}

ExprPtr intLit(int64_t value, TypePtr type, SourceLoc loc) {
  uint64_t bits = truncate(static_cast<uint64_t>(value), *type);
  return makeExpr(std::move(type), IntLiteral{bits, {}, {}}, loc);
}

ExprPtr floatLit(double value, TypePtr type, SourceLoc loc) {
  if (type->is(TypeKind::Float) && type->bits == 32) value = static_cast<float>(value);
  return makeExpr(std::move(type), FloatLiteral{value, {}, {}}, loc);
}

ExprPtr boolLit(bool value, SourceLoc loc) { return makeExpr(boolType(), IntLiteral{value, {}, {}}, loc); }

ExprPtr ref(const VarPtr& var, SourceLoc loc) { return makeExpr(var->type, VarRef{var}, loc); }

ExprPtr coord(CoordKind kind, unsigned axis, TypePtr type, SourceLoc loc) {
  return makeExpr(std::move(type), Coord{kind, static_cast<uint8_t>(axis)}, loc);
}

ExprPtr unary(UnaryOp op, ExprPtr operand, SourceLoc loc) {
  if (op == UnaryOp::Not) {
    if (operand->type->is(TypeKind::Vector)) {
      TypePtr type = comparisonType(operand->type);
      return makeExpr(std::move(type), Unary{op, std::move(operand)}, loc);
    }
    return makeExpr(boolType(), Unary{op, convert(std::move(operand), boolType())}, loc);
  }
  TypePtr type = promoted(operand->type);
  operand = convert(std::move(operand), type);
  return makeExpr(std::move(type), Unary{op, std::move(operand)}, loc);
}

ExprPtr binary(BinaryOp op, ExprPtr lhs, ExprPtr rhs, SourceLoc loc) {
  const bool leftPointer = lhs->type->isPointer(), rightPointer = rhs->type->isPointer();
  if (op == BinaryOp::PtrDiff || (op == BinaryOp::Sub && leftPointer && rightPointer))
    return makeExpr(int64(), Binary{BinaryOp::PtrDiff, std::move(lhs), std::move(rhs)}, loc);
  if ((op == BinaryOp::Add || op == BinaryOp::Sub) && leftPointer)
    return pointerArithmetic(op, lhs, rhs, loc);
  if (op == BinaryOp::Add && rightPointer) return pointerArithmetic(op, rhs, lhs, loc);

  const bool isVector = lhs->type->is(TypeKind::Vector) || rhs->type->is(TypeKind::Vector);
  if ((op == BinaryOp::LogicalAnd || op == BinaryOp::LogicalOr) && !isVector) {
    return makeExpr(boolType(),
                    Binary{op, convert(std::move(lhs), boolType()), convert(std::move(rhs), boolType())},
                    loc);
  }
  if (isShift(op) && !isVector) {
    TypePtr type = promoted(lhs->type), amount = promoted(rhs->type);
    lhs = convert(std::move(lhs), type);
    rhs = convert(std::move(rhs), amount);
    return makeExpr(std::move(type), Binary{op, std::move(lhs), std::move(rhs)}, loc);
  }
  if (leftPointer || rightPointer) {  // comparison of pointers
    TypePtr type = leftPointer ? lhs->type : rhs->type;
    lhs = convert(std::move(lhs), type);
    rhs = convert(std::move(rhs), type);
    return makeExpr(boolType(), Binary{op, std::move(lhs), std::move(rhs)}, loc);
  }
  TypePtr type = usualArithmetic(lhs->type, rhs->type);
  lhs = convert(std::move(lhs), type);
  rhs = convert(std::move(rhs), type);
  const bool yieldsTruth = isComparison(op) || op == BinaryOp::LogicalAnd || op == BinaryOp::LogicalOr;
  TypePtr result = yieldsTruth ? comparisonType(type) : type;
  return makeExpr(std::move(result), Binary{op, std::move(lhs), std::move(rhs)}, loc);
}

ExprPtr convert(ExprPtr value, const TypePtr& type, bool isExplicit) {
  if (sameType(value->type, type) && !(isExplicit && needsWrittenCast(*value->type, *type))) return value;
  if (value->is<NullPointer>() && type->isPointer()) return makeExpr(type, NullPointer{}, value->loc);
  SourceLoc loc = value->loc;
  return makeExpr(type, Cast{std::move(value), isExplicit}, loc);
}

ExprPtr subscript(ExprPtr base, std::vector<ExprPtr> indices, SourceLoc loc) {
  assert(!indices.empty());
  if (const auto* address = base->as<AddressOf>()) {
    if (isZeroLiteral(indices.front())) {
      indices.erase(indices.begin());
      return indices.empty() ? address->place : subscript(address->place, std::move(indices), loc);
    }
    // The address of the first element of a row, then an index: that index in the row.
    const auto* row = address->place->as<Subscript>();
    if (row && isZeroLiteral(row->indices.back())) {
      std::vector<ExprPtr> merged(row->indices.begin(), row->indices.end() - 1);
      merged.insert(merged.end(), indices.begin(), indices.end());
      return subscript(row->base, std::move(merged), loc);
    }
  }
  if (const auto* inner = base->as<Subscript>(); inner && base->type->is(TypeKind::Array)) {
    std::vector<ExprPtr> merged = inner->indices;
    merged.insert(merged.end(), indices.begin(), indices.end());
    return subscript(inner->base, std::move(merged), loc);
  }
  TypePtr type = indexedType(base->type, indices.size());
  assert(type && "subscript of something that is no array");
  return makeExpr(std::move(type), Subscript{std::move(base), std::move(indices), false}, loc);
}

ExprPtr addressOf(ExprPtr place, Space space, SourceLoc loc) {
  if (const auto* element = place->as<Subscript>()) {
    if (element->base->type->isPointer() && element->indices.size() == 1 &&
        isZeroLiteral(element->indices.front()))
      return element->base;
  }
  Qualifiers q = qualifiersOf(*place);
  TypePtr type = pointerType(place->type, space, q.isConst, q.isVolatile);
  return makeExpr(std::move(type), AddressOf{std::move(place)}, loc);
}

ExprPtr deref(ExprPtr pointer, SourceLoc loc) {
  if (const auto* address = pointer->as<AddressOf>()) return address->place;
  assert(pointer->type->isPointer());
  TypePtr type = pointer->type->element;
  return makeExpr(std::move(type), Subscript{std::move(pointer), {intLit(0)}, true}, loc);
}

ExprPtr member(ExprPtr base, unsigned field, SourceLoc loc) {
  assert(base->type->is(TypeKind::Struct) && field < base->type->record->fields.size());
  TypePtr type = base->type->record->fields[field].type;
  return makeExpr(std::move(type), Member{std::move(base), field, -1}, loc);
}

const Field* bitField(const Expr& place) {
  const auto* member = place.as<Member>();
  if (!member || member->baseClass >= 0) return nullptr;
  const Field& field = member->base->type->record->fields[member->field];
  return field.isBitField() ? &field : nullptr;
}

TypePtr promotedValue(const Expr& e) {
  const Field* field = bitField(e);
  if (field && (field->bits < 32 || (field->bits == 32 && e.type->isSigned))) return int32();
  return promoted(e.type);
}

bool isPlace(const Expr& e) {
  if (e.is<VarRef>()) return true;
  if (const auto* element = e.as<Subscript>())
    return element->base->type->isPointer() || isPlace(*element->base);
  if (const auto* field = e.as<Member>()) return isPlace(*field->base);
  if (const auto* lanes = e.as<Swizzle>()) return isPlace(*lanes->base);
  return false;
}

VarPtr rootVariable(const ExprPtr& e) {
  if (const auto* var = as<VarRef>(e)) return var->var;
  if (const auto* address = as<AddressOf>(e)) return rootVariable(address->place);
  if (const auto* cast = as<Cast>(e)) {
    bool keepsPointer = e->type->isPointer() == cast->operand->type->isPointer();
    return keepsPointer ? rootVariable(cast->operand) : nullptr;
  }
  if (const auto* lanes = as<Swizzle>(e)) return rootVariable(lanes->base);
  if (const auto* field = as<Member>(e)) return rootVariable(field->base);
  if (const auto* select = as<Select>(e)) {
    VarPtr yes = rootVariable(select->yes);
    return yes == rootVariable(select->no) ? yes : nullptr;
  }
  if (const auto* element = as<Subscript>(e)) {
    // A pointer that was itself read from an element or from behind a pointer comes from memory.
    bool throughPointer = element->base->type->isPointer();
    if (throughPointer) {
      ExprPtr pointer = element->base;
      while (true) {
        if (const auto* cast = as<Cast>(pointer))
          pointer = cast->operand;
        else if (const auto* field = as<Member>(pointer))
          pointer = field->base;
        else
          break;
      }
      if (pointer->is<Subscript>()) return nullptr;
    }
    return rootVariable(element->base);
  }
  return nullptr;
}

}  // namespace hone::ir
