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

namespace {

// A __constant__ of the user, which the host may write; Clang marks constexpr variables so too, by itself.
bool isHostWritten(const VarDecl& var) {
  const auto* constant = var.getAttr<CUDAConstantAttr>();
  return constant && !constant->isImplicit();
}

bool isScalarNumber(QualType t) { return t->isArithmeticType() || t->isEnumeralType(); }

std::optional<ir::BinaryOp> arithmeticOp(BinaryOperatorKind kind) {
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

}  // namespace

std::optional<ir::BinaryOp> binaryOp(BinaryOperatorKind kind) { return arithmeticOp(kind); }

ir::Space spaceOfPlace(const ir::ExprPtr& place) {
  if (const auto* r = ir::as<ir::VarRef>(place)) return r->var->space;
  if (const auto* s = ir::as<ir::Subscript>(place))
    return s->base->type->isPointer() ? s->base->type->space : spaceOfPlace(s->base);
  if (const auto* m = ir::as<ir::Member>(place)) return spaceOfPlace(m->base);
  if (const auto* s = ir::as<ir::Swizzle>(place)) return spaceOfPlace(s->base);
  return ir::Space::Private;
}

ir::ExprPtr BodyImporter::addressOf(const ir::ExprPtr& p) {
  return ir::addressOf(p, spaceOfPlace(p), p->loc);
}

void BodyImporter::noteAccess(const ir::ExprPtr& p, bool write) {
  bool throughPointer = false;
  ir::VarPtr root;
  for (ir::ExprPtr e = p; e;) {
    if (const auto* s = ir::as<ir::Subscript>(e)) {
      throughPointer = throughPointer || s->base->type->isPointer();
      e = s->base;
    } else if (const auto* m = ir::as<ir::Member>(e)) {
      e = m->base;
    } else if (const auto* z = ir::as<ir::Swizzle>(e)) {
      e = z->base;
    } else {
      if (const auto* r = ir::as<ir::VarRef>(e)) root = r->var;
      break;
    }
  }
  if (root && root == thisVar && isa<CXXConstructorDecl>(fn))
    return;  // the object under construction is the call's own value
  const bool memory =
      throughPointer || (root && (root->storage == ir::Storage::Global || root->space == ir::Space::Shared));
  if (memory && write) writesMemory = true;
  if (memory && !write) readsMemory = true;
}

ir::ExprPtr BodyImporter::value(const Expr* e) {
  if (isScalarNumber(e->getType()) && !isa<ImplicitCastExpr>(e) && !e->isValueDependent() &&
      e->getBeginLoc().isMacroID())
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
    ir::ExprPtr result = call(*x);
    if (!result) refuse("value of a call that has none", e);
    return x->isGLValue() ? ir::deref(result, at) : result;
  }
  if (const auto* x = dyn_cast<CXXConstructExpr>(e)) {
    ir::ExprPtr made = construct(*x);
    return made ? made : zero(typeOf(), e->getBeginLoc());
  }
  if (const auto* x = dyn_cast<CXXInheritedCtorInitExpr>(e)) refuse("inherited constructor", x);
  if (const auto* x = dyn_cast<InitListExpr>(e)) return initList(*x);
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(e)) return zero(typeOf(), e->getBeginLoc());
  if (isa<CXXThisExpr>(e)) return ir::ref(thisVar, at);
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
  if (isa<LambdaExpr>(e)) refuse("lambda", e);
  if (isa<CXXNewExpr>(e)) refuse("new in device code", e);
  if (isa<CXXDeleteExpr>(e)) refuse("delete in device code", e);
  if (isa<StmtExpr>(e)) refuse("statement expression", e);
  if (isa<ShuffleVectorExpr>(e)) refuse("__builtin_shufflevector", e);
  if (isScalarNumber(e->getType()))
    if (ir::ExprPtr literal = constantLiteral(*e, unit.ast, typeOf(), at, "")) return literal;
  refuse(std::string("expression of kind ") + e->getStmtClassName() + " has no place in the kernel IR", e);
}

ir::ExprPtr BodyImporter::place(const Expr* e) {
  e = unwrap(e);
  if (e->containsErrors()) refuse("code that Clang could not understand", e);
  if (ir::ExprPtr c = coordinate(e)) return c;
  const ir::SourceLoc at = loc(e);
  if (const auto* x = dyn_cast<DeclRefExpr>(e)) return declRef(*x);
  if (const auto* x = dyn_cast<MemberExpr>(e)) return memberPlace(*x);
  if (const auto* x = dyn_cast<ArraySubscriptExpr>(e)) {
    const Expr* base = unwrap(x->getBase());
    if (base->getType()->isVectorType()) {
      Expr::EvalResult index;
      if (!x->getIdx()->EvaluateAsInt(index, unit.ast))
        refuse("vector indexed by a value not known at compile time", e);
      ir::ExprPtr v = base->isGLValue() ? place(base) : value(base);
      return ir::makeExpr(v->type->element, ir::Swizzle{v, {uint8_t(index.Val.getInt().getZExtValue())}}, at);
    }
    ir::ExprPtr from;
    if (const auto* decay = dyn_cast<ImplicitCastExpr>(base);
        decay && decay->getCastKind() == CK_ArrayToPointerDecay) {
      if (isa<StringLiteral>(unwrap(decay->getSubExpr()))) refuse("string literal used as data", e);
      from = place(decay->getSubExpr());
    } else {
      from = value(base);
    }
    ir::ExprPtr index = value(x->getIdx());
    if (from->type->isPointer() && from->type->element->is(ir::TypeKind::Void))
      refuse("subscript of a void pointer", e);
    return ir::subscript(std::move(from), {std::move(index)}, at);
  }
  if (const auto* x = dyn_cast<UnaryOperator>(e)) {
    if (x->getOpcode() == UO_Deref) {
      const Expr* sub = unwrap(x->getSubExpr());
      if (const auto* decay = dyn_cast<ImplicitCastExpr>(sub);
          decay && decay->getCastKind() == CK_ArrayToPointerDecay)
        return ir::subscript(place(decay->getSubExpr()), {ir::intLit(0)}, at);
      return ir::deref(value(sub), at);
    }
    if (x->isIncrementDecrementOp()) return increment(*x, true);
  }
  if (const auto* x = dyn_cast<BinaryOperator>(e)) {
    if (x->isAssignmentOp()) return assignment(*x, true);
    if (x->getOpcode() == BO_Comma) {
      fullExpression(x->getLHS());
      flushDeferred();
      return place(x->getRHS());
    }
  }
  if (const auto* x = dyn_cast<ConditionalOperator>(e)) {
    ir::ExprPtr cond = condition(x->getCond());
    const size_t before = out->size();
    const Expr* saved = std::exchange(fullExpr, nullptr);
    ir::ExprPtr yes = addressOf(place(x->getTrueExpr())), no = addressOf(place(x->getFalseExpr()));
    fullExpr = saved;
    if (out->size() != before) refuse("side effect in an operand of ?: that names an object", e);
    return ir::deref(ir::makeExpr(yes->type, ir::Select{cond, yes, no}, at), at);
  }
  if (const auto* x = dyn_cast<CastExpr>(e)) {
    switch (x->getCastKind()) {
      case CK_NoOp:
      case CK_UserDefinedConversion:
      case CK_ConstructorConversion:
        return x->getSubExpr()->isGLValue() ? place(x->getSubExpr()) : value(x->getSubExpr());
      case CK_DerivedToBase:
      case CK_UncheckedDerivedToBase:
        return baseObject(x->getSubExpr()->isGLValue() ? place(x->getSubExpr()) : value(x->getSubExpr()), *x);
      case CK_LValueBitCast: {
        ir::ExprPtr from = addressOf(place(x->getSubExpr()));
        ir::TypePtr to = ir::pointerType(unit.type(x->getType(), e->getBeginLoc()), from->type->space,
                                         x->getType().isConstQualified());
        return ir::deref(ir::convert(from, to, true), at);
      }
      case CK_AddressSpaceConversion: return place(x->getSubExpr());
      default: break;
    }
  }
  if (const auto* x = dyn_cast<CallExpr>(e)) {
    ir::ExprPtr result = call(*x);
    if (!result) refuse("value of a call that has none", e);
    return x->isGLValue() ? ir::deref(result, at) : result;
  }
  if (const auto* x = dyn_cast<ExtVectorElementExpr>(e)) {
    ir::ExprPtr base;
    if (x->isArrow())
      base = ir::deref(value(x->getBase()), at);
    else
      base = x->getBase()->isGLValue() ? place(x->getBase()) : value(x->getBase());
    llvm::SmallVector<uint32_t, 16> lanes;
    x->getEncodedElementAccess(lanes);
    ir::Swizzle node{base, {}};
    for (uint32_t lane : lanes) {
      if (base->type->kind == ir::TypeKind::Vector && lane >= base->type->lanes)
        refuse("swizzle beyond the vector", e);
      node.lanes.push_back(uint8_t(lane));
    }
    return ir::makeExpr(unit.type(x->getType(), e->getBeginLoc()), std::move(node), at);
  }
  if (const auto* x = dyn_cast<MaterializeTemporaryExpr>(e))
    return temporary("temporary", rootValue(x->getSubExpr()));
  if (const auto* x = dyn_cast<CompoundLiteralExpr>(e))
    return temporary("temporary", value(x->getInitializer()));
  if (isa<StringLiteral, PredefinedExpr>(e)) refuse("string literal used as data", e);
  if (isa<SubstNonTypeTemplateParmExpr>(e)) refuse("template parameter that names an object", e);
  if (!e->isGLValue()) return value(e);
  refuse(std::string("place of kind ") + e->getStmtClassName() + " has no place in the kernel IR", e);
}

// The base subobject that a conversion to a base class names.
ir::ExprPtr BodyImporter::baseObject(ir::ExprPtr object, const CastExpr& e) {
  for (const CXXBaseSpecifier* step : e.path()) {
    ir::TypePtr baseType = unit.type(step->getType(), e.getBeginLoc());
    if (!object->type->is(ir::TypeKind::Struct)) return object;  // a handle or vector of the platform
    const auto& bases = object->type->record->bases;
    int index = -1;
    for (size_t i = 0; i < bases.size(); ++i)
      if (ir::sameType(bases[i], baseType)) index = int(i);
    if (index < 0) refuse("base class of unknown position", &e);
    object = ir::makeExpr(baseType, ir::Member{object, 0, index}, loc(&e));
  }
  return object;
}

ir::ExprPtr BodyImporter::condition(const Expr* e) {
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
  if (inner->getType()->isVectorType()) refuse("vector used as a condition", e);
  ir::ExprPtr v = value(e);
  if (const auto* literal = ir::as<ir::IntLiteral>(v)) return ir::boolLit(literal->value != 0, loc(e));
  return ir::convert(v, ir::boolType());
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
  auto target = [&] { return unit.type(e.getType(), e.getBeginLoc()); };
  switch (e.getCastKind()) {
    case CK_LValueToRValue: {
      if (const auto* literal = dyn_cast<CompoundLiteralExpr>(unwrap(sub)))
        return value(literal->getInitializer());
      ir::ExprPtr p = place(sub);
      noteAccess(p, false);
      return p;
    }
    case CK_ArrayToPointerDecay: {
      if (isa<StringLiteral>(unwrap(sub))) refuse("string literal used as data", &e);
      return addressOf(ir::subscript(place(sub), {ir::intLit(0)}, loc(&e)));
    }
    case CK_NoOp:
    case CK_ToVoid:
    case CK_UserDefinedConversion:
    case CK_ConstructorConversion:
    case CK_AtomicToNonAtomic:
    case CK_NonAtomicToAtomic: {
      if (e.getCastKind() == CK_ToVoid) refuse("value cast to void used", &e);
      ir::ExprPtr v = value(sub);
      if (isExplicit)
        if (const auto* cast = ir::as<ir::Cast>(v))
          return ir::makeExpr(v->type, ir::Cast{cast->operand, true}, v->loc);
      return v;
    }
    case CK_NullToPointer: return ir::makeExpr(target(), ir::NullPointer{}, loc(&e));
    case CK_IntegralToBoolean:
    case CK_FloatingToBoolean:
    case CK_PointerToBoolean: {
      if (!isExplicit && sub->getType()->isIntegralOrEnumerationType() && !unit.openCL) {
        const Expr* inner = unwrap(sub);
        if (const auto* b = dyn_cast<BinaryOperator>(inner); b && b->isComparisonOp()) return value(sub);
      }
      ir::ExprPtr v = value(sub);
      // In C a comparison is an int made of a bool: the truth of that int is the bool again.
      if (const auto* made = ir::as<ir::Cast>(v); unit.openCL && made && !made->isExplicit && made->operand->type->is(ir::TypeKind::Bool) && !isExplicit)
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
          refuse("vector reinterpreted by a cast; write as_type", &e);
        return ir::convert(v, to, isExplicit);
      }
      if (e.getCastKind() == CK_BitCast && !to->isPointer()) refuse("reinterpreting cast of a value", &e);
      ir::ExprPtr v = value(sub);
      // C++ converts to an enum only by a cast, so the cast stays even where the integer types agree.
      if (isExplicit && e.getType()->isEnumeralType()) return ir::makeExpr(to, ir::Cast{v, true}, loc(&e));
      if (to->isPointer() && v->type->isPointer() && to->space == ir::Space::Generic &&
          v->type->space != ir::Space::Generic)
        to = ir::withSpace(to, v->type->space);
      if (to->isPointer() && v->type->isPointer() && !isExplicit &&
          e.getCastKind() == CK_AddressSpaceConversion)
        return v;
      if (isExplicit && to->isPointer() && v->type->isPointer() && ir::sameType(to, v->type)) {
        // A cast that only changes qualifiers must stay: the text would not compile without it.
        if (to->isConst != v->type->isConst || to->isVolatile != v->type->isVolatile)
          return ir::makeExpr(to, ir::Cast{v, true}, loc(&e));
      }
      return ir::convert(v, to, isExplicit);
    }
    case CK_VectorSplat: return ir::convert(value(sub), target(), isExplicit);
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase: {
      if (!e.getType()->isPointerType()) return place(&e);
      return addressOf(baseObject(ir::deref(value(sub), loc(&e)), e));
    }
    case CK_FunctionToPointerDecay:
    case CK_BuiltinFnToFnPtr: refuse("address of a function", &e);
    case CK_Dependent: refuse("cast that depends on a template parameter", &e);
    default: refuse(std::string("conversion ") + e.getCastKindName() + " has no place in the kernel IR", &e);
  }
}

ir::ExprPtr BodyImporter::declRef(const DeclRefExpr& e) {
  const ValueDecl* decl = e.getDecl();
  const ir::SourceLoc at = loc(&e);
  if (const auto* enumerator = dyn_cast<EnumConstantDecl>(decl)) {
    ir::TypePtr type = unit.type(e.getType(), e.getBeginLoc());
    const bool nameable = !enumerator->getDeclContext()->getParent()->isFunctionOrMethod() &&
                          !unit.qualifiedName(*enumerator).empty();
    return ir::makeExpr(type,
                        ir::IntLiteral{truncated(enumerator->getInitVal().getExtValue(), *type), "",
                                       nameable ? unit.qualifiedName(*enumerator) : ""},
                        at);
  }
  if (const auto it = locals.find(decl); it != locals.end()) {
    ir::ExprPtr r = ir::ref(it->second, at);
    return it->second->isReference ? ir::deref(r, at) : r;
  }
  if (isa<FunctionDecl>(decl)) refuse("function '" + decl->getNameAsString() + "' used as a value", &e);
  const auto* var = dyn_cast<VarDecl>(decl);
  if (!var)
    refuse(std::string("'") + decl->getNameAsString() + "' is of a kind that has no place in the kernel IR",
           &e);
  if (var->hasGlobalStorage() && isScalarNumber(var->getType().getNonReferenceType()) &&
      (var->getType().isConstQualified() || var->isConstexpr()) && !isHostWritten(*var) &&
      !var->getType().isVolatileQualified()) {
    std::string name = var->isLocalVarDecl() ? "" : unit.qualifiedName(*var);
    if (isa<ClassTemplateSpecializationDecl>(var->getDeclContext()) &&
        !cast<ClassTemplateSpecializationDecl>(var->getDeclContext())->isExplicitSpecialization())
      name.clear();
    if (ir::ExprPtr literal = constantLiteral(
            e, unit.ast, unit.type(var->getType().getUnqualifiedType(), e.getBeginLoc()), at, name))
      return literal;
  }
  if (!var->hasGlobalStorage()) refuse("variable '" + var->getNameAsString() + "' captured from outside", &e);
  return ir::ref(unit.global(*var, e.getBeginLoc()), at);
}

ir::ExprPtr BodyImporter::memberPlace(const MemberExpr& e) {
  const ir::SourceLoc at = loc(&e);
  if (const auto* var = dyn_cast<VarDecl>(e.getMemberDecl())) {  // static member
    if (isScalarNumber(var->getType()))
      if (ir::ExprPtr literal = constantLiteral(
              e, unit.ast, unit.type(var->getType().getUnqualifiedType(), e.getBeginLoc()), at, ""))
        return literal;
    return ir::ref(unit.global(*var, e.getBeginLoc()), at);
  }
  if (isa<EnumConstantDecl>(e.getMemberDecl()))
    if (ir::ExprPtr literal = constantLiteral(e, unit.ast, unit.type(e.getType(), e.getBeginLoc()), at, ""))
      return literal;
  const auto* field = dyn_cast<FieldDecl>(e.getMemberDecl());
  if (!field) refuse("member function used as a value", &e);
  const Expr* baseExpr = e.getBase();
  ir::ExprPtr object;
  if (e.isArrow())
    object = ir::deref(value(baseExpr), at);
  else
    object = baseExpr->isGLValue() ? place(baseExpr) : value(baseExpr);
  const ir::TypePtr& type = object->type;
  if (type->is(ir::TypeKind::Vector)) {
    const unsigned lane = field->getFieldIndex();
    if (lane >= type->lanes) refuse("member of a vector type that is no lane", &e);
    return ir::makeExpr(type->element, ir::Swizzle{object, {uint8_t(lane)}}, at);
  }
  if (!type->is(ir::TypeKind::Struct)) refuse("member of '" + ir::str(*type) + "'", &e);
  const unsigned index = field->getFieldIndex();
  if (index >= type->record->fields.size()) refuse("member of a struct that is not complete", &e);
  return ir::member(object, index, at);
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
        refuse("address of a function", &e);
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
  ir::ExprPtr base =
      decay && decay->getCastKind() == CK_ArrayToPointerDecay ? place(decay->getSubExpr()) : value(pointer);
  if (base->type->isPointer() && base->type->element->is(ir::TypeKind::Void))
    refuse("arithmetic on a void pointer", &e);
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
  if (e.getOpcode() == BO_Sub && leftPointer && rightPointer)
    return ir::makeExpr(ir::int64(), ir::Binary{ir::BinaryOp::PtrDiff, value(e.getLHS()), value(e.getRHS())},
                        at);
  auto op = arithmeticOp(e.getOpcode());
  if (!op) refuse("operator " + e.getOpcodeStr().str(), &e);
  ir::ExprPtr lhs = value(e.getLHS());
  ir::ExprPtr rhs = value(e.getRHS());
  if (ir::isComparison(*op)) {
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
  const Expr* saved = std::exchange(fullExpr, nullptr);
  ir::StmtList thenList, elseList;
  ir::StmtList* outer = std::exchange(out, &thenList);
  ir::ExprPtr yes = value(e.getTrueExpr());
  out = &elseList;
  ir::ExprPtr no = value(e.getFalseExpr());
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

// Imports parts that C++ evaluates in order: where a later one has effects, the earlier ones are saved first.
std::vector<ir::ExprPtr> BodyImporter::sequenced(llvm::ArrayRef<const Expr*> parts) {
  std::vector<ir::ExprPtr> values;
  for (const Expr* part : parts) {
    const size_t before = out->size();
    ir::ExprPtr v = value(part);
    if (out->size() != before) {
      ir::StmtList added(out->begin() + long(before), out->end());
      out->resize(before);
      for (ir::ExprPtr& earlier : values) earlier = reusable(earlier, "part");
      out->insert(out->end(), added.begin(), added.end());
    }
    values.push_back(std::move(v));
  }
  return values;
}

ir::ExprPtr BodyImporter::zero(const ir::TypePtr& type, SourceLocation at) {
  switch (type->kind) {
    case ir::TypeKind::Bool: return ir::boolLit(false, unit.loc(at));
    case ir::TypeKind::Int: return ir::intLit(0, type, unit.loc(at));
    case ir::TypeKind::Float:
    case ir::TypeKind::BFloat: return ir::floatLit(0, type, unit.loc(at));
    case ir::TypeKind::Pointer: return ir::makeExpr(type, ir::NullPointer{}, unit.loc(at));
    case ir::TypeKind::Vector: {
      std::vector<ir::ExprPtr> parts(type->lanes, zero(type->element, at));
      return ir::makeExpr(type, ir::Construct{parts}, unit.loc(at));
    }
    case ir::TypeKind::Struct:
    case ir::TypeKind::Array:
    case ir::TypeKind::Handle: return ir::makeExpr(type, ir::Construct{}, unit.loc(at));
    default: unit.refuse("zero value of type " + ir::str(*type), at);
  }
}

ir::ExprPtr BodyImporter::initList(const InitListExpr& list) {
  const InitListExpr& e = list.isSemanticForm() || !list.getSemanticForm() ? list : *list.getSemanticForm();
  ir::TypePtr type = unit.type(e.getType(), e.getBeginLoc());
  const ir::SourceLoc at = loc(&e);
  if (e.isTransparent()) return value(e.getInit(0));
  if (type->isArithmetic() || type->isPointer())
    return e.getNumInits() ? value(e.getInit(0)) : zero(type, e.getBeginLoc());
  if (type->is(ir::TypeKind::Struct) && type->record->isUnion) {
    if (e.getInitializedFieldInUnion() && e.getInitializedFieldInUnion()->getFieldIndex() != 0)
      refuse("initialised union member that is not the first", &e);
  }
  if (e.isStringLiteralInit()) refuse("string literal used as data", &e);
  if (e.getNumInits() == 0 && type->is(ir::TypeKind::Vector)) return zero(type, e.getBeginLoc());
  std::vector<const Expr*> parts;
  for (const Expr* init : e.inits()) parts.push_back(init);
  // An array's trailing zeros are implied.
  while (type->is(ir::TypeKind::Array) && !parts.empty() && isa<ImplicitValueInitExpr>(parts.back()))
    parts.pop_back();
  return ir::makeExpr(type, ir::Construct{sequenced(parts)}, at);
}

// Null: an object left uninitialised.
ir::ExprPtr BodyImporter::construct(const CXXConstructExpr& e) {
  const CXXConstructorDecl& ctor = *e.getConstructor();
  ir::TypePtr type = unit.type(e.getType(), e.getBeginLoc());
  const ir::SourceLoc at = loc(&e);
  if ((ctor.isCopyOrMoveConstructor() &&
       (ctor.isTrivial() || e.isElidable() || !type->is(ir::TypeKind::Struct))) &&
      e.getNumArgs() >= 1)
    return rootCall == &e ? rootValue(e.getArg(0)) : value(e.getArg(0));
  if (type->is(ir::TypeKind::Array)) {
    if (ctor.isTrivial()) return nullptr;
    refuse("array of objects with constructors", &e);
  }
  if (!type->is(ir::TypeKind::Struct)) {  // vector types, half, group handles
    if (type->is(ir::TypeKind::Handle) && e.getNumArgs() == 1 &&
        unit.type(e.getArg(0)->getType(), e.getBeginLoc())->is(ir::TypeKind::Handle)) {
      // tile<32> from a group: the conversion is the platform's own
      ir::ExprPtr from = value(e.getArg(0));
      return ir::sameType(from->type, type) ? from : ir::convert(from, type, true);
    }
    if (e.getNumArgs() == 0) {
      if (type->is(ir::TypeKind::Handle)) return ir::makeExpr(type, ir::Construct{}, at);
      return e.requiresZeroInitialization() ? zero(type, e.getBeginLoc()) : nullptr;
    }
    if (type->is(ir::TypeKind::Handle)) refuse("constructor of '" + type->spelling + "'", &e);
    std::vector<const Expr*> args(e.arg_begin(), e.arg_end());
    std::vector<ir::ExprPtr> parts = sequenced(args);
    if (parts.size() == 1) {
      if (ir::sameType(parts[0]->type, type)) return parts[0];
      if (type->isArithmetic() && parts[0]->type->isArithmetic()) return ir::convert(parts[0], type, true);
      if (type->is(ir::TypeKind::Vector) && parts[0]->type->is(ir::TypeKind::Vector) &&
          parts[0]->type->lanes == type->lanes)
        return ir::convert(parts[0], type, true);
      refuse("conversion from '" + ir::str(*parts[0]->type) + "' to '" + ir::str(*type) + "'", &e);
    }
    if (!type->is(ir::TypeKind::Vector) || parts.size() != type->lanes)
      refuse("constructor of '" + ir::str(*type) + "'", &e);
    for (ir::ExprPtr& part : parts) part = ir::convert(part, type->element);
    return ir::makeExpr(type, ir::Construct{std::move(parts)}, at);
  }
  if (ctor.isTrivial() && ctor.isDefaultConstructor())
    return e.requiresZeroInitialization() ? zero(type, e.getBeginLoc()) : nullptr;
  std::vector<const Expr*> args(e.arg_begin(), e.arg_end());
  return userCall(e, ctor, args, nullptr);
}

// threadIdx.x and its kin, with the toolkit's headers (a property) or ours (a member).
ir::ExprPtr BodyImporter::coordinate(const Expr* e) {
  if (unit.openCL) return nullptr;
  const Expr* base = nullptr;
  std::string member;
  if (const auto* pseudo = dyn_cast<PseudoObjectExpr>(e)) {
    const auto* property = dyn_cast<MSPropertyRefExpr>(pseudo->getSyntacticForm());
    if (!property) return nullptr;
    base = property->getBaseExpr();
    member = property->getPropertyDecl()->getNameAsString();
  } else if (const auto* m = dyn_cast<MemberExpr>(e)) {
    base = m->getBase();
    member = m->getMemberDecl()->getDeclName().isIdentifier() ? m->getMemberDecl()->getNameAsString() : "";
  } else {
    base = unwrap(e);
    if (!isa<DeclRefExpr>(base)) return nullptr;
  }
  const auto* ref = dyn_cast<DeclRefExpr>(unwrap(base->IgnoreParenImpCasts()));
  if (!ref || !isa<VarDecl>(ref->getDecl()) || !cast<VarDecl>(ref->getDecl())->hasGlobalStorage() ||
      unit.isUserCode(ref->getDecl()->getLocation()))
    return nullptr;
  const std::string name = ref->getDecl()->getNameAsString();
  const ir::SourceLoc at = loc(e);
  if (name == "warpSize" && member.empty()) return ir::coord(ir::CoordKind::WarpSize, 0, ir::int32(), at);
  ir::CoordKind kind;
  if (name == "threadIdx")
    kind = ir::CoordKind::ThreadIdx;
  else if (name == "blockIdx")
    kind = ir::CoordKind::BlockIdx;
  else if (name == "blockDim")
    kind = ir::CoordKind::BlockDim;
  else if (name == "gridDim")
    kind = ir::CoordKind::GridDim;
  else
    return nullptr;
  usesCoords = true;
  if (member.empty()) {
    std::vector<ir::ExprPtr> parts;
    for (unsigned axis = 0; axis < 3; ++axis) parts.push_back(ir::coord(kind, axis, ir::uint32(), at));
    return ir::makeExpr(ir::vectorType(ir::uint32(), 3), ir::Construct{parts}, at);
  }
  if (member.size() != 1 || member[0] < 'x' || member[0] > 'z') return nullptr;
  return ir::coord(kind, unsigned(member[0] - 'x'), ir::uint32(), at);
}

}  // namespace hone::frontend
