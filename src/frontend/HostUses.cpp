#include "frontend/HostUses.h"

#include <algorithm>
#include <functional>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

namespace hone::frontend {

using namespace clang;

namespace {

llvm::StringRef nameOf(const CallExpr& call) {
  const FunctionDecl* callee = call.getDirectCallee();
  return callee && callee->getDeclName().isIdentifier() ? callee->getName() : llvm::StringRef();
}

/// Everything below a statement, with the way to it; `visit` returns false to leave out what lies deeper.
void walk(const Stmt* s, std::vector<const Stmt*>& above,
          const std::function<bool(const Stmt&, const std::vector<const Stmt*>&)>& visit) {
  if (!s || !visit(*s, above)) return;
  above.push_back(s);
  for (const Stmt* child : s->children()) walk(child, above, visit);
  above.pop_back();
}

bool any(const Stmt& s, const std::function<bool(const Stmt&)>& holds) {
  bool found = false;
  std::vector<const Stmt*> above;
  walk(&s, above, [&](const Stmt& one, const auto&) {
    found = found || holds(one);
    return !found;
  });
  return found;
}

VariableUse classified(const DeclRefExpr& ref, const std::vector<const Stmt*>& above) {
  VariableUse use{VariableUse::Other, &ref, nullptr};
  if (ref.refersToEnclosingVariableOrCapture()) return use;
  size_t at = above.size();
  const Stmt* inner = &ref;
  auto climb = [&] { inner = above[--at]; };
  auto up = [&]() -> const Stmt* { return at > 0 ? above[at - 1] : nullptr; };
  while (isa_and_nonnull<ParenExpr>(up())) climb();
  auto argumentOf = [&]() -> const CallExpr* {
    while (up() && (isa<ParenExpr, CastExpr>(up()))) climb();
    const auto* call = dyn_cast_or_null<CallExpr>(up());
    const bool isArgument = call && std::any_of(call->arg_begin(), call->arg_end(),
                                                [&](const Expr* arg) { return arg == inner; });
    return isArgument ? call : nullptr;
  };
  if (const auto* read = dyn_cast_or_null<CastExpr>(up()); read && read->getCastKind() == CK_LValueToRValue) {
    use.kind = VariableUse::Read;
    climb();
    use.call = argumentOf();
    return use;
  }
  if (const auto* binary = dyn_cast_or_null<BinaryOperator>(up());
      binary && binary->isAssignmentOp() && binary->getLHS() == inner) {
    use.kind = VariableUse::Written;
    return use;
  }
  if (const auto* unary = dyn_cast_or_null<UnaryOperator>(up())) {
    if (unary->isIncrementDecrementOp()) use.kind = VariableUse::Written;
    if (unary->getOpcode() != UO_AddrOf) return use;
    climb();
    use.call = argumentOf();
    if (use.call && nameOf(*use.call).starts_with("cudaMalloc")) use.kind = VariableUse::Allocated;
    return use;
  }
  const auto* call = dyn_cast_or_null<CallExpr>(up());
  if (call && nameOf(*call) == "swap" && call->getDirectCallee()->isInStdNamespace())
    use.kind = VariableUse::Swapped;
  return use;
}

bool isPureName(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"ceil", "ceilf", "floor", "floorf", "sqrt", "sqrtf"}, true)
      .Cases({"log2", "log2f", "log", "pow", "exp2"}, true)
      .Cases({"min", "max", "abs", "size", "length"}, true)
      .Cases({"data", "get", "raw_pointer_cast"}, true)
      .Default(false);
}

bool mayChange(const Stmt& s) {
  if (const auto* call = dyn_cast<CallExpr>(&s)) {
    const FunctionDecl* callee = call->getDirectCallee();
    return !callee || isa<CXXOperatorCallExpr>(call) || !isPureName(nameOf(*call)) ||
           !callee->getASTContext().getSourceManager().isInSystemHeader(callee->getLocation());
  }
  if (const auto* built = dyn_cast<CXXConstructExpr>(&s)) {
    const CXXConstructorDecl* made = built->getConstructor();
    return made->getParent()->getName() != "dim3" && !made->isTrivial();
  }
  // What lies behind a pointer may be written by the launches themselves.
  if (const auto* unary = dyn_cast<UnaryOperator>(&s))
    return unary->isIncrementDecrementOp() || unary->getOpcode() == UO_Deref;
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(&s))
    return !element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType();
  if (const auto* binary = dyn_cast<BinaryOperator>(&s)) return binary->isAssignmentOp();
  if (const auto* e = dyn_cast<DeclRefExpr>(&s))
    return e->getType().isVolatileQualified() || e->getDecl()->hasAttr<HIPManagedAttr>() ||
           e->getDecl()->hasAttr<CUDADeviceAttr>();
  if (const auto* e = dyn_cast<MemberExpr>(&s))
    return e->getType().isVolatileQualified() || (e->isArrow() && !isa<FunctionDecl>(e->getMemberDecl()));
  return isa<CXXNewExpr, CXXDeleteExpr, CXXThrowExpr, LambdaExpr, StmtExpr, AtomicExpr, RecoveryExpr>(s);
}

}  // namespace

std::vector<VariableUse> variableUses(const FunctionDecl& fn, const VarDecl& var) {
  std::vector<VariableUse> uses;
  std::vector<const Stmt*> above;
  walk(fn.getBody(), above, [&](const Stmt& s, const std::vector<const Stmt*>& way) {
    if (isa<UnaryExprOrTypeTraitExpr>(s)) return false;
    if (const auto* ref = dyn_cast<DeclRefExpr>(&s); ref && ref->getDecl() == &var)
      uses.push_back(classified(*ref, way));
    return true;
  });
  return uses;
}

bool isScratch(const FunctionDecl& fn, const VarDecl& var, const Stmt& loop) {
  if (!var.isLocalVarDecl() || !var.hasLocalStorage()) return false;
  ASTContext& ast = fn.getASTContext();
  const SourceManager& sources = ast.getSourceManager();
  if (var.hasInit() && !var.getInit()->isNullPointerConstant(ast, Expr::NPC_ValueDependentIsNotNull))
    return false;
  // With jumps the order of the text is not that of time.
  if (any(*fn.getBody(), [](const Stmt& s) { return isa<LabelStmt, GotoStmt, IndirectGotoStmt>(s); }))
    return false;
  unsigned allocations = 0;
  for (const VariableUse& use : variableUses(fn, var)) {
    const bool isBefore = sources.isBeforeInTranslationUnit(use.ref->getLocation(), loop.getBeginLoc());
    const bool isAfter = sources.isBeforeInTranslationUnit(loop.getEndLoc(), use.ref->getLocation());
    if (use.kind == VariableUse::Allocated) {
      if (!isBefore || nameOf(*use.call) != "cudaMalloc") return false;
      ++allocations;
    } else if (use.kind == VariableUse::Read && isBefore) {
      const bool known = use.call && (isa<CUDAKernelCallExpr>(use.call) ||
                                      llvm::StringSwitch<bool>(nameOf(*use.call))
                                          .Cases({"cudaMemcpy", "cudaMemcpyAsync"}, true)
                                          .Cases({"cudaMemset", "cudaMemsetAsync"}, true)
                                          .Default(false));
      if (!known) return false;
    } else if (use.kind == VariableUse::Written || use.kind == VariableUse::Swapped) {
      if (isBefore || isAfter) return false;
    } else if (use.kind == VariableUse::Other) {
      return false;
    }
  }
  return allocations == 1;
}

bool onlyFreedAfter(const FunctionDecl& fn, const VarDecl& var, const Stmt& loop) {
  const SourceManager& sources = fn.getASTContext().getSourceManager();
  const std::vector<VariableUse> uses = variableUses(fn, var);
  return std::all_of(uses.begin(), uses.end(), [&](const VariableUse& use) {
    if (!sources.isBeforeInTranslationUnit(loop.getEndLoc(), use.ref->getLocation())) return true;
    return use.kind == VariableUse::Read && use.call && nameOf(*use.call) == "cudaFree";
  });
}

std::set<const VarDecl*> variablesSet(const Stmt& s) {
  std::set<const VarDecl*> found;
  std::vector<const Stmt*> above;
  auto note = [&](const Decl* d) {
    if (const auto* var = dyn_cast_or_null<VarDecl>(d)) found.insert(var);
  };
  walk(&s, above, [&](const Stmt& one, const auto&) {
    if (const auto* declared = dyn_cast<DeclStmt>(&one))
      for (const Decl* d : declared->decls()) note(d);
    if (const auto* assigned = dyn_cast<BinaryOperator>(&one); assigned && assigned->isAssignmentOp())
      if (const auto* ref = dyn_cast<DeclRefExpr>(assigned->getLHS()->IgnoreParens())) note(ref->getDecl());
    return true;
  });
  return found;
}

bool mentions(const Stmt& s, const std::set<const VarDecl*>& variables) {
  return any(s, [&](const Stmt& one) {
    const auto* ref = dyn_cast<DeclRefExpr>(&one);
    const auto* var = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    return var && variables.contains(var);
  });
}

bool mentionsNames(const Stmt& s, const std::set<std::string>& names) {
  return any(s, [&](const Stmt& one) {
    const auto* ref = dyn_cast<DeclRefExpr>(&one);
    return ref && names.contains(ref->getDecl()->getNameAsString());
  });
}

bool isFixed(const Expr& e) { return !any(e, mayChange); }

}  // namespace hone::frontend
