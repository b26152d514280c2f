// Expressions of Clang to pure expressions of the IR; what has effects goes to ImportEffects and ImportCalls.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprOpenMP.h"
#include "clang/Lex/Lexer.h"
#include "frontend/ConstantValues.h"
#include "frontend/Importer.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

// One wrapper taken off, null when there is none.
const Expr* unwrapOnce(const Expr* e) {
  if (const auto* x = dyn_cast<ParenExpr>(e)) return x->getSubExpr();
  if (const auto* x = dyn_cast<FullExpr>(e)) return x->getSubExpr();
  if (const auto* x = dyn_cast<CXXBindTemporaryExpr>(e)) return x->getSubExpr();
  if (const auto* x = dyn_cast<CXXDefaultArgExpr>(e)) return x->getExpr();
  if (const auto* x = dyn_cast<CXXDefaultInitExpr>(e)) return x->getExpr();
  if (const auto* x = dyn_cast<GenericSelectionExpr>(e); x && !x->isResultDependent())
    return x->getResultExpr();
  if (const auto* x = dyn_cast<ChooseExpr>(e); x && !x->isConditionDependent()) return x->getChosenSubExpr();
  if (const auto* x = dyn_cast<OpaqueValueExpr>(e)) return x->getSourceExpr();
  if (const auto* x = dyn_cast<UnaryOperator>(e); x && x->getOpcode() == UO_Extension) return x->getSubExpr();
  return nullptr;
}

}  // namespace

const Expr* unwrap(const Expr* e) {
  while (const Expr* inner = unwrapOnce(e)) e = inner;
  return e;
}

std::optional<ir::BinaryOp> binaryOp(BinaryOperatorKind kind) {
  switch (kind) {
    case BO_Add:
    case BO_AddAssign: return ir::BinaryOp::Add;
    case BO_Sub:
    case BO_SubAssign: return ir::BinaryOp::Sub;
    case BO_Mul:
    case BO_MulAssign: return ir::BinaryOp::Mul;
    case BO_Div:
    case BO_DivAssign: return ir::BinaryOp::Div;
    case BO_Rem:
    case BO_RemAssign: return ir::BinaryOp::Rem;
    case BO_Shl:
    case BO_ShlAssign: return ir::BinaryOp::Shl;
    case BO_Shr:
    case BO_ShrAssign: return ir::BinaryOp::Shr;
    case BO_And:
    case BO_AndAssign: return ir::BinaryOp::BitAnd;
    case BO_Or:
    case BO_OrAssign: return ir::BinaryOp::BitOr;
    case BO_Xor:
    case BO_XorAssign: return ir::BinaryOp::BitXor;
    case BO_LT: return ir::BinaryOp::Lt;
    case BO_GT: return ir::BinaryOp::Gt;
    case BO_LE: return ir::BinaryOp::Le;
    case BO_GE: return ir::BinaryOp::Ge;
    case BO_EQ: return ir::BinaryOp::Eq;
    case BO_NE: return ir::BinaryOp::Ne;
    default: return std::nullopt;
  }
}

ir::ExprPtr BodyImporter::value(const Expr* e) {
  const Nesting nesting = nested("an expression", e);
  // A macro of several tokens keeps its name only in parentheses: x / N must not become x / 16 * 2.
  if (isScalarNumber(e->getType()) && !isa<ImplicitCastExpr, BinaryOperator, ConditionalOperator>(e) &&
      !e->isValueDependent() && e->getBeginLoc().isMacroID())
    if (std::string name = unit.macroName(*e); !name.empty())
      if (ir::ExprPtr literal =
              constantLiteral(*e, unit.ast, unit.type(e->getType(), e->getBeginLoc()), loc(e), name))
        return literal;
  return valueUnnamed(e);
}

ir::ExprPtr BodyImporter::valueUnnamed(const Expr* e) {
  if (const auto* paren = dyn_cast<ParenExpr>(e)) return value(paren->getSubExpr());
  const Expr* inner = unwrap(e);
  if (inner != e) return value(inner);
  if (e->containsErrors()) refuse("code that Clang could not understand", e);
  if (ir::ExprPtr c = coordinate(e)) return c;
  if (const auto* held = dyn_cast<MaterializeTemporaryExpr>(e)) return value(held->getSubExpr());
  if (const auto* text = dyn_cast<StringLiteral>(e))
    return characters(*text, unit.type(e->getType(), e->getBeginLoc()));
  if (e->isGLValue() && !isa<CallExpr>(e)) return place(e);

  const ir::SourceLoc at = loc(e);
  auto typeOf = [&] { return unit.type(e->getType(), e->getBeginLoc()); };
  if (const auto* x = dyn_cast<IntegerLiteral>(e))
    return ir::makeExpr(typeOf(),
                        ir::IntLiteral{x->getValue().getZExtValue(), unit.text(x->getSourceRange()), ""}, at);
  if (const auto* x = dyn_cast<CharacterLiteral>(e)) {
    auto type = typeOf();
    return ir::makeExpr(
        type, ir::IntLiteral{truncated(x->getValue(), *type), unit.text(x->getSourceRange()), ""}, at);
  }
  if (const auto* x = dyn_cast<FloatingLiteral>(e))
    return ir::makeExpr(typeOf(),
                        ir::FloatLiteral{toDouble(x->getValue()), unit.text(x->getSourceRange()), ""}, at);
  if (const auto* x = dyn_cast<CXXBoolLiteralExpr>(e)) return ir::boolLit(x->getValue(), at);
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr>(e)) return ir::makeExpr(typeOf(), ir::NullPointer{}, at);
  if (const auto* x = dyn_cast<SubstNonTypeTemplateParmExpr>(e)) {
    ir::ExprPtr literal = constantLiteral(*x, unit.ast, typeOf(), at, x->getParameter()->getNameAsString());
    return literal ? literal : value(x->getReplacement());
  }
  if (const auto* x = dyn_cast<DeclRefExpr>(e)) return declRef(*x);  // enumerators
  if (const auto* x = dyn_cast<CastExpr>(e)) return castValue(*x);
  if (const auto* x = dyn_cast<BinaryOperator>(e)) return binaryValue(*x);
  if (const auto* x = dyn_cast<UnaryOperator>(e)) return unaryValue(*x);
  if (const auto* x = dyn_cast<AbstractConditionalOperator>(e)) return select(*x);
  if (const auto* x = dyn_cast<CallExpr>(e)) {
    return callResult(*x);
  }
  if (const auto* x = dyn_cast<CXXConstructExpr>(e)) {
    ir::ExprPtr made = construct(*x);
    return made ? made : zero(typeOf(), e->getBeginLoc());
  }
  if (const auto* x = dyn_cast<CXXInheritedCtorInitExpr>(e)) refuse("inherited constructor", x);
  if (const auto* x = dyn_cast<InitListExpr>(e)) return initList(*x);
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(e)) return zero(typeOf(), e->getBeginLoc());
  if (isa<CXXThisExpr>(e)) return thisPointer(at);
  if (const auto* x = dyn_cast<UnaryExprOrTypeTraitExpr>(e)) {
    std::string name;
    if (x->getKind() == UETT_SizeOf && !x->getTypeOfArgument()->isArrayType() &&
        !x->getTypeOfArgument()->isDependentType()) {
      ir::TypePtr t = unit.type(x->getTypeOfArgument().getNonReferenceType(), e->getBeginLoc());
      if (t->isArithmetic() || t->is(ir::TypeKind::Struct) || t->is(ir::TypeKind::Vector))
        name = "sizeof(" +
               (t->spelling.empty() ? unit.typeName(x->getTypeOfArgument().getNonReferenceType())
                                    : t->spelling) +
               ")";
    }
    if (ir::ExprPtr literal = constantLiteral(*e, unit.ast, typeOf(), at, name)) return literal;
  }
  if (isa<ExtVectorElementExpr>(e)) return place(e);
  if (const auto* x = dyn_cast<MemberExpr>(e)) return memberPlace(*x);
  if (const auto* x = dyn_cast<CompoundLiteralExpr>(e)) return value(x->getInitializer());
  if (const auto* x = dyn_cast<ConvertVectorExpr>(e))
    return ir::convert(value(x->getSrcExpr()), typeOf(), true);
  if (const auto* x = dyn_cast<AsTypeExpr>(e)) {  // OpenCL as_type
    ir::Call node;
    node.intrinsic = &ir::intrinsic("as");
    node.args = {value(x->getSrcExpr())};
    return ir::makeExpr(typeOf(), std::move(node), at);
  }
  if (const auto* x = dyn_cast<MaterializeTemporaryExpr>(e)) return value(x->getSubExpr());
  if (const auto* x = dyn_cast<LambdaExpr>(e)) return closure(*x);
  if (const auto* made = dyn_cast<CXXNewExpr>(e)) return newObject(*made);
  if (const auto* ended = dyn_cast<CXXDeleteExpr>(e)) {
    deleteObject(*ended);
    return nullptr;
  }
  if (const auto* x = dyn_cast<StmtExpr>(e)) {
    const CompoundStmt& whole = *x->getSubStmt();
    const auto* result = whole.body_empty() ? nullptr : dyn_cast<Expr>(whole.body_back());
    if (!result) refuse("statement expression without a value", e);
    const Expr* saved = std::exchange(fullExpr, nullptr);
    for (const Stmt* s : whole.body())
      if (s != result) statement(s);
    fullExpr = saved;
    return value(result);
  }
  if (isa<ShuffleVectorExpr>(e)) refuse("__builtin_shufflevector", e);
  if (isScalarNumber(e->getType()))
    if (ir::ExprPtr literal = constantLiteral(*e, unit.ast, typeOf(), at, "")) return literal;
  refuse(std::string("expression of kind ") + e->getStmtClassName() + " has no place in the kernel IR", e);
}

ir::ExprPtr BodyImporter::condition(const Expr* e) {
  const Nesting nesting = nested("an expression", e);
  const Expr* inner = unwrap(e);
  if (const auto* x = dyn_cast<ImplicitCastExpr>(inner); x && x->getType()->isBooleanType()) {
    ir::ExprPtr v = castValue(*x);
    if (const auto* c = ir::as<ir::Cast>(v); c && c->operand->is<ir::IntLiteral>())
      return ir::boolLit(c->operand->as<ir::IntLiteral>()->value != 0, loc(e));
    return v;
  }
  if (inner->getType()->isBooleanType()) return value(e);
  if (const auto* x = dyn_cast<BinaryOperator>(inner);
      x && (x->isComparisonOp() || x->isLogicalOp()) && !x->getType()->isVectorType()) {
    ir::ExprPtr v = binaryValue(*x);  // in C the value is an int made of a bool
    const auto* cast = ir::as<ir::Cast>(v);
    return cast && cast->operand->type->is(ir::TypeKind::Bool) ? cast->operand : v;
  }
  if (const auto* x = dyn_cast<UnaryOperator>(inner);
      x && x->getOpcode() == UO_LNot && !x->getType()->isVectorType())
    return ir::unary(ir::UnaryOp::Not, condition(x->getSubExpr()), loc(e));
  if (inner->getType()->isVectorType()) unexpected("vector as a condition", e);
  ir::ExprPtr v = value(e);
  if (const auto* literal = ir::as<ir::IntLiteral>(v)) return ir::boolLit(literal->value != 0, loc(e));
  // C promotes what C++ tests as it is.
  if (const auto* promotion = ir::as<ir::Cast>(v);
      unit.isC && promotion && !promotion->isExplicit && promotion->operand->type->isInteger() &&
      ir::sameType(ir::promoted(promotion->operand->type), v->type))
    v = promotion->operand;
  return ir::convert(v, ir::boolType());
}

// A cast that takes const or volatile away must stay, although no IR type changes: the text would not compile
// without it. One that adds volatile says how memory is accessed.
static bool changesQualifiers(QualType from, QualType to) {
  if (!to->isPointerType()) return false;
  const QualType target = to->getPointeeType();
  const QualType pointee =
      from->isPointerType() ? from->getPointeeType() : QualType(from->getPointeeOrArrayElementType(), 0);
  const auto lost = [&](unsigned bit) {
    return (pointee.getCVRQualifiers() & bit) && !(target.getCVRQualifiers() & bit);
  };
  return lost(Qualifiers::Const) || lost(Qualifiers::Volatile) ||
         (target.isVolatileQualified() && !pointee.isVolatileQualified());
}

// Below conversions that change nothing, so that `const T x = f()` is the call itself.
static const Expr* rootOf(const Expr* e) {
  while (true) {
    const Expr* inner = unwrap(e);
    if (const auto* m = dyn_cast<MaterializeTemporaryExpr>(inner)) inner = m->getSubExpr();
    if (const auto* c = dyn_cast<CastExpr>(inner); c && c->getCastKind() == CK_NoOp) inner = c->getSubExpr();
    if (inner == e) return e;
    e = inner;
  }
}

ir::ExprPtr BodyImporter::rootValue(const Expr* e) {
  const Expr* saved = std::exchange(rootCall, rootOf(e));
  ir::ExprPtr v = value(e);
  rootCall = saved;
  return v;
}

ir::ExprPtr BodyImporter::castValue(const CastExpr& e) {
  const Expr* sub = e.getSubExpr();
  const bool isExplicit = isa<ExplicitCastExpr>(e);
  if (isExplicit) noteLengths(e.getType(), "row");
  auto target = [&] { return unit.type(e.getType(), e.getBeginLoc()); };
  switch (e.getCastKind()) {
    case CK_LValueToRValue: {
      if (const auto* literal = dyn_cast<CompoundLiteralExpr>(unwrap(sub)))
        return value(literal->getInitializer());
      if (const auto* either = dyn_cast<ConditionalOperator>(unwrap(sub))) return select(*either);
      ir::ExprPtr p = place(sub);
      noteAccess(p, false);
      return p;
    }
    case CK_ArrayToPointerDecay: {
      if (isFlatArray(sub->getType(), unit.ast)) return addressOf(place(sub));
      return addressOf(ir::subscript(place(sub), {ir::intLit(0)}, loc(&e)));
    }
    case CK_NoOp:
    case CK_ToVoid:
    case CK_UserDefinedConversion:
    case CK_ConstructorConversion:
    case CK_AtomicToNonAtomic:
    case CK_NonAtomicToAtomic: {
      if (e.getCastKind() == CK_ToVoid) unexpected("value of a cast to void", &e);
      ir::ExprPtr v = value(sub);
      const Expr* given = sub;  // static_cast converts implicitly first
      for (const auto* c = dyn_cast<ImplicitCastExpr>(given); c && c->getCastKind() == CK_NoOp;
           c = dyn_cast<ImplicitCastExpr>(given))
        given = c->getSubExpr();
      if (isExplicit && changesQualifiers(given->getType(), e.getType()))
        return ir::makeExpr(target(), ir::Cast{v, true}, loc(&e));
      if (isExplicit)
        if (const auto* cast = ir::as<ir::Cast>(v))
          return ir::makeExpr(v->type, ir::Cast{cast->operand, true}, v->loc);
      return v;
    }
    case CK_NullToPointer:
      if (const ir::TypePtr to = target(); !to->isPointer()) return zero(to, e.getBeginLoc());
      return ir::makeExpr(target(), ir::NullPointer{}, loc(&e));
    case CK_IntegralToBoolean:
    case CK_FloatingToBoolean:
    case CK_PointerToBoolean: {
      if (!isExplicit && sub->getType()->isIntegralOrEnumerationType() && !unit.isC) {
        const Expr* inner = unwrap(sub);
        if (const auto* b = dyn_cast<BinaryOperator>(inner); b && b->isComparisonOp()) return value(sub);
      }
      ir::ExprPtr v = value(sub);
      // In C a comparison is an int made of a bool: the truth of that int is the bool again.
      if (const auto* made = ir::as<ir::Cast>(v);
          unit.isC && made && !made->isExplicit && made->operand->type->is(ir::TypeKind::Bool) && !isExplicit)
        return made->operand;
      return ir::convert(v, target(), isExplicit);
    }
    case CK_IntegralCast:
    case CK_IntegralToFloating:
    case CK_FloatingCast:
    case CK_FloatingToIntegral:
    case CK_BooleanToSignedIntegral:
    case CK_BitCast:
    case CK_PointerToIntegral:
    case CK_IntegralToPointer:
    case CK_AddressSpaceConversion: {
      ir::TypePtr to = target();
      if (to->is(ir::TypeKind::Vector)) {
        ir::ExprPtr v = value(sub);
        if (e.getCastKind() == CK_BitCast && !v->type->isPointer())
          refuse("vector reinterpreted by a cast", &e);
        return ir::convert(v, to, isExplicit);
      }
      if (e.getCastKind() == CK_BitCast && !to->isPointer()) refuse("reinterpreting cast of a value", &e);
      ir::ExprPtr v = value(sub);
      // In C a comparison is an int made of a bool; what is made of the int is made of the bool.
      if (const auto* made = ir::as<ir::Cast>(v); unit.isC && made && !made->isExplicit &&
                                                  made->operand->type->is(ir::TypeKind::Bool) &&
                                                  to->isArithmetic())
        v = made->operand;
      // C++ converts to an enum only by a cast, so the cast stays even where the integer types agree.
      if (isExplicit && e.getType()->isEnumeralType()) return ir::makeExpr(to, ir::Cast{v, true}, loc(&e));
      if (to->isPointer() && v->type->isPointer() && to->space == ir::Space::Generic &&
          v->type->space != ir::Space::Generic)
        to = ir::withSpace(to, v->type->space);
      if (to->isPointer() && v->type->isPointer() && !isExplicit &&
          e.getCastKind() == CK_AddressSpaceConversion)
        return v;
      if (isExplicit && changesQualifiers(sub->getType(), e.getType()))
        return ir::makeExpr(to, ir::Cast{v, true}, loc(&e));
      return ir::convert(v, to, isExplicit);
    }
    case CK_VectorSplat: return ir::convert(value(sub), target(), isExplicit);
    case CK_BaseToDerived: return derivedPointer(value(sub), target()->element, e);
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase: {
      if (!e.getType()->isPointerType()) return place(&e);
      return addressOf(baseObject(ir::deref(value(sub), loc(&e)), e));
    }
    case CK_FunctionToPointerDecay:
      if (const auto* name = dyn_cast<DeclRefExpr>(unwrap(sub)))
        if (const auto* callee = dyn_cast<FunctionDecl>(name->getDecl())) return functionValue(*callee, &e);
      [[fallthrough]];
    case CK_BuiltinFnToFnPtr: refuse("address of a function", &e);
    case CK_Dependent: unexpected("cast that depends on a template parameter", &e);
    default: refuse(std::string("conversion ") + e.getCastKindName() + " has no place in the kernel IR", &e);
  }
}

ir::ExprPtr BodyImporter::unaryValue(const UnaryOperator& e) {
  const ir::SourceLoc at = loc(&e);
  switch (e.getOpcode()) {
    case UO_Plus: return value(e.getSubExpr());
    case UO_Minus:
      return ir::makeExpr(unit.type(e.getType(), e.getBeginLoc()),
                          ir::Unary{ir::UnaryOp::Neg, value(e.getSubExpr())}, at);
    case UO_Not:
      return ir::makeExpr(unit.type(e.getType(), e.getBeginLoc()),
                          ir::Unary{ir::UnaryOp::BitNot, value(e.getSubExpr())}, at);
    case UO_LNot: {
      if (e.getType()->isVectorType())
        return laneTest(e.getSubExpr(), ir::BinaryOp::Eq, unit.type(e.getType(), e.getBeginLoc()));
      ir::ExprPtr v = ir::unary(ir::UnaryOp::Not, condition(e.getSubExpr()), at);
      return e.getType()->isBooleanType() ? v : ir::convert(v, ir::int32());
    }
    case UO_AddrOf: {
      if (isa<DeclRefExpr>(unwrap(e.getSubExpr())) &&
          isa<FunctionDecl>(cast<DeclRefExpr>(unwrap(e.getSubExpr()))->getDecl()))
        return functionValue(*cast<FunctionDecl>(cast<DeclRefExpr>(unwrap(e.getSubExpr()))->getDecl()), &e);
      ir::ExprPtr p = place(e.getSubExpr());
      return addressOf(p);
    }
    case UO_PreInc:
    case UO_PreDec:
    case UO_PostInc:
    case UO_PostDec: return increment(e, true);
    case UO_Deref: return place(&e);
    default: refuse("operator " + UnaryOperator::getOpcodeStr(e.getOpcode()).str(), &e);
  }
}

// p + n, n + p and p - n as the address of an element.
ir::ExprPtr BodyImporter::pointerOffset(const BinaryOperator& e) {
  const bool left = e.getLHS()->getType()->isPointerType();
  const Expr* pointer = unwrap(left ? e.getLHS() : e.getRHS());
  ir::ExprPtr index = value(left ? e.getRHS() : e.getLHS());
  if (e.getOpcode() == BO_Sub) index = negatedIndex(index);
  const auto* decay = dyn_cast<ImplicitCastExpr>(pointer);
  ir::ExprPtr base = decay && decay->getCastKind() == CK_ArrayToPointerDecay &&
                             !isFlatArray(decay->getSubExpr()->getType(), unit.ast)
                         ? place(decay->getSubExpr())
                         : value(pointer);
  if (base->type->isPointer() && base->type->element->is(ir::TypeKind::Void))
    refuse("arithmetic on a void pointer", &e);
  index = scaled(pointer->getType(), index, e.getBeginLoc());
  return addressOf(ir::subscript(base, {index}, loc(&e)));
}

ir::ExprPtr BodyImporter::binaryValue(const BinaryOperator& e) {
  if (e.isAssignmentOp()) return assignment(e, true);
  if (e.getOpcode() == BO_Comma) {
    fullExpression(e.getLHS());
    flushDeferred();
    return value(e.getRHS());
  }
  if (e.isLogicalOp()) return logical(e);
  const bool leftPointer = e.getLHS()->getType()->isPointerType(),
             rightPointer = e.getRHS()->getType()->isPointerType();
  if (e.isAdditiveOp() && leftPointer != rightPointer) return pointerOffset(e);
  const ir::SourceLoc at = loc(&e);
  const bool isDifference = e.getOpcode() == BO_Sub && leftPointer && rightPointer;
  auto op = isDifference ? std::optional(ir::BinaryOp::PtrDiff) : binaryOp(e.getOpcode());
  if (!op) refuse("operator " + e.getOpcodeStr().str(), &e);
  ir::ExprPtr lhs = value(e.getLHS());
  const size_t before = out->size();
  ir::ExprPtr rhs = value(e.getRHS());
  keepBefore(before, {&lhs});
  if (isDifference) {
    ir::ExprPtr distance = ir::makeExpr(ir::int64(), ir::Binary{*op, lhs, rhs}, at);
    const QualType pointee = e.getLHS()->getType()->getPointeeType();
    return isFlatArray(pointee, unit.ast)
               ? ir::binary(ir::BinaryOp::Div, distance, elementsOf(pointee, e.getBeginLoc()), at)
               : distance;
  }
  if (ir::isComparison(*op)) {
    // C's NULL is a void pointer; what counts is the pointer it is compared with.
    if (rhs->is<ir::NullPointer>() && lhs->type->isPointer())
      rhs = ir::makeExpr(lhs->type, ir::NullPointer{}, rhs->loc);
    if (lhs->is<ir::NullPointer>() && rhs->type->isPointer())
      lhs = ir::makeExpr(rhs->type, ir::NullPointer{}, lhs->loc);
    if (e.getType()->isVectorType())
      return ir::makeExpr(unit.type(e.getType(), e.getBeginLoc()), ir::Binary{*op, lhs, rhs}, at);
    ir::ExprPtr v = ir::makeExpr(ir::boolType(), ir::Binary{*op, lhs, rhs}, at);
    return e.getType()->isBooleanType() ? v : ir::convert(v, unit.type(e.getType(), e.getBeginLoc()));
  }
  return ir::makeExpr(unit.type(e.getType().getCanonicalType(), e.getBeginLoc()), ir::Binary{*op, lhs, rhs},
                      at);
}

// Each lane compared with zero: -1 where it holds.
ir::ExprPtr BodyImporter::laneTest(const Expr* e, ir::BinaryOp op, const ir::TypePtr& mask) {
  ir::ExprPtr v = value(e);
  ir::ExprPtr none = ir::convert(zero(v->type->element, e->getBeginLoc()), v->type);
  return ir::makeExpr(mask, ir::Binary{op, v, none}, loc(e));
}

// a && b with effects in b becomes: bool t = a; if (t) { effects; t = b; }
ir::ExprPtr BodyImporter::logical(const BinaryOperator& e) {
  const bool isAnd = e.getOpcode() == BO_LAnd;
  const ir::SourceLoc at = loc(&e);
  if (e.getType()->isVectorType()) {  // OpenCL: by lane, both operands evaluated, each lane 0 or -1
    ir::TypePtr mask = unit.type(e.getType(), e.getBeginLoc());
    ir::ExprPtr lhs = laneTest(e.getLHS(), ir::BinaryOp::Ne, mask),
                rhs = laneTest(e.getRHS(), ir::BinaryOp::Ne, mask);
    return ir::makeExpr(mask, ir::Binary{isAnd ? ir::BinaryOp::BitAnd : ir::BinaryOp::BitOr, lhs, rhs}, at);
  }
  const Expr* saved = std::exchange(fullExpr, nullptr);
  ir::ExprPtr lhs = condition(e.getLHS());
  ir::StmtList inner;
  ir::StmtList* outer = std::exchange(out, &inner);
  ir::ExprPtr rhs = condition(e.getRHS());
  out = outer;
  fullExpr = saved;
  ir::ExprPtr result;
  if (inner.empty()) {
    result = ir::makeExpr(
        ir::boolType(), ir::Binary{isAnd ? ir::BinaryOp::LogicalAnd : ir::BinaryOp::LogicalOr, lhs, rhs}, at);
  } else {
    auto var = std::make_shared<ir::Variable>();
    var->name = isAnd ? "both" : "either";
    var->type = ir::boolType();
    var->loc = at;
    emit(ir::Declare{var, lhs}, at);
    ir::ExprPtr test = ir::ref(var, at);
    inner.push_back(ir::makeStmt(ir::Assign{ir::ref(var, at), std::nullopt, rhs, false}, at));
    emit(ir::If{isAnd ? test : ir::unary(ir::UnaryOp::Not, test, at), ir::block(std::move(inner), at),
                nullptr},
         at);
    result = ir::ref(var, at);
  }
  return e.getType()->isBooleanType() ? result : ir::convert(result, unit.type(e.getType(), e.getBeginLoc()));
}

ir::ExprPtr BodyImporter::select(const AbstractConditionalOperator& e) {
  const Nesting nesting(*this, choiceDepth, unit.toRun ? deepestValue : 500, "choices by `?:`", &e);
  if (isa<BinaryConditionalOperator>(e)) refuse("?: without a middle operand", &e);
  const ir::SourceLoc at = loc(&e);
  if (e.getCond()
          ->getType()
          ->isVectorType()) {  // OpenCL: by lane, all operands evaluated, the same as select(no, yes, cond)
    ir::Call node;
    node.intrinsic = &ir::intrinsic("select");
    ir::ExprPtr cond = value(e.getCond());
    ir::ExprPtr yes = value(e.getTrueExpr());
    node.args = {value(e.getFalseExpr()), yes, cond};
    return ir::makeExpr(unit.type(e.getType(), e.getBeginLoc()), std::move(node), at);
  }
  ir::ExprPtr cond = condition(e.getCond());
  auto read = [&](const Expr* operand) {
    if (const auto* either = dyn_cast<ConditionalOperator>(unwrap(operand))) return select(*either);
    if (!operand->isGLValue()) return value(operand);
    ir::ExprPtr p = place(operand);
    noteAccess(p, false);
    return p;
  };
  const Expr* saved = std::exchange(fullExpr, nullptr);
  ir::StmtList thenList, elseList;
  ir::StmtList* outer = std::exchange(out, &thenList);
  ir::ExprPtr yes = read(e.getTrueExpr());
  out = &elseList;
  ir::ExprPtr no = read(e.getFalseExpr());
  out = outer;
  fullExpr = saved;
  ir::TypePtr type = unit.type(e.getType(), e.getBeginLoc());
  if (type->isPointer()) type = yes->is<ir::NullPointer>() ? no->type : yes->type;
  if (thenList.empty() && elseList.empty()) return ir::makeExpr(type, ir::Select{cond, yes, no}, at);
  auto var = std::make_shared<ir::Variable>();
  var->name = "chosen";
  var->type = type;
  var->loc = at;
  emit(ir::Declare{var, nullptr}, at);
  thenList.push_back(ir::makeStmt(ir::Assign{ir::ref(var, at), std::nullopt, yes, false}, at));
  elseList.push_back(ir::makeStmt(ir::Assign{ir::ref(var, at), std::nullopt, no, false}, at));
  emit(ir::If{cond, ir::block(std::move(thenList), at), ir::block(std::move(elseList), at)}, at);
  return ir::ref(var, at);
}

}  // namespace hone::frontend
