#include "frontend/QuietStatements.h"

#include <optional>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

namespace hone::frontend {

using namespace clang;

namespace {

constexpr unsigned deepest = 4;  // calls of functions that call functions

llvm::StringRef nameOf(const FunctionDecl& fn) {
  return fn.getDeclName().isIdentifier() ? fn.getName() : llvm::StringRef();
}

bool tellsOfErrors(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"cudaGetLastError", "cudaPeekAtLastError"}, true)
      .Cases({"cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaStreamSynchronize"}, true)
      .Default(false);
}

bool namesErrors(llvm::StringRef name) { return name == "cudaGetErrorString" || name == "cudaGetErrorName"; }

const Expr* stripped(const Expr* e) {
  for (;;) {
    const Expr* inner = e->IgnoreParenCasts();
    if (const auto* cleanups = dyn_cast<ExprWithCleanups>(inner)) inner = cleanups->getSubExpr();
    if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(inner)) inner = temporary->getSubExpr();
    if (const auto* constant = dyn_cast<ConstantExpr>(inner)) inner = constant->getSubExpr();
    if (const auto* given = dyn_cast<SubstNonTypeTemplateParmExpr>(inner)) inner = given->getReplacement();
    if (inner == e) return e;
    e = inner;
  }
}

// Follows what runs while there is no error.
class Quiet {
 public:
  enum class Flow { Bad, Next, Ends };

  explicit Quiet(const ASTContext& ast) : context(ast) {}

  Flow stmt(const Stmt* s) {
    if (!s || isa<NullStmt>(s)) return Flow::Next;
    if (const auto* e = dyn_cast<Expr>(s)) return expr(e) ? Flow::Next : Flow::Bad;
    if (const auto* attributed = dyn_cast<AttributedStmt>(s)) return stmt(attributed->getSubStmt());
    if (const auto* compound = dyn_cast<CompoundStmt>(s)) {
      for (const Stmt* child : compound->body())
        if (const Flow flow = stmt(child); flow != Flow::Next) return flow;
      return Flow::Next;
    }
    if (const auto* once = dyn_cast<DoStmt>(s)) {
      bool again = true;
      const bool known =
          !once->getCond()->isValueDependent() && once->getCond()->EvaluateAsBooleanCondition(again, context);
      return known && !again ? stmt(once->getBody()) : Flow::Bad;
    }
    if (const auto* choice = dyn_cast<IfStmt>(s)) {
      if (stmt(choice->getInit()) != Flow::Next) return Flow::Bad;
      if (choice->getConditionVariable() && !variable(*choice->getConditionVariable())) return Flow::Bad;
      if (!expr(choice->getCond())) return Flow::Bad;
      if (auto holds = outcome(choice->getCond()))
        return stmt(*holds ? choice->getThen() : choice->getElse());
      return stmt(choice->getThen()) == Flow::Next && stmt(choice->getElse()) == Flow::Next ? Flow::Next
                                                                                            : Flow::Bad;
    }
    if (const auto* declared = dyn_cast<DeclStmt>(s)) {
      for (const Decl* d : declared->decls()) {
        const auto* var = dyn_cast<VarDecl>(d);
        if (!var || !variable(*var)) return Flow::Bad;
      }
      return Flow::Next;
    }
    if (const auto* back = dyn_cast<ReturnStmt>(s))
      return !back->getRetValue() || expr(back->getRetValue()) ? Flow::Ends : Flow::Bad;
    return Flow::Bad;
  }

 private:
  bool variable(const VarDecl& var) {
    if (!var.hasLocalStorage() || !var.getType()->isScalarType()) return false;
    own.insert(&var);
    if (!var.getInit()) return true;
    if (!expr(var.getInit())) return false;
    if (isSuccess(var.getInit())) successes.insert(&var);
    return true;
  }

  bool expr(const Expr* given) {
    const Expr* e = stripped(given);
    if (isa<IntegerLiteral, CXXBoolLiteralExpr, StringLiteral, CXXNullPtrLiteralExpr, GNUNullExpr,
            CharacterLiteral, PredefinedExpr, SourceLocExpr, CXXDefaultArgExpr>(e))
      return true;
    if (isa<DeclRefExpr>(e)) return !e->getType().isVolatileQualified();
    if (const auto* unary = dyn_cast<UnaryOperator>(e))
      return !unary->isIncrementDecrementOp() && expr(unary->getSubExpr());
    if (const auto* binary = dyn_cast<BinaryOperator>(e)) return operation(*binary);
    if (const auto* choice = dyn_cast<ConditionalOperator>(e)) {
      if (!expr(choice->getCond())) return false;
      if (auto holds = outcome(choice->getCond()))
        return expr(*holds ? choice->getTrueExpr() : choice->getFalseExpr());
      return expr(choice->getTrueExpr()) && expr(choice->getFalseExpr());
    }
    if (const auto* call = dyn_cast<CallExpr>(e)) return quietCall(*call);
    return false;
  }

  bool operation(const BinaryOperator& e) {
    if (e.isCompoundAssignmentOp()) return false;
    if (e.isLogicalOp()) {
      if (!expr(e.getLHS())) return false;
      const auto first = outcome(e.getLHS());
      if (first && *first == (e.getOpcode() == BO_LOr)) return true;  // the other one does not run
      return expr(e.getRHS());
    }
    if (e.getOpcode() != BO_Assign) return expr(e.getLHS()) && expr(e.getRHS());
    // A variable that holds what the last check said holds success then.
    const auto* target = dyn_cast<DeclRefExpr>(e.getLHS()->IgnoreParens());
    const auto* var = target ? dyn_cast<VarDecl>(target->getDecl()) : nullptr;
    if (!var || !var->hasLocalStorage() || !expr(e.getRHS())) return false;
    if (isSuccess(e.getRHS()))
      successes.insert(var);
    else if (own.contains(var))
      successes.erase(var);
    else
      return false;
    return true;
  }

  bool quietCall(const CallExpr& e) {
    const FunctionDecl* callee = e.getDirectCallee();
    if (!callee || isa<CXXMemberCallExpr, CXXOperatorCallExpr, CUDAKernelCallExpr>(e)) return false;
    for (const Expr* arg : e.arguments())
      if (!expr(arg)) return false;
    if (tellsOfErrors(nameOf(*callee)) || namesErrors(nameOf(*callee))) return true;
    const FunctionDecl* definition = callee->getDefinition();
    if (!definition || !definition->hasBody() || definition->isVariadic() || depth >= deepest ||
        definition->getASTContext().getSourceManager().isInSystemHeader(definition->getLocation()))
      return false;
    for (unsigned i = 0; i < definition->getNumParams() && i < e.getNumArgs(); ++i) {
      const ParmVarDecl* param = definition->getParamDecl(i);
      const QualType type = param->getType();
      // A reference may be written through.
      if (type->isReferenceType() && !type.getNonReferenceType().isConstQualified()) return false;
      if (isSuccess(e.getArg(i))) successes.insert(param);
      own.insert(param);
    }
    ++depth;
    const Flow flow = stmt(definition->getBody());
    --depth;
    return flow != Flow::Bad;
  }

  // The value of an expression is cudaSuccess, as far as one can see.
  bool isSuccess(const Expr* given) const {
    const Expr* e = stripped(given);
    if (const auto* ref = dyn_cast<DeclRefExpr>(e)) return successes.contains(ref->getDecl());
    if (const auto* call = dyn_cast<CallExpr>(e))
      return call->getDirectCallee() && tellsOfErrors(nameOf(*call->getDirectCallee()));
    const auto* assigned = dyn_cast<BinaryOperator>(e);
    return assigned && assigned->getOpcode() == BO_Assign && isSuccess(assigned->getRHS());
  }

  static bool isZero(const Expr* e) {
    if (const auto* ref = dyn_cast<DeclRefExpr>(stripped(e)))
      if (const auto* constant = dyn_cast<EnumConstantDecl>(ref->getDecl()))
        return constant->getInitVal() == 0;
    const auto* literal = dyn_cast<IntegerLiteral>(stripped(e));
    return literal && literal->getValue() == 0;
  }

  // What a condition says while there is no error; nothing: it may be about something else.
  std::optional<bool> outcome(const Expr* given) const {
    const Expr* e = stripped(given);
    if (isSuccess(e)) return false;
    if (const auto* literal = dyn_cast<CXXBoolLiteralExpr>(e)) return literal->getValue();
    if (const auto* unary = dyn_cast<UnaryOperator>(e); unary && unary->getOpcode() == UO_LNot) {
      const auto inner = outcome(unary->getSubExpr());
      return inner ? std::optional(!*inner) : std::nullopt;
    }
    const auto* binary = dyn_cast<BinaryOperator>(e);
    if (!binary) return std::nullopt;
    if (binary->isEqualityOp()) {
      const bool compares = (isSuccess(binary->getLHS()) && isZero(binary->getRHS())) ||
                            (isSuccess(binary->getRHS()) && isZero(binary->getLHS()));
      return compares ? std::optional(binary->getOpcode() == BO_EQ) : std::nullopt;
    }
    if (!binary->isLogicalOp()) return std::nullopt;
    const bool decides = binary->getOpcode() == BO_LOr;
    const auto first = outcome(binary->getLHS()), second = outcome(binary->getRHS());
    if (first == decides || second == decides) return decides;
    return first && second ? std::optional(!decides) : std::nullopt;
  }

  const ASTContext& context;
  std::set<const ValueDecl*> own, successes;  // variables of the check itself; those that hold cudaSuccess
  unsigned depth = 0;
};

}  // namespace

bool isQuiet(const Stmt& s, const ASTContext& context) {
  return Quiet(context).stmt(&s) == Quiet::Flow::Next;
}

}  // namespace hone::frontend
