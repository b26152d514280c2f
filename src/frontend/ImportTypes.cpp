// Clang types to IR types.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "frontend/BitFields.h"
#include "frontend/DispatchTargets.h"
#include "frontend/Importer.h"
#include "llvm/ADT/StringSwitch.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

bool inNamespace(const Decl& decl, llvm::StringRef name) {
  for (const DeclContext* c = decl.getDeclContext(); c; c = c->getParent())
    if (const auto* ns = dyn_cast<NamespaceDecl>(c); ns && ns->getName() == name) return true;
  return false;
}

/// The element type and lanes of CUDA's vector structs, by name ("float4", "uchar2"); lanes 0 when it is
/// none.
std::pair<std::string, unsigned> vectorName(llvm::StringRef name) {
  if (name == "dim3") return {"uint", 3};
  llvm::StringRef digits = name.take_while([](char) { return true; });
  if (digits.ends_with("_16a") || digits.ends_with("_32a")) digits = digits.drop_back(4);
  unsigned lanes = 0;
  if (digits.size() > 1 && digits.back() >= '1' && digits.back() <= '4') lanes = digits.back() - '0';
  llvm::StringRef base = digits.drop_back(lanes ? 1 : 0);
  bool known = llvm::StringSwitch<bool>(base)
                   .Cases({"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong",
                           "ulonglong"},
                          true)
                   .Cases({"float", "double"}, true)
                   .Default(false);
  return known && lanes ? std::pair{base.str(), lanes} : std::pair{std::string(), 0u};
}

ir::TypePtr elementByName(llvm::StringRef n) {
  if (n == "char") return ir::intType(8, true);
  if (n == "uchar") return ir::intType(8, false);
  if (n == "short") return ir::intType(16, true);
  if (n == "ushort") return ir::intType(16, false);
  if (n == "int") return ir::int32();
  if (n == "uint") return ir::uint32();
  if (n == "long" || n == "longlong") return ir::int64();
  if (n == "ulong" || n == "ulonglong") return ir::uint64();
  if (n == "float") return ir::floatType(32);
  return ir::floatType(64);
}

}  // namespace

bool isNameableEverywhere(const NamedDecl& decl) {
  for (const DeclContext* c = decl.getDeclContext(); c; c = c->getParent()) {
    if (c->isFunctionOrMethod()) return false;
    if (isa<ClassTemplateSpecializationDecl>(c)) return false;
    if (c->isDependentContext()) return false;
  }
  return true;
}

ir::Space UnitImporter::space(LangAS as) const {
  switch (as) {
    case LangAS::opencl_global:
    case LangAS::opencl_global_device:
    case LangAS::opencl_global_host:
    case LangAS::cuda_device: return ir::Space::Global;
    case LangAS::opencl_local:
    case LangAS::cuda_shared: return ir::Space::Shared;
    case LangAS::opencl_constant:
    case LangAS::cuda_constant: return ir::Space::Constant;
    case LangAS::opencl_private: return ir::Space::Private;
    case LangAS::opencl_generic: return ir::Space::Generic;
    default: return openCL ? ir::Space::Private : ir::Space::Generic;
  }
}

bool UnitImporter::isVectorRecord(const RecordDecl& record) const {
  return !openCL && !isUserCode(record.getLocation()) && vectorName(record.getName()).second != 0;
}

bool UnitImporter::runsDestructor(QualType t) const {
  const CXXRecordDecl* record = ast.getBaseElementType(t)->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->hasTrivialDestructor() ||
      !isUserCode(record->getLocation()))
    return false;
  const CXXDestructorDecl* own = record->getDestructor();
  if (!own || own->isVirtual()) return true;
  if (own->isUserProvided()) {
    const FunctionDecl* pattern = own->getTemplateInstantiationPattern();
    const FunctionDecl* written = pattern ? pattern : own;
    const FunctionDecl* definition = written->getDefinition();
    const auto* body = definition ? dyn_cast_or_null<CompoundStmt>(definition->getBody()) : nullptr;
    if (!body || !body->body_empty()) return true;
  }
  for (const CXXBaseSpecifier& base : record->bases())
    if (runsDestructor(base.getType())) return true;
  for (const FieldDecl* field : record->fields())
    if (runsDestructor(field->getType())) return true;
  return false;
}

std::string UnitImporter::typeName(QualType t) const {
  PrintingPolicy policy(ast.getLangOpts());
  policy.SuppressTagKeyword = !openCL;
  policy.SuppressUnwrittenScope = true;
  policy.SuppressDefaultTemplateArgs = true;
  policy.Bool = true;
  policy.FullyQualifiedName = true;
  policy.PrintAsCanonical = false;
  if (openCL) return t.getUnqualifiedType().getAsString(policy);
  return TypeName::getFullyQualifiedName(t.getUnqualifiedType(), ast, policy);
}

// The typedef or enum name the user wrote, when it can be written where the kernel stands.
std::string UnitImporter::spellingOf(QualType t) const {
  if (const auto* subst = t->getAs<SubstTemplateTypeParmType>())
    return spellingOf(subst->getReplacementType());
  if (const auto* alias = dyn_cast<TypedefType>(t.getTypePtr())) {
    const TypedefNameDecl& decl = *alias->getDecl();
    if (!isNameableEverywhere(decl) || t->isDependentType()) return spellingOf(decl.getUnderlyingType());
    return qualifiedName(decl);
  }
  if (const auto* tag = dyn_cast<EnumType>(t.getTypePtr())) {
    const EnumDecl& decl = *tag->getDecl();
    if (!isNameableEverywhere(decl)) return "";
    if (decl.getIdentifier()) return openCL ? "enum " + decl.getNameAsString() : qualifiedName(decl);
    if (const auto* anon = decl.getTypedefNameForAnonDecl()) return qualifiedName(*anon);
    return "";
  }
  return "";
}

ir::TypePtr UnitImporter::builtinType(const BuiltinType& t, QualType whole, SourceLocation at) {
  switch (t.getKind()) {
    case BuiltinType::Void: return ir::voidType();
    case BuiltinType::Bool: return ir::boolType();
    case BuiltinType::Char_S:
    case BuiltinType::Char_U: return openCL ? ir::intType(8, true) : ir::charType();
    case BuiltinType::SChar: return ir::intType(8, true);
    case BuiltinType::UChar: return ir::intType(8, false);
    case BuiltinType::Short: return ir::intType(16, true);
    case BuiltinType::UShort: return ir::intType(16, false);
    case BuiltinType::Int: return ir::int32();
    case BuiltinType::UInt: return ir::uint32();
    case BuiltinType::Long: return openCL ? ir::int64() : ir::withSpelling(ir::int64(), "long");
    case BuiltinType::ULong: return openCL ? ir::uint64() : ir::withSpelling(ir::uint64(), "unsigned long");
    case BuiltinType::LongLong: return ir::int64();
    case BuiltinType::ULongLong: return ir::uint64();
    case BuiltinType::WChar_S:
    case BuiltinType::WChar_U:
    case BuiltinType::Char8:
    case BuiltinType::Char16:
    case BuiltinType::Char32: {
      auto base = ir::intType(unsigned(ast.getTypeSize(whole)), whole->isSignedIntegerType());
      return ir::withSpelling(base, typeName(whole.getCanonicalType()));
    }
    case BuiltinType::Half:
    case BuiltinType::Float16: return ir::floatType(16);
    case BuiltinType::BFloat16: return ir::bfloatType();
    case BuiltinType::Float: return ir::floatType(32);
    case BuiltinType::Double: return ir::floatType(64);
    case BuiltinType::LongDouble:
      if (ast.getTypeSize(whole) == 64) return ir::floatType(64);
      break;
    case BuiltinType::NullPtr: return ir::pointerType(ir::voidType(), ir::Space::Generic);
    default: break;
  }
  std::string name = typeName(whole.getCanonicalType());
  if (openCL && (name.find("image") != std::string::npos || name.find("sampler") != std::string::npos))
    refuse("OpenCL image type '" + name + "'", at);
  refuse("type '" + name + "' has no place in the kernel IR", at);
}

ir::TypePtr UnitImporter::type(QualType t, SourceLocation at) {
  ir::TypePtr result = typeUncached(t, at);
  if (result->spelling.empty() || result->kind == ir::TypeKind::Int || result->kind == ir::TypeKind::Float ||
      result->kind == ir::TypeKind::Vector) {
    std::string spelled = spellingOf(t.getUnqualifiedType());
    if (spelled == "half" || spelled == "__half" || spelled == "nv_half") spelled.clear();
    if (!spelled.empty() && !result->isPointer() && result->kind != ir::TypeKind::Handle)
      return ir::withSpelling(result, spelled);
  }
  return result;
}

ir::TypePtr UnitImporter::typeUncached(QualType t, SourceLocation at) {
  if (t->isDependentType()) unexpected("dependent type '" + t.getAsString() + "'", at);
  if (const auto* atomic = t->getAs<AtomicType>()) return type(atomic->getValueType(), at);
  if (const auto* reference = t->getAs<ReferenceType>()) {
    QualType to = reference->getPointeeType();
    return ir::pointerType(type(to, at), space(to.getAddressSpace()), to.isConstQualified(),
                           to.isVolatileQualified());
  }
  if (const auto* pointer = t->getAs<PointerType>()) {
    QualType to = pointer->getPointeeType();
    if (to->isFunctionType() && !kernelsToRun) refuse("pointer to a function", at);
    if (to->isFunctionType()) return ir::uint64();  // the number that stands for it
    return ir::pointerType(type(to, at), space(to.getAddressSpace()), to.isConstQualified(),
                           to.isVolatileQualified(), t.isRestrictQualified());
  }
  if (t->isMemberPointerType()) refuse("pointer to a member", at);
  if (t->isBlockPointerType()) refuse("OpenCL block", at);
  if (const auto* array = ast.getAsConstantArrayType(t))
    return ir::arrayType(type(array->getElementType(), at), array->getSize().getSExtValue());
  if (const auto* array = ast.getAsIncompleteArrayType(t))
    return ir::arrayType(type(array->getElementType(), at), -1);
  if (isFlatArray(t, ast)) return type(ast.getAsArrayType(t)->getElementType(), at);
  if (t->isVariableArrayType()) unexpected("array whose length is known only at run time", at);
  if (const auto* vector = t->getAs<VectorType>()) {
    if (vector->getElementType()->isBooleanType()) refuse("vector of bool", at);
    return ir::vectorType(type(vector->getElementType().getCanonicalType(), at), vector->getNumElements());
  }
  if (const auto* tag = t->getAs<EnumType>()) {
    QualType base = tag->getDecl()->getDefinitionOrSelf()->getIntegerType();
    if (base.isNull()) refuse("enum without a definition", at);
    return type(base.getCanonicalType(), at);
  }
  if (const auto* record = t->getAs<RecordType>())
    return recordType(*record->getDecl()->getDefinitionOrSelf(), at);
  if (const auto* builtin = t->getAs<BuiltinType>()) return builtinType(*builtin, t, at);
  if (t->isPipeType()) refuse("OpenCL pipe", at);
  if (t->isFunctionType()) refuse("a function is used as a value", at);
  refuse("type '" + t.getAsString() + "' has no place in the kernel IR", at);
}

ir::TypePtr UnitImporter::recordType(const RecordDecl& record, SourceLocation at) {
  const bool ours = isUserCode(record.getLocation());
  llvm::StringRef name = record.getIdentifier() ? record.getName() : "";
  if (!openCL && !ours) {
    if (auto [element, lanes] = vectorName(name); lanes) {
      auto vector = ir::vectorType(elementByName(element), lanes);
      return name == "dim3" || name.starts_with("long") || name.starts_with("ulong") || name.ends_with("a")
                 ? ir::withSpelling(vector, name.str())
                 : vector;
    }
    if (name == "__half") return ir::floatType(16);
    if (name == "__half2") return ir::vectorType(ir::floatType(16), 2);
    if (name == "__nv_bfloat16") return ir::bfloatType();
    if (name == "__nv_bfloat162") return ir::vectorType(ir::bfloatType(), 2);
    if (inNamespace(record, "cooperative_groups") || name == "texture" || name == "surface" ||
        name == "textureReference")
      return ir::handleType(typeName(QualType(ast.getCanonicalTagType(&record))));
    if (!toRun && isLibraryInSource(sources.getFileID(sources.getExpansionLoc(record.getLocation()))))
      refuse(
          "type '" + qualifiedName(record) + "' of a library that hone has a stand-in for, for running alone",
          at);
  }
  if (record.isLambda() && !toRun)
    refuse(
        "a lambda is part of it, whose type new text cannot name: write a function, or a struct with "
        "operator()",
        record.getLocation());
  if (const auto* cxx = dyn_cast<CXXRecordDecl>(&record)) {
    if (cxx->hasDefinition() && cxx->isPolymorphic() && !kernelsToRun)
      refuse("class '" + qualifiedName(record) + "' with virtual functions", at);
    if (cxx->hasDefinition() && cxx->getNumVBases())
      refuse("class '" + qualifiedName(record) + "' with virtual bases", at);
    if (cxx->hasDefinition() && cxx->isPolymorphic() && !cxx->isInvalidDecl())
      if (const std::string obstacle = obstacleToDispatch(*cxx->getDefinition()); !obstacle.empty())
        refuse("class '" + qualifiedName(record) + "' " + obstacle, at);
  }
  const bool isLocal = record.getParentFunctionOrMethod() != nullptr;
  if (isLocal && !toRun) refuse("struct declared inside a function", at);
  auto& slot = records[record.getCanonicalDecl() ? cast<RecordDecl>(record.getCanonicalDecl()) : &record];
  if (slot) return ir::structType(slot);
  slot = std::make_shared<ir::Record>();
  ir::RecordPtr made = slot;
  if (record.isLambda()) {
    made->name = "lambda" + std::to_string(records.size());
  } else if (!record.getIdentifier() && !record.getTypedefNameForAnonDecl()) {
    made->name = "";  // an unnamed member struct: reached through its fields only
  } else {
    made->name = typeName(QualType(ast.getCanonicalTagType(&record)));
  }
  // Two functions may each have a struct of one name.
  if (isLocal && !made->name.empty()) made->name += "#" + std::to_string(records.size());
  made->isUnion = record.isUnion();
  if (!record.getDefinition()) {
    made->isComplete = false;
    return ir::structType(made);
  }
  const RecordDecl& def = *record.getDefinition();
  if (def.isInvalidDecl()) refuse("struct '" + made->name + "' has errors", at);
  const ASTRecordLayout& layout = ast.getASTRecordLayout(&def);
  made->size = uint64_t(layout.getSize().getQuantity());
  made->align = uint64_t(layout.getAlignment().getQuantity());
  try {
    if (const auto* cxx = dyn_cast<CXXRecordDecl>(&def))
      for (const CXXBaseSpecifier& base : cxx->bases()) made->bases.push_back(type(base.getType(), at));
    if (hasOwnClassId(def)) {
      made->fields.push_back({"class id", ir::uint64()});
      made->offsets.push_back(0);
    }
    for (const FieldDecl* field : def.fields()) {
      if (field->isUnnamedBitField()) continue;
      ir::TypePtr fieldType = declaredType(*field);
      made->fields.push_back({field->getNameAsString(), fieldType});
      made->offsets.push_back(layout.getFieldOffset(field->getFieldIndex()) / 8);
    }
    if (std::any_of(def.field_begin(), def.field_end(), [](const FieldDecl* f) { return f->isBitField(); }))
      if (const FieldDecl* refused = placeBitFields(def, ast, *made))
        refuse("bit-field '" + refused->getNameAsString() + "' of struct '" + made->name +
                   "', whose storage unit has more than 8 bytes",
               refused->getLocation());
  } catch (const Refusal&) {
    records.erase(cast<RecordDecl>(record.getCanonicalDecl()));  // do not leave half a record behind
    throw;
  }
  module.records.push_back(made);
  return ir::structType(made);
}

// An extent as the user wrote it, when every name in it means the same where the body is printed.
std::string UnitImporter::extentText(const Expr& size) const {
  if (std::string macro = macroName(size); !macro.empty()) return macro;
  struct Names {
    static bool printable(const Stmt* s) {
      if (!s) return false;
      if (isa<SubstNonTypeTemplateParmExpr>(s)) return true;
      if (const auto* r = dyn_cast<DeclRefExpr>(s))
        return isa<EnumConstantDecl, VarDecl>(r->getDecl()) && isNameableEverywhere(*r->getDecl());
      if (isa<UnaryExprOrTypeTraitExpr>(s)) return false;
      if (isa<MemberExpr, CallExpr>(s)) return false;
      for (const Stmt* child : s->children())
        if (!printable(child)) return false;
      return true;
    }
    static bool hasName(const Stmt* s) {
      if (isa<DeclRefExpr, SubstNonTypeTemplateParmExpr>(s) || s->getBeginLoc().isMacroID()) return true;
      for (const Stmt* child : s->children())
        if (child && hasName(child)) return true;
      return false;
    }
  };
  if (!Names::hasName(&size) || !Names::printable(&size)) return "";
  const CharSourceRange written = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(size.getSourceRange()), sources, ast.getLangOpts());
  if (written.isInvalid()) return "";
  std::string spelled = Lexer::getSourceText(written, sources, ast.getLangOpts()).str();
  return spelled.find('\n') == std::string::npos ? spelled : "";
}

// The declared type, with array extents as written.
ir::TypePtr UnitImporter::withMacroName(const ir::TypePtr& type, TypeLoc written) const {
  written = written.getUnqualifiedLoc();
  if (auto reference = written.getAs<ReferenceTypeLoc>())
    return withMacroName(type, reference.getPointeeLoc());
  TypeLoc inner;
  if (auto pointer = written.getAs<PointerTypeLoc>()) inner = pointer.getPointeeLoc();
  if (auto array = written.getAsAdjusted<ArrayTypeLoc>()) inner = array.getElementLoc();
  if (!inner.isNull() && type->element && (type->isPointer() || type->is(ir::TypeKind::Array))) {
    ir::Type copy = *type;
    copy.element = withMacroName(type->element, inner);
    return std::make_shared<const ir::Type>(std::move(copy));
  }
  if (!type->isFloating() || !written.getAs<BuiltinTypeLoc>()) return type;
  const std::string name = macroName(written.getSourceRange());
  return name.empty() ? type : ir::withSpelling(type, name);
}

ir::TypePtr UnitImporter::declaredType(const DeclaratorDecl& decl) {
  ir::TypePtr plain = type(decl.getType(), decl.getLocation());
  if (decl.getTypeSourceInfo()) plain = withMacroName(plain, decl.getTypeSourceInfo()->getTypeLoc());
  if (plain->kind != ir::TypeKind::Array || !decl.getTypeSourceInfo()) return plain;
  std::vector<std::string> extents;
  TypeLoc loc = decl.getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc();
  while (auto array = loc.getAsAdjusted<ArrayTypeLoc>()) {
    extents.push_back(array.getSizeExpr() ? extentText(*array.getSizeExpr()) : "");
    loc = array.getElementLoc().getUnqualifiedLoc();
  }
  std::function<ir::TypePtr(const ir::TypePtr&, size_t)> name = [&](const ir::TypePtr& t,
                                                                    size_t level) -> ir::TypePtr {
    if (t->kind != ir::TypeKind::Array || level >= extents.size()) return t;
    ir::Type copy = *t;
    copy.element = name(t->element, level + 1);
    copy.extentName = extents[level];
    return std::make_shared<const ir::Type>(std::move(copy));
  };
  return name(plain, 0);
}

}  // namespace hone::frontend
