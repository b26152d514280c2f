// Arrays of variable length: flat in the IR, with indices scaled by extents that are known when the function
// or region begins.
#include "clang/AST/ASTContext.h"
#include "frontend/Importer.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

bool isFlatArray(QualType t, const ASTContext& ast) {
  return t->isVariablyModifiedType() && ast.getAsArrayType(t) &&
         ast.getAsArrayType(t)->isVariablyModifiedType() && !isa<IncompleteArrayType>(ast.getAsArrayType(t));
}

// Parameters may be pointers to arrays whose extents are other parameters.
void BodyImporter::noteLengths() {
  for (const ParmVarDecl* parameter : fn.parameters())
    noteLengths(parameter->getType().getNonReferenceType(), parameter->getNameAsString());
}

void BodyImporter::noteLengths(QualType t, const std::string& name) {
  while (t->isVariablyModifiedType()) {
    const ArrayType* array = unit.ast.getAsArrayType(t);
    if (!array && !t->isPointerType()) return;
    if (const auto* variable = dyn_cast_or_null<VariableArrayType>(array);
        variable && variable->getSizeExpr() && !lengths.contains(variable->getSizeExpr())) {
      const ir::ExprPtr extent =
          temporary(name + "_extent", ir::convert(value(variable->getSizeExpr()), ir::int64()));
      lengths[variable->getSizeExpr()] = extent->as<ir::VarRef>()->var;
    }
    t = array ? array->getElementType() : t->getPointeeType();
  }
}

/// How many elements of the IR an array has.
ir::ExprPtr BodyImporter::elementsOf(QualType flat, SourceLocation at) {
  ir::ExprPtr count;
  while (isFlatArray(flat, unit.ast)) {
    const ArrayType* array = unit.ast.getAsArrayType(flat);
    ir::ExprPtr extent;
    if (const auto* constant = dyn_cast<ConstantArrayType>(array)) {
      extent = ir::intLit(constant->getSize().getSExtValue(), ir::int64(), unit.loc(at));
    } else {
      const auto* variable = cast<VariableArrayType>(array);
      const auto known = lengths.find(variable->getSizeExpr());
      if (known == lengths.end()) unit.unexpected("length of an array", at);
      extent = ir::ref(known->second, unit.loc(at));
    }
    count = count ? ir::binary(ir::BinaryOp::Mul, count, extent, unit.loc(at)) : extent;
    flat = array->getElementType();
  }
  return count;
}

/// An element of a row that is itself an element: one subscript does for both.
ir::ExprPtr BodyImporter::elementOfRow(const ir::ExprPtr& row, const ir::ExprPtr& index, ir::SourceLoc at) {
  const auto* address = ir::as<ir::AddressOf>(row);
  const auto* first = address ? ir::as<ir::Subscript>(address->place) : nullptr;
  if (!first || first->indices.size() != 1 || !first->base->type->isPointer())
    return ir::subscript(row, {index}, at);
  const ir::ExprPtr& begin = first->indices[0];
  if (ir::constantValue(begin) == 0) return ir::subscript(first->base, {index}, at);
  return ir::subscript(
      first->base,
      {ir::binary(ir::BinaryOp::Add, ir::convert(begin, ir::int64()), ir::convert(index, ir::int64()), at)},
      at);
}

/// An index through a pointer, in elements of the IR.
ir::ExprPtr BodyImporter::scaled(QualType pointer, ir::ExprPtr index, SourceLocation at) {
  const QualType pointee = pointer->isPointerType() ? pointer->getPointeeType() : QualType();
  if (pointee.isNull() || !isFlatArray(pointee, unit.ast)) return index;
  return ir::binary(ir::BinaryOp::Mul, ir::convert(index, ir::int64()), elementsOf(pointee, at),
                    unit.loc(at));
}

}  // namespace hone::frontend
