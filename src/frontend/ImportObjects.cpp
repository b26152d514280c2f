// Objects made from parts: initializer lists, constructors, zero values.
#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "frontend/BitFields.h"
#include "frontend/ConstantValues.h"
#include "frontend/Importer.h"
#include "ir/Build.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

// Imports parts that C++ evaluates in order: where a later one has effects, the earlier ones are saved first.
std::vector<ir::ExprPtr> BodyImporter::sequenced(llvm::ArrayRef<const Expr*> parts,
                                                 const std::set<size_t>& bound) {
  std::vector<ir::ExprPtr> values;
  for (const Expr* part : parts) {
    const size_t before = out->size();
    ir::ExprPtr v = bound.contains(values.size()) ? addressOf(place(part)) : value(part);
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
    case ir::TypeKind::BFloat:
      // CUDA has no literals of 16 bits, only conversions to them.
      if (type->bits == 16 && !unit.openCL)
        return ir::convert(ir::floatLit(0, ir::floatType(32), unit.loc(at)), type, true);
      return ir::floatLit(0, type, unit.loc(at));
    case ir::TypeKind::Pointer: return ir::makeExpr(type, ir::NullPointer{}, unit.loc(at));
    case ir::TypeKind::Vector: {
      std::vector<ir::ExprPtr> parts(type->lanes, zero(type->element, at));
      return ir::makeExpr(type, ir::Construct{parts}, unit.loc(at));
    }
    case ir::TypeKind::Struct:
    case ir::TypeKind::Array:
    case ir::TypeKind::Handle: return ir::makeExpr(type, ir::Construct{}, unit.loc(at));
    default: unit.unexpected("zero of type " + ir::str(*type), at);
  }
}

ir::ExprPtr BodyImporter::initList(const InitListExpr& list) {
  const InitListExpr& e = list.isSemanticForm() || !list.getSemanticForm() ? list : *list.getSemanticForm();
  ir::TypePtr type = unit.type(e.getType(), e.getBeginLoc());
  const ir::SourceLoc at = loc(&e);
  if (e.isTransparent()) return value(e.getInit(0));
  // cg::plus<float>{}: the toolkit's has a base class, empty as it is.
  const auto* empty = e.getType()->getAsCXXRecordDecl();
  if (type->is(ir::TypeKind::Handle) && empty && empty->isEmpty())
    return ir::makeExpr(type, ir::Construct{}, at);
  if (type->isArithmetic() || type->isPointer())
    return e.getNumInits() ? value(e.getInit(0)) : zero(type, e.getBeginLoc());
  if (type->is(ir::TypeKind::Struct) && type->record->isUnion) {
    if (e.getInitializedFieldInUnion() && fieldNumber(*e.getInitializedFieldInUnion()) != 0)
      refuse("initialised union member that is not the first", &e);
  }
  if (e.isStringLiteralInit()) return characters(*cast<StringLiteral>(unwrap(e.getInit(0))), type);
  if (e.getNumInits() == 0 && type->is(ir::TypeKind::Vector)) return zero(type, e.getBeginLoc());
  std::vector<const Expr*> parts;
  for (const Expr* init : e.inits()) parts.push_back(init);
  if (const auto* record = e.getType()->getAsRecordDecl(); record && !record->isUnion()) {
    auto isReference = [](const FieldDecl* f) { return f->getType()->isReferenceType(); };
    const auto reference = std::find_if(record->field_begin(), record->field_end(), isReference);
    if (reference != record->field_end()) {
      if (!unit.toRun) refuse("member '" + reference->getNameAsString() + "' is a reference", &e);
      const size_t bases = parts.size() - size_t(std::distance(record->field_begin(), record->field_end()));
      std::vector<ir::ExprPtr> values;
      for (size_t i = 0; i < bases; ++i) values.push_back(value(parts[i]));
      for (const FieldDecl* field : record->fields()) {
        const Expr* part = parts[values.size()];
        values.push_back(isReference(field) ? addressOf(place(part)) : value(part));
      }
      return ir::makeExpr(type, ir::Construct{std::move(values)}, at);
    }
  }
  // An array's trailing zeros are implied.
  while (type->is(ir::TypeKind::Array) && !parts.empty() && isa<ImplicitValueInitExpr>(parts.back()))
    parts.pop_back();
  return ir::makeExpr(type, ir::Construct{sequenced(parts)}, at);
}

// A loop over the elements of an array; `fill` adds the statements for one of them.
void BodyImporter::forElements(const ir::ExprPtr& array, ir::SourceLoc at,
                               const std::function<void(const ir::ExprPtr&)>& fill) {
  auto index = std::make_shared<ir::Variable>();
  index->name = "element";
  index->type = ir::int32();
  index->loc = at;
  ir::ExprPtr i = ir::ref(index, at);
  ir::StmtList body;
  ir::StmtList* outer = std::exchange(out, &body);
  fill(ir::subscript(array, {i}, at));
  out = outer;
  if (body.empty()) return;
  out->push_back(ir::countingLoop(
      {.var = index, .end = ir::intLit(array->type->extent), .body = ir::block(std::move(body), at)}, at));
}

bool leavesUnset(const ir::ExprPtr& made) {
  const auto* call = ir::as<ir::Call>(made);
  if (!call || !call->function || call->function->kind != ir::FunctionKind::Constructor) return false;
  const auto* body = ir::as<ir::Block>(call->function->body);
  return body && body->stmts.empty() && call->args.empty();
}

// Default constructors of all elements, in order.
void BodyImporter::constructElements(const ir::ExprPtr& array, const CXXConstructExpr& e) {
  forElements(array, loc(&e), [&](const ir::ExprPtr& element) {
    if (element->type->is(ir::TypeKind::Array)) {
      constructElements(element, e);
      return;
    }
    std::vector<const Expr*> args(e.arg_begin(), e.arg_end());
    const Expr* saved = std::exchange(rootCall, &e);
    ir::ExprPtr made = userCall(e, *e.getConstructor(), args, nullptr);
    rootCall = saved;
    if (leavesUnset(made)) return;
    if (const auto* call = ir::as<ir::Call>(made))  // of the expression's type, which is the array's
      made = ir::makeExpr(element->type, *call, loc(&e));
    noteAccess(element, true);
    emit(ir::Assign{element, std::nullopt, made, false}, loc(&e));
  });
}

// An array that is a member takes its initial value element by element.
void BodyImporter::initializeArray(const ir::ExprPtr& array, const Expr* init) {
  const Expr* e = unwrap(init);
  const ir::SourceLoc at = loc(e);
  auto set = [&](const ir::ExprPtr& element, const Expr* from) {
    if (element->type->is(ir::TypeKind::Array)) {
      initializeArray(element, from);
      return;
    }
    ir::ExprPtr v = rootValue(from);
    noteAccess(element, true);
    emit(ir::Assign{element, std::nullopt, v, false}, at);
  };
  auto clear = [&](const ir::ExprPtr& element) {
    noteAccess(element, true);
    emit(ir::Assign{element, std::nullopt, zero(element->type, e->getBeginLoc()), false}, at);
  };
  const std::function<void(const ir::ExprPtr&)> clearAll = [&](const ir::ExprPtr& element) {
    if (element->type->is(ir::TypeKind::Array))
      forElements(element, at, clearAll);
    else
      clear(element);
  };
  if (const auto* list = dyn_cast<InitListExpr>(e)) {
    if (list->getSemanticForm()) list = list->getSemanticForm();
    if (list->isTransparent()) return initializeArray(array, list->getInit(0));
    if (list->getNumInits() < uint64_t(array->type->extent) && !list->isStringLiteralInit() &&
        isa_and_nonnull<ImplicitValueInitExpr>(list->getArrayFiller())) {
      clearAll(array);
    } else if (const Expr* filler = list->getArrayFiller();
               filler && list->getNumInits() < uint64_t(array->type->extent)) {
      forElements(array, at, [&](const ir::ExprPtr& element) { set(element, filler); });
    }
    for (unsigned i = 0; i < list->getNumInits(); ++i)
      if (!isa<ImplicitValueInitExpr>(list->getInit(i)) || !list->getArrayFiller())
        set(ir::subscript(array, {ir::intLit(i)}, at), list->getInit(i));
  } else if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(e)) {
    clearAll(array);
  } else if (const auto* made = dyn_cast<CXXConstructExpr>(e)) {
    if (made->requiresZeroInitialization()) clearAll(array);
    if (!made->getConstructor()->isTrivial()) constructElements(array, *made);
  } else {
    unexpected("initializer of an array member", e);
  }
}

// The array that a string literal initialises; only a kernel that is not printed back may have one.
ir::ExprPtr BodyImporter::characters(const StringLiteral& text, const ir::TypePtr& type) {
  if (!unit.toRun) refuse("string literal used as data", &text);
  std::vector<ir::ExprPtr> parts;
  for (unsigned i = 0; i < text.getLength() && int64_t(i) < type->extent; ++i)
    parts.push_back(
        ir::intLit(int64_t(truncated(text.getCodeUnit(i), *type->element)), type->element, loc(&text)));
  return ir::makeExpr(type, ir::Construct{std::move(parts)}, loc(&text));
}

// A string literal as the constant array it is.
ir::VarPtr UnitImporter::literalArray(const StringLiteral& text) {
  if (const auto it = literals.find(&text); it != literals.end()) return it->second;
  auto var = std::make_shared<ir::Variable>();
  var->name = ".string" + std::to_string(literals.size());
  var->spelling = var->linkageName = var->name;
  var->storage = ir::Storage::Global;
  var->space = ir::Space::Constant;
  var->loc = loc(text.getBeginLoc());
  var->type = type(text.getType(), text.getBeginLoc());
  var->isConst = true;
  std::vector<ir::ExprPtr> parts;
  const ir::TypePtr& element = var->type->element;
  for (unsigned i = 0; i < text.getLength(); ++i)
    parts.push_back(ir::intLit(int64_t(truncated(text.getCodeUnit(i), *element)), element, var->loc));
  var->init = ir::makeExpr(var->type, ir::Construct{std::move(parts)}, var->loc);
  literals[&text] = var;
  module.globals.push_back(var);
  return var;
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
    if (ctor.isTrivial() && !e.requiresZeroInitialization()) return nullptr;
    if (ctor.isTrivial()) return zero(type, e.getBeginLoc());
    if (!unit.toRun) refuse("array of objects with constructors", &e);
    auto made = std::make_shared<ir::Variable>();
    made->name = "made";
    made->type = type;
    made->loc = at;
    emit(ir::Declare{made, nullptr}, at);
    const size_t before = out->size();
    constructElements(ir::ref(made, at), e);
    if (out->size() > before) return ir::ref(made, at);
    out->pop_back();
    return nullptr;
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

}  // namespace hone::frontend
