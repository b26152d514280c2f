#include "frontend/ConstantValues.h"

#include "clang/AST/ASTContext.h"
#include "frontend/DispatchTargets.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

double toDouble(llvm::APFloat value) {
  bool losesInfo = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

int64_t asInt64(const llvm::APSInt& value) { return int64_t(value.extOrTrunc(64).getZExtValue()); }

uint64_t truncated(int64_t value, const ir::Type& type) {
  const unsigned bits = type.is(ir::TypeKind::Bool) ? 1 : type.bits;
  return bits >= 64 || bits == 0 ? uint64_t(value) : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}

ir::ExprPtr constantLiteral(const Expr& e, ASTContext& ast, ir::TypePtr type, ir::SourceLoc loc,
                            std::string name) {
  if (e.isValueDependent() || e.containsErrors()) return nullptr;
  Expr::EvalResult result;
  if (!e.EvaluateAsRValue(result, ast) || result.HasSideEffects) return nullptr;
  if (result.Val.isInt() && type->isInteger())
    return ir::makeExpr(
        type, ir::IntLiteral{truncated(asInt64(result.Val.getInt()), *type), "", std::move(name)}, loc);
  if (result.Val.isFloat() && type->isFloating())
    return ir::makeExpr(type, ir::FloatLiteral{toDouble(result.Val.getFloat()), "", std::move(name)}, loc);
  return nullptr;
}

ir::ExprPtr constantFrom(const APValue& value, const ir::TypePtr& type, ir::SourceLoc loc) {
  if (value.isInt() && type->isInteger())
    return ir::makeExpr(type, ir::IntLiteral{truncated(asInt64(value.getInt()), *type), "", ""}, loc);
  if (value.isFloat() && type->isFloating()) return ir::floatLit(toDouble(value.getFloat()), type, loc);
  if (value.isLValue() && type->isInteger()) {  // a pointer to a function, as the number that stands for it
    const auto* named = value.getLValueBase().dyn_cast<const ValueDecl*>();
    if (!value.isNullPointer() && !isa_and_nonnull<FunctionDecl>(named)) return nullptr;
    return ir::makeExpr(type, ir::IntLiteral{value.isNullPointer() ? 0 : dispatchId(*named), "", ""}, loc);
  }
  std::vector<ir::ExprPtr> parts;
  auto add = [&](const APValue& part, const ir::TypePtr& partType) {
    parts.push_back(constantFrom(part, partType, loc));
    return parts.back() != nullptr;
  };
  if (value.isArray() && type->is(ir::TypeKind::Array)) {
    for (unsigned i = 0; i < value.getArrayInitializedElts(); ++i)
      if (!add(value.getArrayInitializedElt(i), type->element)) return nullptr;
    // What is left to a filler is zero and implied; another filler comes from a range of designators alone.
    if (value.hasArrayFiller() && value.getArrayInitializedElts() < value.getArraySize()) {
      const APValue& filler = value.getArrayFiller();
      if ((filler.isInt() && filler.getInt() != 0) || (filler.isFloat() && !filler.getFloat().isPosZero()))
        return nullptr;
    }
  } else if (value.isVector() && type->is(ir::TypeKind::Vector)) {
    for (unsigned i = 0; i < value.getVectorLength(); ++i)
      if (!add(value.getVectorElt(i), type->element)) return nullptr;
  } else if (value.isStruct() && type->is(ir::TypeKind::Struct) && !type->record->isUnion) {
    for (unsigned i = 0; i < value.getStructNumBases(); ++i)
      if (i >= type->record->bases.size() || !add(value.getStructBase(i), type->record->bases[i]))
        return nullptr;
    for (unsigned i = 0; i < value.getStructNumFields(); ++i)
      if (i >= type->record->fields.size() || !add(value.getStructField(i), type->record->fields[i].type))
        return nullptr;
  } else if (value.isStruct() && type->is(ir::TypeKind::Vector) &&
             value.getStructNumFields() == type->lanes) {
    for (unsigned i = 0; i < type->lanes; ++i)
      if (!add(value.getStructField(i), type->element)) return nullptr;
  } else {
    return nullptr;
  }
  return ir::makeExpr(type, ir::Construct{std::move(parts)}, loc);
}

std::optional<int64_t> constantInt(const Expr& e, ASTContext& ast) {
  Expr::EvalResult result;
  if (e.isValueDependent() || !e.EvaluateAsInt(result, ast)) return std::nullopt;
  return asInt64(result.Val.getInt());
}

ir::ExprPtr negatedIndex(const ir::ExprPtr& n) {
  if (const auto* literal = ir::as<ir::IntLiteral>(n)) {
    const auto value = ir::constantValue(n);
    if (value && literal->name.empty())
      return ir::intLit(-*value, n->type->bits == 64 ? ir::int64() : ir::int32(), n->loc);
  }
  const bool needsWidth = !n->type->isSigned && n->type->bits < 64 && !n->type->isPlainChar;
  ir::ExprPtr wide = needsWidth ? ir::convert(n, ir::int64(), true) : n;
  ir::TypePtr type = ir::promoted(wide->type);
  return ir::makeExpr(type, ir::Unary{ir::UnaryOp::Neg, ir::convert(wide, type)}, n->loc);
}

}  // namespace hone::frontend
