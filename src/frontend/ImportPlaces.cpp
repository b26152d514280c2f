// What names memory: variables, elements, members, lanes, and the thread's coordinates.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"
#include "frontend/BitFields.h"
#include "frontend/ConstantValues.h"
#include "frontend/Importer.h"
#include "ir/CallEffects.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

// A __constant__ of the user, which the host may write; Clang marks constexpr variables so too, by itself.
bool isHostWritten(const VarDecl& var) {
  const auto* constant = var.getAttr<CUDAConstantAttr>();
  return constant && !constant->isImplicit();
}

}  // namespace

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
  // What is volatile may not be left out or moved, read or written.
  if ((memory && write) || ir::isVolatile(*p)) writesMemory = true;
  if (memory && !write) readsMemory = true;
}

ir::ExprPtr BodyImporter::place(const Expr* e) {
  e = unwrap(e);
  if (e->containsErrors()) refuse("code that Clang could not understand", e);
  if (ir::ExprPtr c = coordinate(e)) return c;
  const ir::SourceLoc at = loc(e);
  if (const auto* x = dyn_cast<DeclRefExpr>(e)) return declRef(*x);
  if (unit.extension && isa<MemberExpr, ArraySubscriptExpr>(e))
    if (ir::ExprPtr whole = unit.extension->part(*this, *e)) return whole;
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
    const auto* decay = dyn_cast<ImplicitCastExpr>(base);
    if (decay && decay->getCastKind() != CK_ArrayToPointerDecay) decay = nullptr;
    const bool isFlat = decay && isFlatArray(decay->getSubExpr()->getType(), unit.ast);
    ir::ExprPtr from = decay && !isFlat ? place(decay->getSubExpr()) : value(base);
    ir::ExprPtr index = scaled(base->getType(), value(x->getIdx()), e->getBeginLoc());
    if (from->type->isPointer() && from->type->element->is(ir::TypeKind::Void))
      refuse("subscript of a void pointer", e);
    return isFlat ? elementOfRow(from, index, at) : ir::subscript(std::move(from), {std::move(index)}, at);
  }
  if (const auto* x = dyn_cast<UnaryOperator>(e)) {
    if (x->getOpcode() == UO_Deref) {
      const Expr* sub = unwrap(x->getSubExpr());
      if (const auto* decay = dyn_cast<ImplicitCastExpr>(sub);
          decay && decay->getCastKind() == CK_ArrayToPointerDecay &&
          !isFlatArray(decay->getSubExpr()->getType(), unit.ast))
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
      case CK_BaseToDerived:
        return ir::deref(
            derivedPointer(addressOf(place(x->getSubExpr())), unit.type(x->getType(), e->getBeginLoc()), *x),
            at);
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
    return callResult(*x);
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
  if (const auto* named = dyn_cast<PredefinedExpr>(e); named && named->getFunctionName())
    return place(named->getFunctionName());
  if (const auto* text = dyn_cast<StringLiteral>(e)) {
    if (!unit.toRun) refuse("string literal used as data", e);
    return ir::ref(unit.literalArray(*text), at);
  }
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
    if (index < 0) unexpected("base class", &e);
    object = ir::makeExpr(baseType, ir::Member{object, 0, index}, loc(&e));
  }
  return object;
}

// The object around a base, from the base's address.
ir::ExprPtr BodyImporter::derivedPointer(const ir::ExprPtr& base, const ir::TypePtr& derived,
                                         const CastExpr& e) {
  const QualType whole = e.getType()->isPointerType() ? e.getType()->getPointeeType() : e.getType();
  const CXXRecordDecl* outer = whole->getAsCXXRecordDecl();
  int64_t offset = 0;
  for (const CXXBaseSpecifier* step : e.path()) {
    const CXXRecordDecl* inner = step->getType()->getAsCXXRecordDecl();
    offset += unit.ast.getASTRecordLayout(outer).getBaseClassOffset(inner).getQuantity();
    outer = inner;
  }
  ir::ExprPtr at = base;
  if (offset != 0) {
    const ir::TypePtr bytes = ir::pointerType(ir::intType(8, true), base->type->space);
    at = addressOf(
        ir::subscript(ir::convert(at, bytes, true), {ir::intLit(-offset, ir::intType(64, true))}, loc(&e)));
  }
  return ir::convert(at, ir::pointerType(derived, base->type->space, whole.isConstQualified()), true);
}

ir::ExprPtr BodyImporter::declRef(const DeclRefExpr& e) {
  const ValueDecl* decl = e.getDecl();
  const ir::SourceLoc at = loc(&e);
  if (const auto* enumerator = dyn_cast<EnumConstantDecl>(decl)) {
    ir::TypePtr type = unit.type(e.getType(), e.getBeginLoc());
    const bool nameable = !enumerator->getDeclContext()->getParent()->isFunctionOrMethod() &&
                          !unit.qualifiedName(*enumerator).empty();
    return ir::makeExpr(type,
                        ir::IntLiteral{truncated(asInt64(enumerator->getInitVal()), *type), "",
                                       nameable ? unit.qualifiedName(*enumerator) : ""},
                        at);
  }
  if (const auto it = locals.find(decl); it != locals.end()) {
    ir::ExprPtr r = ir::ref(it->second, at);
    return it->second->isReference ? ir::deref(r, at) : r;
  }
  if (ir::ExprPtr held = captured(*decl, at)) return held;
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
  if (unit.toRun && !var->hasGlobalStorage() &&
      isScalarNumber(var->getType()))  // a constant that a closure need not hold
    if (ir::ExprPtr literal = constantLiteral(
            e, unit.ast, unit.type(var->getType().getUnqualifiedType(), e.getBeginLoc()), at, ""))
      return literal;
  if (unit.extension)
    if (ir::ExprPtr seen = unit.extension->outside(*this, e, *var)) return seen;
  if (!var->hasGlobalStorage()) refuse("variable '" + var->getNameAsString() + "' captured from outside", &e);
  if (const auto it = unit.staticLocals.find(var); it != unit.staticLocals.end() && unit.toRun) {
    ir::ExprPtr r = ir::ref(it->second, at);
    return it->second->isReference ? ir::deref(r, at) : r;
  }
  return ir::ref(unit.global(*var, e.getBeginLoc()), at);
}

// The member itself, or what it refers to where it is a reference.
ir::ExprPtr BodyImporter::fieldPlace(ir::ExprPtr object, const FieldDecl& field, ir::SourceLoc at) {
  if (field.getType()->isReferenceType() && !unit.toRun)
    unit.refuse("member '" + field.getNameAsString() + "' is a reference", field.getLocation());
  ir::ExprPtr held = ir::member(std::move(object), fieldNumber(field), at);
  return field.getType()->isReferenceType() ? ir::deref(held, at) : held;
}

ir::ExprPtr BodyImporter::memberPlace(const MemberExpr& e) {
  const ir::SourceLoc at = loc(&e);
  if (const auto* var = dyn_cast<VarDecl>(e.getMemberDecl())) {  // static member
    if (isScalarNumber(var->getType()))
      if (ir::ExprPtr literal = constantLiteral(
              e, unit.ast, unit.type(var->getType().getUnqualifiedType(), e.getBeginLoc()), at, ""))
        return literal;
    if (unit.extension)
      if (ir::ExprPtr seen = unit.extension->outside(*this, e, *var)) return seen;
    return ir::ref(unit.global(*var, e.getBeginLoc()), at);
  }
  if (const auto* enumerator = dyn_cast<EnumConstantDecl>(e.getMemberDecl())) {
    const ir::TypePtr type = unit.type(e.getType(), e.getBeginLoc());
    return ir::makeExpr(type, ir::IntLiteral{truncated(asInt64(enumerator->getInitVal()), *type), "", ""},
                        at);
  }
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
  const unsigned index = fieldNumber(*field);
  if (index >= type->record->fields.size()) unexpected("member of a struct that is not complete", &e);
  return fieldPlace(object, *field, at);
}

// threadIdx.x and its kin, with the toolkit's headers (a property) or ours (a member).
ir::ExprPtr BodyImporter::coordinate(const Expr* e) {
  if (unit.openCL) return nullptr;
  const Expr* base = nullptr;
  std::string member;
  if (const auto* pseudo = dyn_cast<PseudoObjectExpr>(e)) {
    const auto* property = dyn_cast<MSPropertyRefExpr>(pseudo->getSyntacticForm()->IgnoreParens());
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
    parts.reserve(3);
    for (unsigned axis = 0; axis < 3; ++axis) parts.push_back(ir::coord(kind, axis, ir::uint32(), at));
    return ir::makeExpr(ir::vectorType(ir::uint32(), 3), ir::Construct{parts}, at);
  }
  if (member.size() != 1 || member[0] < 'x' || member[0] > 'z') return nullptr;
  return ir::coord(kind, unsigned(member[0] - 'x'), ir::uint32(), at);
}

}  // namespace hone::frontend
