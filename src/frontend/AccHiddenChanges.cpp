// Scalars that a region changes without naming them: their address is known elsewhere, or they are
// references.
#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/AccBodies.h"
#include "frontend/AccText.h"
#include "frontend/AccWalk.h"

namespace hone::frontend {

using namespace clang;

namespace {

/// Memory that a region writes.
struct Write {
  QualType type;  ///< null: any
  const VarDecl* named =
      nullptr;  ///< the variable that it is in; null: it is behind a pointer or a reference
};

/// The variable that a place lies in; null: it is reached through a pointer or a reference.
const VarDecl* variableOf(const Expr& place) {
  const AccMembers members = membersOf(place);
  const auto* name = members.isBehindPointer ? nullptr : dyn_cast<DeclRefExpr>(members.object);
  const auto* var = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  return var && !var->getType()->isReferenceType() ? var : nullptr;
}

/// Whether a function may write what an argument leads to.
bool leadsToMemory(QualType parameter) {
  const QualType to = parameter->getPointeeType();
  return !to.isNull() && !to.isConstQualified();
}

std::vector<Write> writesOf(const Stmt* s) {
  std::vector<Write> writes;
  const auto add = [&](const Expr& place) {
    writes.push_back({place.getType().getNonReferenceType(), variableOf(place)});
  };
  forEachStatement(s, [&](const Stmt& one) {
    if (const auto* binary = dyn_cast<BinaryOperator>(&one); binary && binary->isAssignmentOp())
      add(*binary->getLHS());
    if (const auto* unary = dyn_cast<UnaryOperator>(&one); unary && unary->isIncrementDecrementOp())
      add(*unary->getSubExpr());
    const auto* call = dyn_cast<CallExpr>(&one);
    const auto* type =
        call ? call->getCallee()->getType()->getPointeeType()->getAs<FunctionProtoType>() : nullptr;
    if (!call) return;
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
    if ((method && method->isInstance()) || !type ||
        std::any_of(type->param_type_begin(), type->param_type_end(), leadsToMemory))
      writes.push_back({});
  });
  return writes;
}

/// Whether something other than its value is asked for, or it is set otherwise than by its name.
bool isAddressTaken(const Stmt* s, const VarDecl& decl, bool isByName = false) {
  if (!s || isa<UnaryExprOrTypeTraitExpr>(s)) return false;
  if (const auto* name = dyn_cast<DeclRefExpr>(s)) return !isByName && name->getDecl() == &decl;
  const auto* cast = dyn_cast<CastExpr>(s);
  const auto* unary = dyn_cast<UnaryOperator>(s);
  const auto* binary = dyn_cast<BinaryOperator>(s);
  const bool isUse = (cast && cast->getCastKind() == CK_LValueToRValue) ||
                     (unary && unary->isIncrementDecrementOp()) || (isByName && isa<ParenExpr>(s));
  return std::any_of(s->child_begin(), s->child_end(), [&](const Stmt* child) {
    const bool isSet = binary && binary->isAssignmentOp() && child == binary->getLHS();
    return isAddressTaken(child, decl, isUse || isSet);
  });
}

bool isKnownElsewhere(const VarDecl& decl) {
  if (decl.getType()->isReferenceType()) return true;
  if (decl.getType().isConstQualified()) return false;
  const auto* function = dyn_cast_or_null<FunctionDecl>(decl.getParentFunctionOrMethod());
  return !function || isAddressTaken(function->getBody(), decl);
}

/// Whether a write of one type may change an object of another by the rules of C and C++.
bool mayReach(QualType written, QualType object, const ASTContext& ast) {
  if (written.isNull() || written->isAnyCharacterType() || !written->isScalarType()) return true;
  if (written->isIntegralOrEnumerationType() && object->isIntegralOrEnumerationType())
    return ast.getTypeSize(written) == ast.getTypeSize(object);
  return ast.hasSameUnqualifiedType(written.getCanonicalType(), object.getCanonicalType());
}

}  // namespace

// Kernels constructs have copies of scalars as of arrays, which are where the host's memory is on the device.
// What is never changed there may as well be a value.
void AccBodies::noteHiddenChanges() {
  const std::vector<Write> writes = writesOf(scope->statement);
  std::set<const ValueDecl*> seen;
  forEachStatement(scope->statement, [&](const Stmt& s) {
    const auto* name = dyn_cast<DeclRefExpr>(&s);
    const auto* var = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    if (!var || scope->inside.contains(var) || !seen.insert(var->getCanonicalDecl()).second) return;
    const QualType type = var->getType().getNonReferenceType();
    if (!type->isArithmeticType() && !type->isEnumeralType()) return;
    const bool isReference = var->getType()->isReferenceType();
    const bool isWritten = std::any_of(writes.begin(), writes.end(), [&](const Write& one) {
      return (isReference || !one.named) && mayReach(one.type, type, unit.ast);
    });
    if (!isWritten || !isKnownElsewhere(*var) || scope->changed.contains(var->getCanonicalDecl())) return;
    noteKey(scope->changed, var);
    noteKey(scope->hidden, var);
  });
}

}  // namespace hone::frontend
