#include "acc/ReductionValues.h"
#include "acc/SeededMistakes.h"

#include <limits>

#include "ir/Build.h"

namespace hone::acc {

using namespace ir;
using frontend::AccReductionOp;

const char* str(AccReductionOp op) {
  switch (op) {
    case AccReductionOp::Add: return "+";
    case AccReductionOp::Mul: return "*";
    case AccReductionOp::Max: return "max";
    case AccReductionOp::Min: return "min";
    case AccReductionOp::BitAnd: return "&";
    case AccReductionOp::BitOr: return "|";
    case AccReductionOp::BitXor: return "^";
    case AccReductionOp::And: return "&&";
    case AccReductionOp::Or: return "||";
  }
  return "";
}

std::string whyNotReducible(AccReductionOp op, const Type& type) {
  if (type.is(TypeKind::Array)) {
    if (type.extent < 0) return "internal: an array whose size is not known here";
    return whyNotReducible(op, *type.element);
  }
  if (type.is(TypeKind::Struct)) {
    if (type.record->isUnion) return "internal: a union";
    for (const TypePtr& base : type.record->bases)
      if (std::string why = whyNotReducible(op, *base); !why.empty()) return why;
    for (const Field& field : type.record->fields) {
      if (field.isBitField()) return "a bit-field";
      if (std::string why = whyNotReducible(op, *field.type); !why.empty()) return why;
    }
    return "";
  }
  const bool wantsIntegers =
      op == AccReductionOp::BitAnd || op == AccReductionOp::BitOr || op == AccReductionOp::BitXor;
  if (!type.isArithmetic()) return "a value that is no number";
  if (wantsIntegers && !type.isInteger()) return "internal: a number with a fraction";
  return "";
}

ExprPtr identityOf(AccReductionOp op, const TypePtr& type) {
  auto number = [&](int64_t value) -> ExprPtr {
    if (type->is(TypeKind::Bool)) return boolLit(value != 0);
    if (type->is(TypeKind::Int)) return intLit(value, type);
    if (type->is(TypeKind::Float) && type->bits >= 32) return floatLit(double(value), type);
    return convert(floatLit(double(value)), type);
  };
  auto extreme = [&](bool isLeast) -> ExprPtr {
    if (type->is(TypeKind::Bool)) return boolLit(!isLeast);
    if (type->isFloating()) {
      const double endless =
          isLeast ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
      if (type->is(TypeKind::Float) && type->bits >= 32) return floatLit(endless, type);
      return convert(floatLit(endless), type);
    }
    if (!type->isSigned) return intLit(isLeast ? 0 : -1, type);
    const int64_t most = type->bits >= 64 ? INT64_MAX : (int64_t{1} << (type->bits - 1)) - 1;
    return intLit(isLeast ? -most - 1 : most, type);
  };
  switch (op) {
    case AccReductionOp::Mul:
    case AccReductionOp::And: return number(HONE_SEED(NeutralElementOfProducts, 1, 0));
    case AccReductionOp::BitAnd: return type->is(TypeKind::Bool) ? boolLit(true) : number(-1);
    case AccReductionOp::Max: return HONE_SEED(NeutralElementOfMaximum, extreme(true), number(0));
    case AccReductionOp::Min: return extreme(false);
    default: return number(0);
  }
}

ExprPtr combined(AccReductionOp op, const ExprPtr& a, const ExprPtr& b) {
  const TypePtr& type = a->type;
  auto arithmetic = [&](BinaryOp what) { return convert(binary(what, a, b), type); };
  auto truth = [&](const ExprPtr& e) {
    return e->type->is(TypeKind::Bool) ? e : binary(BinaryOp::Ne, e, convert(zeroOf(int32()), e->type));
  };
  switch (op) {
    case AccReductionOp::Add: return arithmetic(BinaryOp::Add);
    case AccReductionOp::Mul: return arithmetic(BinaryOp::Mul);
    case AccReductionOp::BitAnd: return arithmetic(BinaryOp::BitAnd);
    case AccReductionOp::BitOr: return arithmetic(BinaryOp::BitOr);
    case AccReductionOp::BitXor: return arithmetic(BinaryOp::BitXor);
    case AccReductionOp::And: return convert(binary(BinaryOp::LogicalAnd, truth(a), truth(b)), type);
    case AccReductionOp::Or: return convert(binary(BinaryOp::LogicalOr, truth(a), truth(b)), type);
    case AccReductionOp::Max: return makeExpr(type, Select{binary(BinaryOp::Gt, b, a), b, a});
    case AccReductionOp::Min: return makeExpr(type, Select{binary(BinaryOp::Lt, b, a), b, a});
  }
  return a;
}

StmtList overNumbers(const std::vector<ExprPtr>& places, RegionNames& names,
                     const std::function<StmtList(const std::vector<ExprPtr>&)>& each) {
  const Type& type = *places.front()->type;
  if (type.is(TypeKind::Array)) {
    VarPtr at = names.local("e", int32());
    std::vector<ExprPtr> elements;
    for (const ExprPtr& place : places) elements.push_back(subscript(place, {ref(at)}));
    return {countingLoop(
        {.var = at, .end = intLit(type.extent), .body = block(overNumbers(elements, names, each))})};
  }
  if (!type.is(TypeKind::Struct)) return each(places);
  StmtList result;
  auto part = [&](const std::function<ExprPtr(const ExprPtr&)>& of) {
    std::vector<ExprPtr> parts;
    for (const ExprPtr& place : places) parts.push_back(of(place));
    for (StmtPtr& s : overNumbers(parts, names, each)) result.push_back(std::move(s));
  };
  for (size_t i = 0; i < type.record->bases.size(); ++i)
    part([&](const ExprPtr& place) {
      return makeExpr(type.record->bases[i], Member{place, 0, static_cast<int>(i)});
    });
  for (unsigned i = 0; i < type.record->fields.size(); ++i)
    part([&](const ExprPtr& place) { return member(place, i); });
  return result;
}

StmtList startOf(AccReductionOp op, const ExprPtr& place, RegionNames& names) {
  return overNumbers({place}, names, [&](const std::vector<ExprPtr>& numbers) {
    return StmtList{assign(numbers[0], identityOf(op, numbers[0]->type))};
  });
}

namespace {

// As a person writes it: sum += x.
StmtPtr combiningStatement(AccReductionOp op, const ExprPtr& into, const ExprPtr& from) {
  auto compound = [&](BinaryOp what) {
    return makeStmt(Assign{into, what, convert(from, usualArithmetic(into->type, from->type))});
  };
  if (!into->type->is(TypeKind::Bool)) {
    switch (op) {
      case AccReductionOp::Add: return compound(BinaryOp::Add);
      case AccReductionOp::Mul: return compound(BinaryOp::Mul);
      case AccReductionOp::BitAnd: return compound(BinaryOp::BitAnd);
      case AccReductionOp::BitOr: return compound(BinaryOp::BitOr);
      case AccReductionOp::BitXor: return compound(BinaryOp::BitXor);
      default: break;
    }
  }
  return assign(into, combined(op, into, from));
}

}  // namespace

StmtList combine(AccReductionOp op, const ExprPtr& into, const ExprPtr& from, RegionNames& names) {
  return overNumbers({into, from}, names, [&](const std::vector<ExprPtr>& numbers) {
    return StmtList{combiningStatement(op, numbers[0], numbers[1])};
  });
}

}  // namespace hone::acc
