// How often a loop runs, as text for the host, where the host can know it before the region begins.
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/AccBodies.h"
#include "frontend/AccWalk.h"
#include "frontend/ConstantValues.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

const VarDecl* variableIn(const Expr* e) {
  const auto* name = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

/// A step of a loop's counter.
struct Step {
  const Expr* by = nullptr;  ///< null: one
  bool isDown = false;
};

std::optional<Step> stepOf(const Expr* inc, const VarDecl& counter) {
  if (!inc) return std::nullopt;
  inc = inc->IgnoreParens();
  if (const auto* unary = dyn_cast<UnaryOperator>(inc))
    return unary->isIncrementDecrementOp() && variableIn(unary->getSubExpr()) == &counter
               ? std::optional(Step{nullptr, unary->isDecrementOp()})
               : std::nullopt;
  const auto* binary = dyn_cast<BinaryOperator>(inc);
  if (!binary || variableIn(binary->getLHS()) != &counter) return std::nullopt;
  if (binary->getOpcode() == BO_AddAssign) return Step{binary->getRHS(), false};
  if (binary->getOpcode() == BO_SubAssign) return Step{binary->getRHS(), true};
  if (binary->getOpcode() != BO_Assign) return std::nullopt;
  const auto* sum = dyn_cast<BinaryOperator>(binary->getRHS()->IgnoreParenImpCasts());
  if (!sum || !sum->isAdditiveOp()) return std::nullopt;
  if (variableIn(sum->getLHS()) == &counter) return Step{sum->getRHS(), sum->getOpcode() == BO_Sub};
  if (variableIn(sum->getRHS()) == &counter && sum->getOpcode() == BO_Add) return Step{sum->getLHS(), false};
  return std::nullopt;
}

std::string castTo(QualType type, const std::string& text) {
  return "(" + type.getCanonicalType().getUnqualifiedType().getAsString() + ")(" + text + ")";
}

}  // namespace

// Values that the region gets as they are, and what C computes of them without faults. They are written out
// where the region begins, where names of the body may mean something else.
bool AccBodies::isKnownBefore(const Expr* e) const {
  if (isa<IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr>(e)) return true;
  if (scope->hasOwnNames) return false;
  if (isa<SubstNonTypeTemplateParmExpr>(e)) return true;
  if (isa<UnaryExprOrTypeTraitExpr>(e)) return !e->isValueDependent() && e->isEvaluatable(unit.ast);
  if (const auto* paren = dyn_cast<ParenExpr>(e)) return isKnownBefore(paren->getSubExpr());
  if (const auto* constant = dyn_cast<ConstantExpr>(e)) return isKnownBefore(constant->getSubExpr());
  if (const auto* cast = dyn_cast<CastExpr>(e)) {
    const CastKind kind = cast->getCastKind();
    return (kind == CK_LValueToRValue || kind == CK_NoOp || kind == CK_IntegralCast) &&
           isKnownBefore(cast->getSubExpr());
  }
  if (const auto* unary = dyn_cast<UnaryOperator>(e)) {
    const UnaryOperatorKind op = unary->getOpcode();
    return (op == UO_Plus || op == UO_Minus || op == UO_Not) && isKnownBefore(unary->getSubExpr());
  }
  if (const auto* binary = dyn_cast<BinaryOperator>(e)) {
    const BinaryOperatorKind op = binary->getOpcode();
    if (op == BO_Div || op == BO_Rem) {
      const std::optional<int64_t> by = constantInt(*binary->getRHS(), unit.ast);
      return by && *by != 0 && *by != -1 && isKnownBefore(binary->getLHS());
    }
    return (op == BO_Add || op == BO_Sub || op == BO_Mul || op == BO_And || op == BO_Or || op == BO_Xor) &&
           isKnownBefore(binary->getLHS()) && isKnownBefore(binary->getRHS());
  }
  const auto* name = dyn_cast<DeclRefExpr>(e);
  if (!name) return false;
  if (isa<EnumConstantDecl>(name->getDecl())) return true;
  const auto* var = dyn_cast<VarDecl>(name->getDecl());
  if (!var || var->getType().isVolatileQualified()) return false;
  const QualType type = var->getType().getNonReferenceType();
  if (!isScalarNumber(type) && !type->isPointerType()) return false;
  const VarDecl* key = var->getCanonicalDecl();
  if (scope->inside.contains(var) || scope->privates.contains(key) || scope->changed.contains(key))
    return false;
  if (constantInt(*name, unit.ast)) return true;
  // The device's copy of what is shared may hold another value.
  for (const AccOperand& operand : scope->clauses.data)
    if (operand.root == var && (operand.reach == AccReach::Object || type->isArithmeticType())) return false;
  return !scope->visible.contains(key) && !scope->reduced.contains(key);
}

/// The type of a counter as a template has it, where its instantiations may have others; else nothing.
std::string AccBodies::dependentType(const VarDecl& counter) const {
  const TypeSourceInfo* written = counter.getTypeSourceInfo();
  if (!isInstance(*scope->site.function) || !written || counter.getType()->getContainedAutoType() ||
      counter.getType()->isReferenceType())
    return "";
  return unit.text(written->getTypeLoc().getSourceRange());
}

std::string AccBodies::trips(const ForStmt& s) {
  const VarDecl* counter = nullptr;
  const Expr* first = nullptr;
  if (const auto* declared = dyn_cast_or_null<DeclStmt>(s.getInit()); declared && declared->isSingleDecl()) {
    counter = dyn_cast<VarDecl>(declared->getSingleDecl());
    first = counter ? counter->getInit() : nullptr;
  } else if (const auto* set = dyn_cast_or_null<BinaryOperator>(s.getInit());
             set && set->getOpcode() == BO_Assign) {
    counter = variableIn(set->getLHS());
    first = set->getRHS();
  }
  const auto* test =
      dyn_cast_or_null<BinaryOperator>(s.getCond() ? s.getCond()->IgnoreParenImpCasts() : nullptr);
  if (!counter || !first || !test || !test->isComparisonOp()) return "";
  const bool isLeft = variableIn(test->getLHS()) == counter;
  if (!isLeft && variableIn(test->getRHS()) != counter) return "";
  BinaryOperatorKind op = test->getOpcode();
  if (!isLeft) op = BinaryOperator::reverseComparisonOp(op);
  const Expr* last = isLeft ? test->getRHS() : test->getLHS();
  const std::optional<Step> step = stepOf(s.getInc(), *counter);
  if (!step || !isKnownBefore(first) || !isKnownBefore(last)) return "";

  std::string by = "1";
  bool isDown = step->isDown;
  bool isConstant = true;
  if (step->by) {
    if (const std::optional<int64_t> number = constantInt(*step->by, unit.ast)) {
      if (*number == 0 || *number == INT64_MIN) return "";
      if (*number < 0) isDown = !isDown;
      by = std::to_string(*number < 0 ? -*number : *number);
      // Of each instantiation of a template it may be another one.
      if (isInstance(*scope->site.function) && !isa<IntegerLiteral>(step->by->IgnoreImpCasts())) {
        if (!isKnownBefore(step->by)) return "";
        by = (*number < 0 ? "(-(long long)(" : "((long long)(") + reader.hostText(*step->by) + "))";
      }
    } else {
      if (!isKnownBefore(step->by)) return "";
      isConstant = false;
      by = "(long long)(" + reader.hostText(*step->by) + ")";
    }
  }
  const QualType compared = test->getLHS()->getType();
  const bool isPointer = compared->isPointerType();
  std::string a = reader.hostText(*first->IgnoreImpCasts()), b = reader.hostText(*last->IgnoreImpCasts());
  if (!isPointer) {
    const std::string type = scope->hasOwnNames ? "" : dependentType(*counter);
    a = type.empty() ? castTo(counter->getType().getNonReferenceType(), a) : "(" + type + ")(" + a + ")";
    // Both sides are of the type that their sum has.
    const std::string common = "(__typeof__(" + a + " + (" + b + ")))";
    a = type.empty() ? castTo(compared, a) : common + "(" + a + ")";
    b = type.empty() ? castTo(compared, b) : common + "(" + b + ")";
  }
  if (isDown) std::swap(a, b);
  const std::string distance =
      isPointer ? "(long long)((" + b + ") - (" + a + "))" : "((long long)" + b + " - (long long)" + a + ")";
  std::string text;
  const BinaryOperatorKind along = isDown ? BinaryOperator::reverseComparisonOp(op) : op;
  if (along == BO_LT)
    text = "(" + b + " > " + a + " ? (" + distance + " - 1) / " + by + " + 1 : 0)";
  else if (along == BO_LE)
    text = "(" + b + " >= " + a + " ? " + distance + " / " + by + " + 1 : 0)";
  else if (along == BO_NE && by == "1")
    text = distance;
  else
    return "";
  return isConstant ? text : "(" + by + " > 0 ? " + text + " : 0)";
}

// Counters of a nest are no values from before the region, so inner loops that hang on them have no number.
void AccBodies::nestTrips(const std::vector<const ForStmt*>& nest, AccLoop& made) {
  made.hostTrips = trips(*nest[0]);
  if (made.hostTrips.empty()) return;
  for (size_t i = 1; i < nest.size(); ++i) {
    std::string inner = trips(*nest[i]);
    if (inner.empty()) {
      made.innerTrips.clear();
      return;
    }
    made.innerTrips.push_back(std::move(inner));
  }
}

}  // namespace hone::frontend
