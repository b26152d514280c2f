#include "frontend/FunctionEffects.h"

#include <algorithm>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

namespace hone::frontend {

using namespace clang;

namespace {

// What an expression names a part of.
enum class PlaceRoot : uint8_t { Own, Given, Other };

bool isReferenceOrPointer(QualType t) { return t->isReferenceType() || t->isPointerType(); }

PlaceRoot rootOfPlace(const Expr* e) {
  e = e->IgnoreParenImpCasts();
  if (const auto* made = dyn_cast<MaterializeTemporaryExpr>(e))
    return made->getType().isVolatileQualified() ? PlaceRoot::Other : PlaceRoot::Own;
  if (const auto* member = dyn_cast<MemberExpr>(e)) {
    if (!isa<FieldDecl>(member->getMemberDecl()) || member->getMemberDecl()->getType()->isReferenceType())
      return PlaceRoot::Other;
    return member->isArrow() ? (isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()) ? PlaceRoot::Given
                                                                                           : PlaceRoot::Other)
                             : rootOfPlace(member->getBase());
  }
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(e)) {
    const Expr* base = element->getBase()->IgnoreParenImpCasts();
    return base->getType()->isArrayType() ? rootOfPlace(base) : PlaceRoot::Other;
  }
  if (const auto* name = dyn_cast<DeclRefExpr>(e)) {
    const auto* var = dyn_cast<VarDecl>(name->getDecl());
    if (!var || name->refersToEnclosingVariableOrCapture() || !var->hasLocalStorage() ||
        var->getType().isVolatileQualified())
      return PlaceRoot::Other;
    if (!var->getType()->isReferenceType()) return PlaceRoot::Own;
    return isa<ParmVarDecl>(var) ? PlaceRoot::Given : PlaceRoot::Other;
  }
  if (const auto* op = dyn_cast<UnaryOperator>(e); op && op->getOpcode() == UO_Deref)
    return isa<CXXThisExpr>(op->getSubExpr()->IgnoreParenImpCasts()) ? PlaceRoot::Given : PlaceRoot::Other;
  if (e->isPRValue()) return PlaceRoot::Own;
  return PlaceRoot::Other;
}

class TextReader : public DynamicRecursiveASTVisitor {
 public:
  explicit TextReader(FunctionEffects& effects) : effects(effects) { ShouldVisitImplicitCode = true; }
  Changes found = Changes::OwnVariables;

  bool VisitBinaryOperator(BinaryOperator* op) override {
    if (op->isAssignmentOp()) changes(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* op) override {
    if (op->isIncrementDecrementOp()) changes(op->getSubExpr());
    if (op->getOpcode() == UO_AddrOf && rootOfPlace(op->getSubExpr()) != PlaceRoot::Own &&
        !isa<FunctionDecl, FieldDecl>(named(op->getSubExpr())))
      anything();
    return true;
  }
  bool VisitCallExpr(CallExpr* call) override {
    const FunctionDecl* callee = call->getDirectCallee();
    if (!callee) return anything();
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    const bool hasObject = method && method->isInstance();
    if (hasObject && method->isVirtual()) return anything();
    std::vector<const Expr*> given;
    const auto* member = dyn_cast<CXXMemberCallExpr>(call);
    if (member) given.push_back(member->getImplicitObjectArgument());
    given.insert(given.end(), call->arg_begin(), call->arg_end());
    called(*callee, given, hasObject ? 1 : 0);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* made) override {
    const CXXConstructorDecl& constructor = *made->getConstructor();
    if (holdsReferences(*constructor.getParent())) return anything();
    if (constructor.isTrivial()) return true;
    if (effects.of(constructor) == Changes::Anything) return anything();
    const std::vector<const Expr*> given(made->arg_begin(), made->arg_end());
    passed(constructor, given, 0);
    return true;
  }
  bool VisitInitListExpr(InitListExpr* list) override {
    const RecordDecl* record = list->getType()->getAsRecordDecl();
    return record && holdsReferences(*record) ? anything() : true;
  }
  bool VisitCastExpr(CastExpr* cast) override {
    switch (cast->getCastKind()) {
      case CK_BaseToDerived:
      case CK_Dynamic:
      case CK_LValueBitCast:
      case CK_BitCast:
      case CK_PointerToIntegral: return anything();
      default: return true;
    }
  }
  bool VisitCXXConstCastExpr(CXXConstCastExpr*) override { return anything(); }
  bool VisitLambdaExpr(LambdaExpr*) override { return anything(); }
  bool VisitGCCAsmStmt(GCCAsmStmt*) override { return anything(); }
  bool VisitCXXNewExpr(CXXNewExpr*) override { return anything(); }
  bool VisitCXXDeleteExpr(CXXDeleteExpr*) override { return anything(); }
  bool VisitAtomicExpr(AtomicExpr*) override { return anything(); }

 private:
  bool anything() {
    found = Changes::Anything;
    return true;
  }
  static const Decl* named(const Expr* e) {
    e = e->IgnoreParenImpCasts();
    if (const auto* name = dyn_cast<DeclRefExpr>(e)) return name->getDecl();
    if (const auto* member = dyn_cast<MemberExpr>(e)) return member->getMemberDecl()->getCanonicalDecl();
    return nullptr;
  }
  void changes(const Expr* e) {
    switch (rootOfPlace(e)) {
      case PlaceRoot::Own: break;
      case PlaceRoot::Given: found = std::max(found, Changes::Given); break;
      case PlaceRoot::Other: anything(); break;
    }
  }
  static bool holdsReferences(const RecordDecl& record) {
    return std::any_of(record.field_begin(), record.field_end(),
                       [](const FieldDecl* field) { return field->getType()->isReferenceType(); });
  }
  void called(const FunctionDecl& callee, const std::vector<const Expr*>& given, size_t skip) {
    const Changes what = effects.of(callee);
    if (what == Changes::Anything) anything();
    if (what != Changes::Given) return;
    // A const method may change `mutable` members of its object.
    const auto* method = dyn_cast<CXXMethodDecl>(&callee);
    if (skip == 1 && !given.empty() &&
        (!method || !method->isConst() || method->getParent()->hasMutableFields()))
      changesGiven(given.front());
    passed(callee, given, skip);
  }
  // What the callee may change through its parameters.
  void passed(const FunctionDecl& callee, const std::vector<const Expr*>& given, size_t skip) {
    if (effects.of(callee) != Changes::Given) return;
    for (size_t i = skip; i < given.size(); ++i) {
      if (i - skip >= callee.getNumParams()) continue;
      const QualType t = callee.getParamDecl(unsigned(i - skip))->getType();
      if (isReferenceOrPointer(t) && !t->getPointeeType().isConstQualified()) changesGiven(given[i]);
    }
  }
  void changesGiven(const Expr* e) {
    const Expr* inner = e->IgnoreParenImpCasts();
    if (const auto* op = dyn_cast<UnaryOperator>(inner); op && op->getOpcode() == UO_AddrOf)
      inner = op->getSubExpr();
    else if (isa<CXXThisExpr>(inner))
      return void(found = std::max(found, Changes::Given));
    else if (inner->getType()->isPointerType())
      return void(anything());
    changes(inner);
  }

  FunctionEffects& effects;
};

// Of a function of a library, without looking into it.
Changes bySignature(const FunctionDecl& fn) {
  const std::string name = fn.getNameAsString();
  for (const char* part : {"sync", "fence", "barrier", "wait", "arrive", "launder"})
    if (name.find(part) != std::string::npos) return Changes::Anything;
  bool isGiven = false;
  for (const ParmVarDecl* p : fn.parameters()) {
    const QualType t = p->getType();
    isGiven |= isReferenceOrPointer(t) && !t->getPointeeType().isConstQualified();
  }
  if (isGiven) return Changes::Given;
  const QualType result = fn.getReturnType();
  return result->isVoidType() || isReferenceOrPointer(result) ? Changes::Anything : Changes::OwnVariables;
}

}  // namespace

Changes FunctionEffects::byText(const FunctionDecl& definition) {
  TextReader reader(*this);
  if (const auto* constructor = dyn_cast<CXXConstructorDecl>(&definition)) {
    for (const CXXCtorInitializer* init : constructor->inits()) {
      if (init->isAnyMemberInitializer() && init->getAnyMember()->getType()->isReferenceType())
        return Changes::Anything;
      reader.TraverseStmt(init->getInit());
    }
  }
  reader.TraverseStmt(definition.getBody());
  return reader.found;
}

Changes FunctionEffects::of(const FunctionDecl& fn) {
  const FunctionDecl* definition = fn.getDefinition();
  const FunctionDecl& one = definition ? *definition : fn;
  const auto [it, isNew] = known.try_emplace(one.getCanonicalDecl(), Changes::Anything);
  if (!isNew) return it->second;  // recursion: not known yet
  const auto* method = dyn_cast<CXXMethodDecl>(&one);
  const bool isMethod = method && method->isInstance();
  Changes what = Changes::Anything;
  if (one.isDefaulted() && isMethod)
    what = Changes::Given;
  else if (!definition || !one.getBody() || (!isMethod && !isUserCode(one.getLocation())))
    what = bySignature(one);
  else
    what = byText(one);
  known[one.getCanonicalDecl()] = what;
  return what;
}

bool FunctionEffects::takesCopies(const FunctionDecl& fn) {
  const FunctionDecl* definition = fn.getDefinition();
  if (!definition || !definition->getBody()) return false;
  for (const ParmVarDecl* p : fn.parameters()) {
    if (!p->getType()->isReferenceType()) continue;
    const QualType t = p->getType()->getPointeeType();
    const CXXRecordDecl* record = t->getAsCXXRecordDecl();
    if (t.isVolatileQualified() || (record && record->hasDefinition() && record->isPolymorphic()))
      return false;
  }
  const auto [it, isNew] = known.try_emplace(fn.getCanonicalDecl(), Changes::Anything);
  if (isNew) known[fn.getCanonicalDecl()] = byText(*definition);
  const Changes what = known[fn.getCanonicalDecl()];
  // A constructor changes the object that it makes.
  return what == Changes::OwnVariables || (what == Changes::Given && isa<CXXConstructorDecl>(fn));
}

}  // namespace hone::frontend
