// Calls: built-in functions of the platforms, cooperative groups, and the user's own functions.
#include <bit>
#include <cmath>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "frontend/ConstantValues.h"
#include "frontend/Importer.h"
#include "ir/Assumption.h"
#include "llvm/ADT/StringRef.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

bool inGroups(const Decl& decl) {
  for (const DeclContext* c = decl.getDeclContext(); c; c = c->getParent())
    if (const auto* ns = dyn_cast<NamespaceDecl>(c); ns && ns->getName() == "cooperative_groups") return true;
  return false;
}

// half, bfloat and their pairs: the types of the platform that have operators and conversions.
bool isHalf(const ir::Type& t) {
  if (t.is(ir::TypeKind::Vector)) return isHalf(*t.element);
  return (t.is(ir::TypeKind::Float) && t.bits == 16) || t.is(ir::TypeKind::BFloat);
}

std::string temporaryName(const ir::Intrinsic& fn) {
  switch (fn.cls) {
    case ir::IntrinsicClass::Atomic: return "old";
    case ir::IntrinsicClass::Exchange: return fn.traits.isShuffle ? "other" : "vote";
    case ir::IntrinsicClass::BarrierVote: return "vote";
    default: return "result";
  }
}

/// The callee as written, for functions found by an unqualified or qualified name without template arguments.
std::string calleeSpelling(const CallExpr& e, const UnitImporter& unit) {
  const auto* ref = dyn_cast<DeclRefExpr>(e.getCallee()->IgnoreParenImpCasts());
  if (!ref || ref->hasExplicitTemplateArgs() || !ref->getDecl()->getDeclName().isIdentifier()) return "";
  std::string name = ref->getDecl()->getNameAsString();
  if (!ref->hasQualifier() && !unit.isUserCode(ref->getDecl()->getLocation()) && inGroups(*ref->getDecl()))
    return "";
  if (ref->hasQualifier()) {
    const NestedNameSpecifier qualifier = ref->getQualifier();
    if (qualifier.getKind() == NestedNameSpecifier::Kind::Namespace &&
        qualifier.getAsNamespaceAndPrefix().Namespace->getDeclContext()->isFunctionOrMethod())
      return "";  // an alias declared in the body, which is not printed back
    std::string written = unit.text(ref->getSourceRange());
    return written.empty() || written.find_first_of(" \n<") != std::string::npos ? "" : written;
  }
  return name;
}

}  // namespace

void BodyImporter::noteIntrinsic(const ir::Intrinsic& callee) {
  // Clocks are read in order, and loops that wait for them wait.
  writesMemory = writesMemory || callee.writesMemory() || callee.cls == ir::IntrinsicClass::Control ||
                 std::string_view(callee.id).starts_with("clock");
  readsMemory =
      readsMemory || callee.cls == ir::IntrinsicClass::Load || callee.cls == ir::IntrinsicClass::Atomic;
  synchronizes = synchronizes || callee.synchronizes();
  usesCoords =
      usesCoords || callee.cls == ir::IntrinsicClass::Query || callee.cls == ir::IntrinsicClass::Group;
}

// A pure call stays where it is; one with effects stays when it is the whole value of its statement, else it
// gets one of its own.
ir::ExprPtr BodyImporter::finishCall(ir::ExprPtr callExpr, const Expr& e, bool pure,
                                     const std::string& tempName) {
  if (pure || rootCall == &e) return callExpr;
  if (callExpr->type->is(ir::TypeKind::Void)) {
    emit(ir::Eval{callExpr}, loc(&e));
    return nullptr;
  }
  return temporary(tempName, callExpr);
}

ir::ExprPtr BodyImporter::call(const CallExpr& e) {
  if (const auto* x = dyn_cast<CXXOperatorCallExpr>(&e)) return operatorCall(*x);
  if (const auto* x = dyn_cast<CXXMemberCallExpr>(&e)) {
    const CXXMethodDecl* method = x->getMethodDecl();
    if (!method) refuse("call through a pointer to a member", &e);
    const ir::SourceLoc at = loc(&e);
    if (!unit.isUserCode(method->getLocation())) {
      // Conversions of the platform's own types: half to float, threadIdx to uint3.
      if (isa<CXXConversionDecl>(method)) {
        ir::TypePtr to = unit.type(e.getType(), e.getBeginLoc());
        const Expr* object = x->getImplicitObjectArgument();
        ir::ExprPtr from = coordinate(unwrap(object)->IgnoreParenImpCasts());
        if (!from) from = object->isGLValue() ? place(object) : value(object);
        if (isHalf(*from->type) || from->type->is(ir::TypeKind::Vector) || from->type->isArithmetic() ||
            from->type->is(ir::TypeKind::Handle))
          return ir::convert(from, to);
      }
      if (inGroups(*method)) return groupCall(*x);
    }
    std::vector<const Expr*> args(e.arg_begin(), e.arg_end());
    const Expr* object = x->getImplicitObjectArgument();
    (void)at;
    return userCall(e, *method, args, object);
  }
  const FunctionDecl* callee = e.getDirectCallee();
  if (!callee) return pointerCall(e);
  if (isa<CUDAKernelCallExpr>(e)) refuse("kernel launch from device code", &e);
  if (!callee->getDeclName().isIdentifier()) refuse("call of '" + callee->getNameAsString() + "'", &e);
  std::string name = callee->getNameAsString();
  const bool users =
      unit.isUserCode(callee->getLocation()) && callee->getBuiltinID() == 0 && !callee->isImplicit();
  if (const auto* method = dyn_cast<CXXMethodDecl>(callee);
      method && !users && inGroups(*method)) {  // static member called on a group
    const auto* member = dyn_cast<MemberExpr>(e.getCallee()->IgnoreParenImpCasts());
    if (!member) refuse("static function '" + name + "' of a cooperative group", &e);
    ir::ExprPtr handle = member->getBase()->isGLValue() ? place(member->getBase()) : value(member->getBase());
    if (name == "sync") return groupSync(handle->type, handle, e.getBeginLoc());
    const ir::Intrinsic* fnEntry = ir::findIntrinsic(ir::Language::Cuda, "." + name);
    if (!fnEntry) refuse("'" + name + "' of a cooperative group", &e);
    ir::Call node;
    node.intrinsic = fnEntry;
    node.args.push_back(handle);
    for (const Expr* a : e.arguments()) node.args.push_back(value(a));
    noteIntrinsic(*fnEntry);
    return finishCall(ir::makeExpr(unit.type(e.getType(), e.getBeginLoc()), std::move(node), loc(&e)), e,
                      fnEntry->isPure(), temporaryName(*fnEntry));
  }
  if (users && callee->isConstexpr() && isScalarNumber(e.getType()) && !e.isValueDependent()) {
    // A constexpr function of constants is a constant; its text stands for it where it means the same.
    const bool dependsOnTemplate = fn.isTemplateInstantiation();
    if (ir::ExprPtr literal = constantLiteral(e, unit.ast, unit.type(e.getType(), e.getBeginLoc()), loc(&e),
                                              dependsOnTemplate ? "" : unit.text(e.getSourceRange())))
      return literal;
  }
  if (!users) {
    const auto* note = callee->getAttr<AnnotateAttr>();
    const bool runsItsBody = unit.toRun && note && note->getAnnotation() == "hone_body" && callee->hasBody();
    if (!isa<CXXMethodDecl>(callee) && !runsItsBody) {  // std::numeric_limits<int>::max() is no max
      ir::ExprPtr result;
      if (specialCall(e, *callee, name, result)) return result;
      if (inGroups(*callee)) name = "cooperative_groups::" + name;
      if (ir::ExprPtr known = intrinsicCall(e, *callee, name)) return known;
    }
    if (callee->isConstexpr() && (e.getType()->isArithmeticType()) && !e.isValueDependent())
      if (ir::ExprPtr literal =
              constantLiteral(e, unit.ast, unit.type(e.getType(), e.getBeginLoc()), loc(&e), ""))
        return literal;
    if (!callee->hasBody())
      refuse("call of '" + unit.qualifiedName(*callee) + "', which hone does not know", &e);
  }
  std::vector<const Expr*> args(e.arg_begin(), e.arg_end());
  return userCall(e, *callee, args, nullptr);
}

// A call's value; what a user's function returns by reference is the place it refers to, an intrinsic's is
// the value itself.
ir::ExprPtr BodyImporter::callResult(const CallExpr& e) {
  if (const FunctionDecl* callee = e.getDirectCallee();
      callee && callee->getIdentifier() &&
      (callee->getName() == "printf" || callee->getName() == "__builtin_printf") &&
      (callee->getBuiltinID() != 0 || !unit.isUserCode(callee->getLocation()))) {
    return finishCall(ir::makeExpr(ir::int32(), printfCall(e), loc(&e)), e, false, "printed");
  }
  ir::ExprPtr result = call(e);
  if (!result) refuse("internal: a call without a value", &e);
  const bool reference =
      e.isGLValue() && !ir::sameType(result->type, unit.type(e.getType(), e.getBeginLoc()));
  return reference ? ir::deref(result, loc(&e)) : result;
}

// Functions that are statements or conversions in the IR. True: done, `result` may be null for statements.
bool BodyImporter::specialCall(const CallExpr& e, const FunctionDecl& callee, const std::string& name,
                               ir::ExprPtr& result) {
  const ir::SourceLoc at = loc(&e);
  if (unit.openCL && workItemFunction(e, name, result)) return true;
  if (syncOrPrint(e, name)) {
    result = nullptr;
    return true;
  }
  if (unit.extension)
    if ((result = unit.extension->libraryCall(*this, e, name))) return true;
  if (name == "__builtin_expect" || name == "__builtin_assume_aligned") {
    result = value(e.getArg(0));
    return true;
  }
  if (name == "__builtin_assume" || name == "__assume") {
    // What would have effects is not evaluated, so it says nothing.
    ir::StmtList effects;
    auto* const around = std::exchange(out, &effects);
    const ir::ExprPtr condition = value(e.getArg(0));
    out = around;
    if (effects.empty()) emit(ir::assume(condition, at)->node, at);
    return true;
  }
  if (name == "__builtin_unreachable" || name == "__builtin_prefetch") return true;
  if (inGroups(callee) && name == "sync" && e.getNumArgs() == 1) {
    ir::ExprPtr handle = e.getArg(0)->isGLValue() ? place(e.getArg(0)) : value(e.getArg(0));
    result = groupSync(handle->type, handle, e.getBeginLoc());
    return true;
  }
  // Casts in the shape of functions, which Clang does not instantiate.
  if (callee.isInStdNamespace() && e.getNumArgs() == 1 && e.getArg(0)->isGLValue() &&
      (name == "move" || name == "forward" || name == "as_const" || name == "move_if_noexcept" ||
       name == "addressof" || name == "__addressof")) {
    result = place(e.getArg(0));
    if (name.ends_with("addressof")) result = addressOf(result);
    return true;
  }
  if (callee.isInStdNamespace() && (name == "min" || name == "max") && e.getNumArgs() == 2) {
    // std::min compares, and so treats NaN unlike CUDA's min of floats, which is fminf.
    ir::TypePtr type = unit.type(e.getType().getNonReferenceType(), e.getBeginLoc());
    if (type->isFloating()) {
      std::vector<ir::ExprPtr> operands = sequenced({e.getArg(0), e.getArg(1)});
      auto twice = [&](const ir::ExprPtr& v, const char* temp) {
        const auto* r = ir::as<ir::VarRef>(v);
        return r && r->var->space == ir::Space::Private ? v : reusable(v, temp);
      };
      ir::ExprPtr a = twice(operands[0], "a"), b = twice(operands[1], "b");
      const bool least = name == "min";
      ir::ExprPtr second =
          ir::makeExpr(ir::boolType(), ir::Binary{ir::BinaryOp::Lt, least ? b : a, least ? a : b}, at);
      result = ir::makeExpr(type, ir::Select{second, b, a}, at);
      return true;
    }
  }
  llvm::StringRef n(name);
  if (!unit.openCL && n.consume_front("make_")) {  // make_float4 and its kin
    ir::TypePtr type = unit.type(e.getType(), e.getBeginLoc());
    if (type->is(ir::TypeKind::Vector) && e.getNumArgs() == type->lanes) {
      std::vector<const Expr*> args(e.arg_begin(), e.arg_end());
      std::vector<ir::ExprPtr> parts = sequenced(args);
      for (ir::ExprPtr& part : parts) part = ir::convert(part, type->element);
      result = ir::makeExpr(type, ir::Construct{std::move(parts)}, at);
      return true;
    }
  }
  return false;
}

// CUDA declares min, max and the math functions of integers and mixed operands too; they compute in the type
// they return.
static void convertOperands(std::vector<ir::ExprPtr>& args, const FunctionDecl& callee,
                            const std::string& name, const ir::TypePtr& result, bool openCL) {
  const FunctionTemplateDecl* of = callee.getPrimaryTemplate();
  const bool isNamed = args.size() == 2 && (name == "min" || name == "max" || name == "pow");
  const bool isGeneric = of && of->getTemplateParameters()->size() == args.size() && args.size() <= 2 &&
                         callee.getNumParams() == args.size() && result->is(ir::TypeKind::Float);
  auto isNumber = [](const ir::TypePtr& t) {
    return t->is(ir::TypeKind::Int) || t->is(ir::TypeKind::Float) || t->is(ir::TypeKind::Bool);
  };
  if (openCL || !(isNamed || isGeneric) || !isNumber(result)) return;
  for (const ir::ExprPtr& a : args)
    if (!isNumber(a->type)) return;
  const std::vector<ir::TypePtr> types(args.size(), result);
  if (!ir::findIntrinsic(ir::Language::Cuda, name, types)) return;
  for (ir::ExprPtr& a : args) a = ir::convert(a, result);
}

// `T&&` of a template takes whatever is given, and the toolkit's functions only read it.
static bool isForwarded(const FunctionDecl& callee, unsigned parameter) {
  const FunctionTemplateDecl* of = callee.getPrimaryTemplate();
  if (!of || parameter >= of->getTemplatedDecl()->getNumParams()) return false;
  const QualType type = of->getTemplatedDecl()->getParamDecl(parameter)->getType();
  return type->isRValueReferenceType() && isa<TemplateTypeParmType>(type->getPointeeType());
}

// The first of the values, to be kept as they are.
static llvm::SmallVector<ir::ExprPtr*, 8> pointersTo(std::vector<ir::ExprPtr>& values, size_t count) {
  llvm::SmallVector<ir::ExprPtr*, 8> out;
  for (size_t i = 0; i < count; ++i) out.push_back(&values[i]);
  return out;
}

ir::ExprPtr BodyImporter::intrinsicCall(const CallExpr& e, const FunctionDecl& callee,
                                        const std::string& name) {
  const ir::Language language = unit.openCL ? ir::Language::OpenCL : ir::Language::Cuda;
  if (!ir::findIntrinsic(language, name)) return nullptr;
  ir::Call node;
  for (unsigned i = 0; i < e.getNumArgs(); ++i) {
    const Expr* arg = e.getArg(i);
    if (isa<CXXDefaultArgExpr>(arg)) break;  // the platform's default applies again when it is printed
    const bool byReference =
        i < callee.getNumParams() && callee.getParamDecl(i)->getType()->isReferenceType() &&
        !callee.getParamDecl(i)->getType()->getPointeeType().isConstQualified() && arg->isLValue() &&
        !isForwarded(callee, i) && !unit.type(arg->getType(), arg->getBeginLoc())->is(ir::TypeKind::Handle);
    const size_t before = out->size();
    node.args.push_back(byReference ? addressOf(place(arg)) : value(arg));
    keepBefore(before, pointersTo(node.args, i));
  }
  convertOperands(node.args, callee, name, unit.type(e.getType(), e.getBeginLoc()), unit.openCL);
  std::vector<ir::TypePtr> argTypes;
  argTypes.reserve(node.args.size());
  for (const ir::ExprPtr& a : node.args) argTypes.push_back(a->type);
  node.intrinsic = ir::findIntrinsic(language, name, argTypes);
  if (!node.intrinsic) return nullptr;
  if (!localUsing) node.spelling = calleeSpelling(e, unit);
  if (const auto* ref = dyn_cast<DeclRefExpr>(e.getCallee()->IgnoreParenImpCasts());
      ref && ref->hasExplicitTemplateArgs()) {
    std::string list;
    const TemplateArgumentList* given = callee.getTemplateSpecializationArgs();
    for (unsigned i = 0; given && i < ref->getNumTemplateArgs() && i < given->size(); ++i) {
      const TemplateArgument& arg = (*given)[i];
      if (arg.getKind() == TemplateArgument::Type) {
        node.typeArgs.push_back(unit.type(arg.getAsType(), e.getBeginLoc()));
        list += (i ? ", " : "") + unit.typeName(arg.getAsType());
      } else if (arg.getKind() == TemplateArgument::Integral) {
        list += (i ? ", " : "") + std::to_string(asInt64(arg.getAsIntegral()));
      }
    }
    node.spelling = unit.qualifiedName(callee);
    if (size_t cut = node.spelling.find('<'); cut != std::string::npos) node.spelling.resize(cut);
    node.spelling += "<" + list + ">";
  }
  const ir::Intrinsic& fnEntry = *node.intrinsic;
  if (fnEntry.id == "device_malloc" || fnEntry.id == "device_free") {
    if (!unit.kernelsToRun && !unit.extension) refuse("'" + name + "' in device code", &e);
    writesMemory = readsMemory = true;
  }
  noteIntrinsic(fnEntry);
  for (const ir::ExprPtr& a : node.args)
    if (const auto* address = ir::as<ir::AddressOf>(a); address && !fnEntry.isPure())
      noteAccess(address->place, true);
  ir::TypePtr type = unit.type(e.getType(), e.getBeginLoc());
  // Infinities and NaNs have no literals: bits seen as a float are how they are written.
  if (fnEntry.id == "as" && type->is(ir::TypeKind::Float) && node.args.size() == 1)
    if (auto bits = ir::constantValue(node.args[0])) {
      const double number = type->bits == 64   ? std::bit_cast<double>(*bits)
                            : type->bits == 32 ? std::bit_cast<float>(uint32_t(*bits))
                                               : 0.0;
      if (!std::isfinite(number)) return ir::floatLit(number, type, loc(&e));
    }
  return finishCall(ir::makeExpr(type, std::move(node), loc(&e)), e, fnEntry.isPure(),
                    temporaryName(fnEntry));
}

ir::ExprPtr BodyImporter::groupSync(const ir::TypePtr& group, ir::ExprPtr handle, SourceLocation at) {
  const std::string& name = group->spelling;
  synchronizes = true;
  if (name == "cooperative_groups::thread_block") {
    emit(ir::Barrier{ir::SyncScope::Block, nullptr, true, true}, unit.loc(at));
    return nullptr;
  }
  if (name == "cooperative_groups::grid_group") {
    emit(ir::Barrier{ir::SyncScope::Grid, nullptr, true, true}, unit.loc(at));
    return nullptr;
  }
  ir::Call node;
  node.intrinsic = ir::findIntrinsic(ir::Language::Cuda, ".sync");
  if (!node.intrinsic) unit.unexpected("sync of '" + name + "'", at);
  node.args.push_back(std::move(handle));
  emit(ir::Eval{ir::makeExpr(ir::voidType(), std::move(node), unit.loc(at))}, unit.loc(at));
  return nullptr;
}

ir::ExprPtr BodyImporter::groupCall(const CXXMemberCallExpr& e) {
  const Expr* object = e.getImplicitObjectArgument();
  // Look through conversions to a base group: the handle keeps its own type.
  while (const auto* cast = dyn_cast<ImplicitCastExpr>(unwrap(object))) {
    if (cast->getCastKind() != CK_UncheckedDerivedToBase && cast->getCastKind() != CK_DerivedToBase &&
        cast->getCastKind() != CK_NoOp)
      break;
    object = cast->getSubExpr();
  }
  object = unwrap(object);
  if (const auto* m = dyn_cast<MaterializeTemporaryExpr>(object)) object = unwrap(m->getSubExpr());
  ir::ExprPtr handle = object->isGLValue() ? place(object) : value(object);
  const std::string name = e.getMethodDecl()->getNameAsString();
  if (name == "sync") return groupSync(handle->type, handle, e.getBeginLoc());
  ir::Call node;
  node.intrinsic = ir::findIntrinsic(ir::Language::Cuda, "." + name);
  if (!node.intrinsic) refuse("'" + name + "' of a cooperative group", &e);
  node.args.push_back(handle);
  for (const Expr* a : e.arguments())
    if (!isa<CXXDefaultArgExpr>(a)) node.args.push_back(value(a));
  noteIntrinsic(*node.intrinsic);
  const ir::Intrinsic& fnEntry = *node.intrinsic;
  return finishCall(ir::makeExpr(unit.type(e.getType(), e.getBeginLoc()), std::move(node), loc(&e)), e,
                    fnEntry.isPure(), temporaryName(fnEntry));
}

// Operators: of the platform's own types (half, vectors of half) they are plain operators, otherwise calls.
ir::ExprPtr BodyImporter::operatorCall(const CXXOperatorCallExpr& e) {
  const FunctionDecl* callee = e.getDirectCallee();
  if (!callee) unexpected("operator call without a callee", &e);
  const ir::SourceLoc at = loc(&e);
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const OverloadedOperatorKind kind = e.getOperator();
  auto operand = [&](unsigned i) {
    return e.getArg(i)->isGLValue() ? place(e.getArg(i)) : value(e.getArg(i));
  };
  const bool plainCopy = method &&
                         (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) &&
                         (method->isTrivial() || !unit.isUserCode(callee->getLocation()));
  if (plainCopy) {
    // Of `a = b = c` the second is a place with a value.
    const auto* chained = dyn_cast<CXXOperatorCallExpr>(e.getArg(1)->IgnoreParenImpCasts());
    ir::ExprPtr v = chained && chained->isAssignmentOp() ? value(chained) : rootValue(e.getArg(1));
    ir::ExprPtr target = place(e.getArg(0));
    if (!ir::sameType(v->type, target->type)) v = ir::convert(v, target->type);
    noteAccess(target, true);
    emit(ir::Assign{target, std::nullopt, v, false}, at);
    return rootCall == &e ? nullptr : addressOf(target);
  }
  if (!unit.isUserCode(callee->getLocation())) {
    ir::TypePtr first = unit.type(e.getArg(0)->getType().getNonReferenceType(), e.getBeginLoc());
    if (isHalf(*first)) {
      if (kind == OO_Equal && e.getNumArgs() == 2) {  // half = float
        ir::ExprPtr v = ir::convert(operand(1), first);
        ir::ExprPtr target = place(e.getArg(0));
        noteAccess(target, true);
        emit(ir::Assign{target, std::nullopt, v, false}, at);
        return rootCall == &e ? nullptr : addressOf(target);
      }
      const auto opcode =
          e.getNumArgs() == 2 ? std::optional(BinaryOperator::getOverloadedOpcode(kind)) : std::nullopt;
      if (opcode && BinaryOperator::isCompoundAssignmentOp(*opcode)) {
        auto op = binaryOp(*opcode);
        ir::ExprPtr rhs = ir::convert(operand(1), first);
        ir::ExprPtr target = place(e.getArg(0));
        noteAccess(target, true);
        emit(ir::Assign{target, op, rhs, false}, at);
        return rootCall == &e ? nullptr : addressOf(target);
      }
      if (opcode)
        if (auto op = binaryOp(*opcode)) {
          ir::ExprPtr lhs = operand(0), rhs = operand(1);
          if (!ir::sameType(lhs->type, rhs->type))
            refuse("operator on '" + ir::str(*lhs->type) + "' and '" + ir::str(*rhs->type) + "'", &e);
          return ir::makeExpr(unit.type(e.getType(), e.getBeginLoc()), ir::Binary{*op, lhs, rhs}, at);
        }
      if (kind == OO_Minus && e.getNumArgs() == 1)
        return ir::makeExpr(first, ir::Unary{ir::UnaryOp::Neg, operand(0)}, at);
    }
  }
  std::vector<const Expr*> args(e.arg_begin(), e.arg_end());
  if (method && method->isInstance()) {
    const Expr* object = args[0];
    args.erase(args.begin());
    return userCall(e, *method, args, object);
  }
  return userCall(e, *callee, args, nullptr);
}

ir::ExprPtr BodyImporter::argument(const Expr* arg, const ParmVarDecl* param) {
  if (!param->getType()->isReferenceType()) return value(arg);
  const Expr* inner = unwrap(arg);
  if (const auto* m = dyn_cast<MaterializeTemporaryExpr>(inner))
    return addressOf(temporary(param->getNameAsString().empty() ? "argument" : param->getNameAsString(),
                               rootValue(m->getSubExpr())));
  return addressOf(place(arg));
}

ir::ExprPtr BodyImporter::objectPointer(const Expr* object, const FunctionDecl& callee) {
  if (object->getType()->isPointerType()) return value(object);
  const Expr* inner = unwrap(object);
  if (const auto* m = dyn_cast<MaterializeTemporaryExpr>(inner)) inner = unwrap(m->getSubExpr());
  if (inner->isGLValue()) return addressOf(place(inner));
  if (const auto* method = dyn_cast<CXXMethodDecl>(&callee); method && !method->isConst()) {
    // A method that is not const needs an object that is not, and would else be another overload when
    // read back.
    auto var = std::make_shared<ir::Variable>();
    var->name = "object";
    ir::ExprPtr init = rootValue(inner);
    var->type = init->type;
    var->loc = init->loc;
    emit(ir::Declare{var, init}, var->loc);
    return addressOf(ir::ref(var, var->loc));
  }
  return addressOf(temporary("object", rootValue(inner)));
}

// Arguments for the parameters of `function` from number `skip` on.
void BodyImporter::callArguments(const Expr& e, const FunctionDecl& callee, const ir::Function& function,
                                 size_t skip, llvm::ArrayRef<const Expr*> args,
                                 std::vector<ir::ExprPtr>& to) {
  for (size_t i = 0; i < args.size(); ++i) {
    if (i + skip >= function.params.size()) unexpected("argument without a parameter", &e);
    const size_t before = out->size();
    if (function.params[i + skip]->isReference) {
      to.push_back(argument(args[i], callee.getParamDecl(unsigned(i))));
    } else {
      const Expr* inner = unwrap(args[i]);
      if (const auto* m = dyn_cast<MaterializeTemporaryExpr>(inner)) inner = m->getSubExpr();
      ir::ExprPtr v = inner->isGLValue() ? place(inner) : value(inner);
      if (inner->isGLValue()) noteAccess(v, false);
      to.push_back(v);
    }
    keepBefore(before, pointersTo(to, to.size() - 1));
  }
}

// Whether the object's class decides which function is called.
static bool isDispatched(const Expr& e, const FunctionDecl& callee, const Expr* object) {
  const auto* method = dyn_cast<CXXMethodDecl>(&callee);
  if (!method || !method->isVirtual() || !object) return false;
  const auto* call = dyn_cast<CXXMemberCallExpr>(&e);
  const auto* named = call ? dyn_cast<MemberExpr>(call->getCallee()->IgnoreParens()) : nullptr;
  return !named || !named->hasQualifier();
}

ir::ExprPtr BodyImporter::userCall(const Expr& e, const FunctionDecl& named, llvm::ArrayRef<const Expr*> args,
                                   const Expr* object) {
  const FunctionDecl& callee = unit.extension ? unit.extension->calleeOf(named) : named;
  if (unit.kernelsToRun && isDispatched(e, callee, object))
    return virtualCall(e, cast<CXXMethodDecl>(callee), args, object);
  ir::FunctionPtr function = unit.function(callee, e.getBeginLoc());
  const FunctionDecl* definition = callee.getDefinition();
  if (!definition) definition = &callee;
  ir::Call node;
  node.function = function;
  if (object) node.args.push_back(objectPointer(object, callee));
  const bool hasThis = object || isa<CXXConstructorDecl>(callee);
  callArguments(e, *definition, *function, hasThis ? 1 : 0, args, node.args);
  if (const auto* plain = dyn_cast<CallExpr>(&e); plain && !object && !localUsing)
    node.spelling = calleeSpelling(*plain, unit);
  writesMemory = writesMemory || function->writesMemory;
  readsMemory = readsMemory || function->readsMemory;
  usesCoords = usesCoords || function->usesCoords;
  synchronizes = synchronizes || function->synchronizes;
  ir::TypePtr type = function->returnType;
  if (function->kind == ir::FunctionKind::Constructor) type = unit.type(e.getType(), e.getBeginLoc());
  std::string base = callee.getDeclName().isIdentifier() ? callee.getNameAsString() : std::string("operator");
  return finishCall(ir::makeExpr(type, std::move(node), loc(&e)), e, function->isPure(), base + "_result");
}

}  // namespace hone::frontend
