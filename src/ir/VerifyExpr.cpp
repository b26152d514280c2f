#include "ir/VerifyExpr.h"

#include <algorithm>

#include "ir/Dump.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

namespace {

bool isIntegral(const Type& type) {
  return type.isInteger() || (type.is(TypeKind::Vector) && type.element->isInteger());
}
bool isNumeric(const Type& type) {
  return type.isArithmetic() || (type.is(TypeKind::Vector) && type.element->isArithmetic());
}
bool isTruth(const Type& type) {
  return type.is(TypeKind::Bool) || (type.is(TypeKind::Vector) && isIntegral(type));
}

// The result of a comparison: bool, or lanes of signed integers as wide as the operand's.
bool isComparisonResult(const Type& type, const Type& operand) {
  if (!operand.is(TypeKind::Vector)) return type.is(TypeKind::Bool);
  return type.is(TypeKind::Vector) && type.lanes == operand.lanes && type.element->isInteger() &&
         (type.element->is(TypeKind::Bool) || type.element->bits == operand.element->bits);
}

bool isCastable(const Type& from, const Type& to) {
  if (sameType(from, to)) return true;
  if (from.isArithmetic() && to.isArithmetic()) return true;
  if (from.isPointer()) return to.isPointer() || to.isInteger() || to.is(TypeKind::Handle);
  if (to.isPointer()) return from.isInteger() || from.is(TypeKind::Handle);
  if (to.is(TypeKind::Vector)) {
    if (from.is(TypeKind::Vector)) return from.lanes == to.lanes;
    return from.isArithmetic();
  }
  // Group handles convert to each other (a tile with its parent to one without), texture objects are
  // integers.
  if (fits(from, to)) return true;
  bool handle = from.is(TypeKind::Handle) || to.is(TypeKind::Handle);
  return handle && (from.isInteger() || to.isInteger() || from.kind == to.kind);
}

}  // namespace

bool fits(const Type& from, const Type& to) {
  if (sameType(from, to)) return true;
  const auto isGroup = [](const Type& type) {
    return type.is(TypeKind::Handle) && type.spelling.starts_with("cooperative_groups::");
  };
  if (isGroup(from) && isGroup(to)) return true;
  return from.isPointer() && to.isPointer() && to.space == Space::Generic &&
         sameType(*from.element, *to.element);
}

bool hasEffects(const Call& call) {
  if (call.function) return !call.function->isPure();
  return call.intrinsic && !call.intrinsic->isPure();
}

void ExprVerifier::check(const ExprPtr& e, SourceLoc stmt, bool mayHaveEffects) {
  where = stmt;
  if (!e) return fail(1, "an expression is missing");
  visit(e, mayHaveEffects);
}

void ExprVerifier::visit(const ExprPtr& e, bool mayHaveEffects) {
  const SourceLoc outer = where;
  if (e->loc.valid()) where = e->loc;
  if (!e->type) return fail(1, "an expression has no type");
  bool complete = true;
  forEachChild(*e, [&](const ExprPtr& child) { complete &= child && child->type; });
  if (!complete) return fail(1, "an expression lacks an operand");
  forEachChild(*e, [&](const ExprPtr& child) { visit(child, false); });
  if (const auto* call = e->as<Call>())
    expect(mayHaveEffects || !hasEffects(*call), 12, "call with effects inside an expression: " + dump(e));
  std::visit([&](const auto& node) { one(*e, node); }, e->node);
  where = outer;
}

void ExprVerifier::one(const Expr& e, const IntLiteral& n) {
  if (!e.type->isInteger()) return fail(18, "integer literal of type " + str(*e.type));
  bool fitsWidth =
      e.type->is(TypeKind::Bool) ? n.value <= 1 : e.type->bits >= 64 || (n.value >> e.type->bits) == 0;
  expect(fitsWidth, 18, "literal " + std::to_string(n.value) + " does not fit " + str(*e.type));
}

void ExprVerifier::one(const Expr& e, const FloatLiteral&) {
  expect(e.type->isFloating(), 18, "floating literal of type " + str(*e.type));
}

void ExprVerifier::one(const Expr& e, const NullPointer&) {
  expect(e.type->isPointer(), 18, "null pointer of type " + str(*e.type));
}

void ExprVerifier::one(const Expr& e, const VarRef& n) {
  if (!n.var) return fail(1, "reference to no variable");
  expect(inScope(*n.var), 2, "variable " + n.var->name + " is not declared here");
  expect(sameType(e.type, n.var->type), 4,
         "variable " + n.var->name + " of type " + str(*n.var->type) + " used as " + str(*e.type));
}

void ExprVerifier::one(const Expr& e, const Coord& n) {
  expect(n.axis < 3, 19, "axis " + std::to_string(n.axis));
  expect(e.type->is(TypeKind::Int), 19, "coordinate of type " + str(*e.type));
}

void ExprVerifier::one(const Expr& e, const Unary& n) {
  const Type& operand = *n.operand->type;
  if (n.op == UnaryOp::Not) {
    expect(isTruth(operand) && isComparisonResult(*e.type, operand), 8, "logical not of " + str(operand));
    return;
  }
  bool legal = n.op == UnaryOp::Neg ? isNumeric(operand) : isIntegral(operand);
  expect(legal, 8, std::string("operator ") + spelling(n.op) + " of " + str(operand));
  expect(sameType(*e.type, operand) && sameType(promoted(n.operand->type), n.operand->type), 8,
         std::string("operator ") + spelling(n.op) + " of " + str(operand) + " gives " + str(*e.type));
}

void ExprVerifier::one(const Expr& e, const Binary& n) {
  const Type &lhs = *n.lhs->type, &rhs = *n.rhs->type;
  const std::string what = std::string("operator ") + spelling(n.op) + " of " + str(lhs) + " and " +
                           str(rhs) + " giving " + str(*e.type);
  if (n.op == BinaryOp::PtrDiff) {
    bool legal = lhs.isPointer() && rhs.isPointer() && sameType(*lhs.element, *rhs.element);
    return expect(legal && sameType(*e.type, *int64()), 8, what);
  }
  if (n.op == BinaryOp::LogicalAnd || n.op == BinaryOp::LogicalOr) {
    bool scalar = lhs.is(TypeKind::Bool) && rhs.is(TypeKind::Bool) && e.type->is(TypeKind::Bool);
    bool vector = lhs.is(TypeKind::Vector) && sameType(lhs, rhs) && isComparisonResult(*e.type, lhs);
    return expect(scalar || vector, 8, what);
  }
  if (isShift(n.op)) {
    bool legal = isIntegral(lhs) && isIntegral(rhs) && sameType(*e.type, lhs) &&
                 sameType(promoted(n.lhs->type), n.lhs->type);
    return expect(legal, 8, what);
  }
  if (isComparison(n.op)) {
    bool pointers = lhs.isPointer() && rhs.isPointer() && sameType(*lhs.element, *rhs.element);
    bool legal = (pointers || sameType(lhs, rhs)) && isComparisonResult(*e.type, lhs);
    return expect(legal, 8, what);
  }
  bool integersOnly = n.op == BinaryOp::Rem || n.op == BinaryOp::BitAnd || n.op == BinaryOp::BitOr ||
                      n.op == BinaryOp::BitXor;
  bool legal = sameType(lhs, rhs) && sameType(*e.type, lhs) &&
               (integersOnly ? isIntegral(lhs) : isNumeric(lhs)) &&
               sameType(promoted(n.lhs->type), n.lhs->type);
  expect(legal, 8, what);
}

void ExprVerifier::one(const Expr& e, const Cast& n) {
  expect(isCastable(*n.operand->type, *e.type), 9,
         "conversion of " + str(*n.operand->type) + " to " + str(*e.type));
}

void ExprVerifier::one(const Expr& e, const Select& n) {
  expect(isTruth(*n.cond->type), 10, "condition of type " + str(*n.cond->type));
  expect(fits(*n.yes->type, *e.type) && fits(*n.no->type, *e.type), 10,
         "selection of " + str(*n.yes->type) + " and " + str(*n.no->type) + " giving " + str(*e.type));
}

void ExprVerifier::one(const Expr& e, const Call& n) {
  if (!n.intrinsic == !n.function) return fail(11, "a call has one callee");
  if (n.intrinsic) {
    bool legal = n.args.size() >= n.intrinsic->minArgs && n.args.size() <= n.intrinsic->maxArgs;
    return expect(
        legal, 11,
        std::string(n.intrinsic->id) + " called with " + std::to_string(n.args.size()) + " arguments");
  }
  const Function& f = *n.function;
  const size_t object =
      f.kind == FunctionKind::Constructor ? 1 : 0;  // the object made is the call's value, no argument
  if (n.args.size() + object != f.params.size())
    return fail(11, f.name + " called with " + std::to_string(n.args.size()) + " arguments");
  for (size_t i = 0; i < n.args.size(); ++i) {
    const Variable& param = *f.params[i + object];
    expect(fits(*n.args[i]->type, *param.type), 11,
           f.name + " gets " + str(*n.args[i]->type) + " for its parameter " + param.name + " of type " +
               str(*param.type));
  }
  if (object)
    return expect(e.type->is(TypeKind::Struct), 11, "constructor " + f.name + " gives " + str(*e.type));
  expect(sameType(e.type, f.returnType), 11,
         "call of " + f.name + " has type " + str(*e.type) + ", not " + str(*f.returnType));
}

void ExprVerifier::one(const Expr& e, const Subscript& n) {
  if (n.indices.empty()) return fail(13, "subscript without an index");
  const Type* type = n.base->type.get();
  for (size_t i = 0; i < n.indices.size(); ++i) {
    expect(n.indices[i]->type->isInteger(), 13, "index of type " + str(*n.indices[i]->type));
    if (!type->is(TypeKind::Array) && (i != 0 || !type->isPointer()))
      return fail(13, std::to_string(n.indices.size()) + " indices into " + str(*n.base->type));
    type = type->element.get();
  }
  expect(!type->is(TypeKind::Void), 13, "element of a void pointer");
  expect(sameType(*e.type, *type), 13, "element of " + str(*n.base->type) + " used as " + str(*e.type));
}

void ExprVerifier::one(const Expr& e, const Member& n) {
  if (!n.base->type->is(TypeKind::Struct)) return fail(14, "member of " + str(*n.base->type));
  const Record& r = *n.base->type->record;
  if (n.baseClass >= 0) {
    bool legal = static_cast<size_t>(n.baseClass) < r.bases.size() &&
                 sameType(e.type, r.bases[static_cast<size_t>(n.baseClass)]);
    return expect(legal, 14, "no such base of " + r.name);
  }
  if (n.field >= r.fields.size()) return fail(14, "field " + std::to_string(n.field) + " of " + r.name);
  expect(sameType(e.type, r.fields[n.field].type), 14,
         "field " + r.fields[n.field].name + " of type " + str(*r.fields[n.field].type) + " used as " +
             str(*e.type));
}

void ExprVerifier::one(const Expr& e, const Swizzle& n) {
  const Type& base = *n.base->type;
  if (!base.is(TypeKind::Vector)) return fail(15, "lanes of " + str(base));
  bool inRange = !n.lanes.empty() &&
                 std::all_of(n.lanes.begin(), n.lanes.end(), [&](uint8_t lane) { return lane < base.lanes; });
  expect(inRange, 15, "lane beyond " + str(base));
  bool right = n.lanes.size() == 1 ? sameType(e.type, base.element)
                                   : e.type->is(TypeKind::Vector) && e.type->lanes == n.lanes.size() &&
                                         sameType(e.type->element, base.element);
  expect(right, 15, std::to_string(n.lanes.size()) + " lanes of " + str(base) + " used as " + str(*e.type));
}

void ExprVerifier::one(const Expr& e, const AddressOf& n) {
  const auto* lanes = n.place->as<Swizzle>();
  expect(isPlace(*n.place) && (!lanes || lanes->lanes.size() <= 1), 16, "address of what is no place");
  expect(!bitField(*n.place), 16, "address of a bit-field");
  expect(e.type->isPointer() && sameType(e.type->element, n.place->type), 16,
         "address of " + str(*n.place->type) + " used as " + str(*e.type));
}

void ExprVerifier::one(const Expr& e, const Construct& n) {
  const Type& type = *e.type;
  auto expectPart = [&](const ExprPtr& part, const Type& wanted) {
    expect(fits(*part->type, wanted), 17,
           str(*part->type) + " as a part of " + str(type) + ", which takes " + str(wanted));
  };
  switch (type.kind) {
    case TypeKind::Array:
      expect(type.extent < 0 || n.parts.size() <= static_cast<uint64_t>(type.extent), 17,
             "too many parts of " + str(type));
      for (const ExprPtr& part : n.parts) expectPart(part, *type.element);
      return;
    case TypeKind::Vector: {
      unsigned lanes = 0;
      for (const ExprPtr& part : n.parts) {
        bool isVector = part->type->is(TypeKind::Vector);
        lanes += isVector ? part->type->lanes : 1;
        expectPart(part, isVector ? *vectorType(type.element, part->type->lanes) : *type.element);
      }
      return expect(lanes == type.lanes, 17, std::to_string(lanes) + " lanes for " + str(type));
    }
    case TypeKind::Struct: {
      const Record& r = *type.record;
      if (!r.bases.empty() || r.isUnion) return;  // the parts of bases are spelled in several ways
      if (n.parts.size() > r.fields.size()) return fail(17, "too many parts of " + str(type));
      for (size_t i = 0; i < n.parts.size(); ++i) expectPart(n.parts[i], *r.fields[i].type);
      return;
    }
    case TypeKind::Handle: return expect(n.parts.empty(), 17, "parts of " + str(type));
    default: return fail(17, "construction of " + str(type));
  }
}

}  // namespace hone::ir
