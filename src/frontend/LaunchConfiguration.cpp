#include "frontend/LaunchConfiguration.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

namespace hone::frontend {

using namespace clang;

namespace {

bool isAttributes(llvm::StringRef field) { return field == "attrs" || field == "numAttrs"; }

bool isZero(const Expr* e) {
  e = e->IgnoreParenImpCasts();
  const auto* number = dyn_cast<IntegerLiteral>(e);
  return isa<ImplicitValueInitExpr, CXXNullPtrLiteralExpr, GNUNullExpr>(e) ||
         (number && number->getValue() == 0);
}

/// All that a function does with its configuration.
class ConfigurationUses {
 public:
  explicit ConfigurationUses(const VarDecl& v) : var(v) {}
  bool isPlain = true, setsNoAttributes = false;

  void look(const Stmt* s) {
    if (!s) return;
    if (const auto* ref = dyn_cast<DeclRefExpr>(s); ref && ref->getDecl() == &var)
      isPlain = isPlain && !ref->refersToEnclosingVariableOrCapture() && isKnown(*ref);
    above.push_back(s);
    for (const Stmt* child : s->children()) look(child);
    above.pop_back();
  }

 private:
  const Stmt* parent(size_t up) const { return above.size() >= up ? above[above.size() - up] : nullptr; }

  bool isKnown(const DeclRefExpr& ref) {
    if (const auto* address = dyn_cast_or_null<UnaryOperator>(parent(1));
        address && address->getOpcode() == UO_AddrOf) {
      size_t up = 2;
      while (isa_and_nonnull<ImplicitCastExpr>(parent(up))) ++up;
      const auto* call = dyn_cast_or_null<CallExpr>(parent(up));
      const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
      return callee && callee->getDeclName().isIdentifier() && callee->getName() == "cudaLaunchKernelEx";
    }
    const auto* member = dyn_cast_or_null<MemberExpr>(parent(1));
    if (!member || member->isArrow() || member->getBase()->IgnoreParens() != &ref) return false;
    const Stmt* use = parent(2);
    if (const auto* unary = dyn_cast_or_null<UnaryOperator>(use); unary && unary->getOpcode() == UO_AddrOf)
      return false;
    if (!isAttributes(member->getMemberDecl()->getName())) return true;
    const auto* assigned = dyn_cast_or_null<BinaryOperator>(use);
    if (!assigned || assigned->getOpcode() != BO_Assign || assigned->getLHS()->IgnoreParens() != member ||
        !isZero(assigned->getRHS()))
      return false;
    setsNoAttributes = setsNoAttributes || member->getMemberDecl()->getName() == "numAttrs";
    return true;
  }

  const VarDecl& var;
  std::vector<const Stmt*> above;
};

}  // namespace

const VarDecl* plainConfiguration(const Expr& pointer, const FunctionDecl& inside) {
  const auto* address = dyn_cast<UnaryOperator>(pointer.IgnoreParenImpCasts());
  if (!address || address->getOpcode() != UO_AddrOf) return nullptr;
  const auto* ref = dyn_cast<DeclRefExpr>(address->getSubExpr()->IgnoreParens());
  const auto* var = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (!var || !var->isLocalVarDecl() || !var->hasLocalStorage() || var->getType()->isReferenceType() ||
      !inside.hasBody())
    return nullptr;
  ConfigurationUses uses(*var);
  uses.look(inside.getBody());
  if (!uses.isPlain) return nullptr;
  const auto* list = var->getInit() ? dyn_cast<InitListExpr>(var->getInit()->IgnoreParenImpCasts()) : nullptr;
  if (!list) return uses.setsNoAttributes ? var : nullptr;
  const RecordDecl* record = var->getType()->getAsRecordDecl();
  if (!record) return nullptr;
  unsigned i = 0;
  for (const FieldDecl* field : record->fields()) {
    if (i < list->getNumInits() && isAttributes(field->getName()) && !isZero(list->getInit(i)))
      return nullptr;
    ++i;
  }
  return var;
}

}  // namespace hone::frontend
