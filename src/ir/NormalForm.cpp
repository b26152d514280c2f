#include "ir/NormalForm.h"

#include <cmath>

#include "ir/Integers.h"
#include "ir/NamedValues.h"

namespace hone::ir {

namespace {

bool isIntOrBool(const Type& type) { return type.is(TypeKind::Int) || type.is(TypeKind::Bool); }
bool isPlainNumber(const Type& type) {
  return isIntOrBool(type) || (type.is(TypeKind::Float) && type.bits >= 32);
}

// The constant as a number of the type, where the type holds it exactly; else null.
ExprPtr exactNumber(double value, const TypePtr& type, SourceLoc loc) {
  if (type->bits == 32 && static_cast<double>(static_cast<float>(value)) != value) return nullptr;
  return std::isfinite(value) ? floatLit(value, type, loc) : nullptr;
}

class Normalizer : public Rewriter {
 public:
  explicit Normalizer(const StmtPtr& body) {
    walkStmts(body, [&](const Stmt& s) { names.note(s); });
  }

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (ExprPtr value = names.of(e); value != e) return value;
    if (const auto* element = as<Subscript>(e)) {
      Subscript plain = *element;
      for (ExprPtr& index : plain.indices) index = indexValue(index);
      return plain.indices == element->indices ? e : makeExpr(e->type, std::move(plain), e->loc);
    }
    if (const auto* cast = as<Cast>(e)) return converted(cast->operand, e->type, e->loc, e);
    return folded(e);
  }

  // Braces around all of a case say nothing: text has them where declarations stand in it.
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* choice = as<Switch>(s);
    if (!choice) return {s};
    Switch plain = *choice;
    for (SwitchCase& one : plain.cases)
      while (one.body.size() == 1 && one.body.front()->is<Block>())
        one.body = StmtList(as<Block>(one.body.front())->stmts);
    return {makeStmt(std::move(plain), s->loc)};
  }

 private:
  static ExprPtr folded(const ExprPtr& e) {
    if (!e->type->is(TypeKind::Int) || e->is<IntLiteral>()) return e;
    const auto value = integerValue(e, [](const ExprPtr&) { return std::nullopt; });
    return value ? intLit(*value, e->type, e->loc) : e;
  }

  // An index counts by its value alone, and `p - n` goes back by the value of n.
  static ExprPtr indexValue(const ExprPtr& given) {
    const ExprPtr index = withoutWidening(given);
    const auto number = index->is<IntLiteral>() ? constantValue(index) : std::nullopt;
    if (number) return intLit(*number, int64(), index->loc);
    const auto* negative = as<Unary>(index);
    if (!negative || negative->op != UnaryOp::Neg || !index->type->isSigned) return index;
    return makeExpr(int64(), Unary{UnaryOp::Neg, withoutWidening(negative->operand)}, index->loc);
  }
  static ExprPtr withoutWidening(ExprPtr e) {
    for (const auto* cast = as<Cast>(e); cast && preservesValue(*cast->operand->type, *e->type);
         cast = as<Cast>(e))
      e = cast->operand;
    return e;
  }

  // The operand, in normal form, as a value of the type; `whole` is the conversion as it stands, if it does.
  static ExprPtr converted(const ExprPtr& operand, const TypePtr& type, SourceLoc loc, const ExprPtr& whole) {
    const Type &to = *type, &from = *operand->type;
    auto plain = [&] { return whole ? whole : makeExpr(type, Cast{operand}, loc); };
    if (!isPlainNumber(to) || !isPlainNumber(from)) return plain();
    if (sameType(from, to)) return operand;
    if (const auto* choice = as<Select>(operand))
      return makeExpr(type,
                      Select{choice->cond, converted(choice->yes, type, loc, nullptr),
                             converted(choice->no, type, loc, nullptr)},
                      loc);
    if (const auto* inner = as<Cast>(operand)) {
      const Type& first = *inner->operand->type;
      const bool cutsMore =
          isIntOrBool(first) && from.is(TypeKind::Int) && to.is(TypeKind::Int) && to.bits <= from.bits;
      // Of what a fraction is cut off, C says less than of what is cut to fewer bits.
      const bool isNeedless = preservesValue(first, from) && (isIntOrBool(from) || to.is(TypeKind::Float));
      if (isPlainNumber(first) && (isNeedless || cutsMore))
        return converted(inner->operand, type, loc, nullptr);
    }
    if (const auto* literal = as<FloatLiteral>(operand); literal && to.is(TypeKind::Float)) {
      const ExprPtr exact = exactNumber(literal->value, type, loc);
      return exact ? exact : plain();
    }
    if (operand->is<IntLiteral>() && to.is(TypeKind::Float)) {
      const auto value = constantValue(operand);
      constexpr int64_t most = int64_t{1} << 53;
      const bool isExact = value && *value >= -most && *value <= most;
      const ExprPtr exact = isExact ? exactNumber(static_cast<double>(*value), type, loc) : nullptr;
      return exact ? exact : plain();
    }
    return folded(plain());
  }

  NamedValues names;
};

}  // namespace

bool preservesValue(const Type& from, const Type& to) {
  if (sameType(from, to)) return true;
  if (from.is(TypeKind::Bool)) return to.isArithmetic();
  if (to.is(TypeKind::Bool)) return false;
  if (from.isInteger() && to.isInteger()) {
    if (from.isSigned && !to.isSigned) return false;
    return from.isSigned == to.isSigned ? from.bits <= to.bits : from.bits < to.bits;
  }
  if (from.isInteger() && to.is(TypeKind::Float)) {
    const unsigned digits = to.bits == 64 ? 53 : to.bits == 32 ? 24 : 11;
    return from.bits - (from.isSigned ? 1 : 0) <= digits;
  }
  return from.is(TypeKind::Float) && to.is(TypeKind::Float) && from.bits <= to.bits;
}

StmtPtr normalForm(const StmtPtr& body) { return Normalizer(body).rewriteBlock(body); }

}  // namespace hone::ir
