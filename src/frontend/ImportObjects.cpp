// Objects made from parts: initializer lists, constructors, zero values.
#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "frontend/ConstantValues.h"
#include "frontend/Importer.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

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
  if (type->isArithmetic() || type->isPointer())
    return e.getNumInits() ? value(e.getInit(0)) : zero(type, e.getBeginLoc());
  if (type->is(ir::TypeKind::Struct) && type->record->isUnion) {
    if (e.getInitializedFieldInUnion() && e.getInitializedFieldInUnion()->getFieldIndex() != 0)
      refuse("initialised union member that is not the first", &e);
  }
  if (e.isStringLiteralInit()) return characters(*cast<StringLiteral>(unwrap(e.getInit(0))), type);
  if (e.getNumInits() == 0 && type->is(ir::TypeKind::Vector)) return zero(type, e.getBeginLoc());
  std::vector<const Expr*> parts;
  for (const Expr* init : e.inits()) parts.push_back(init);
  if (const auto* record = e.getType()->getAsRecordDecl(); record && !record->isUnion()) {
    auto isReference = [](const FieldDecl* f) { return f->getType()->isReferenceType(); };
    if (std::any_of(record->field_begin(), record->field_end(), isReference)) {
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

// The array that a string literal initialises; only a kernel that is not printed back may have one.
ir::ExprPtr BodyImporter::characters(const StringLiteral& text, const ir::TypePtr& type) {
  if (!unit.keepsConditionals) refuse("string literal used as data", &text);
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

}  // namespace hone::frontend
