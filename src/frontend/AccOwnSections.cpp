// Sections of pointers that are private or firstprivate: the pointer leads to memory of its own.
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/AccBodies.h"
#include "frontend/AccText.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

/// What stands in the brackets behind a pointer variable.
struct OneSection {
  const Expr* base = nullptr;
  const Expr* lower = nullptr;   // null: 0
  const Expr* length = nullptr;  // null: 1
};

std::optional<OneSection> sectionOf(const Expr* written, const VarDecl& decl) {
  OneSection made;
  const Expr* at = plain(written);
  if (const auto* section = dyn_cast<ArraySectionExpr>(at)) {
    const bool isSingle = section->getColonLocFirst().isInvalid();
    if (!isSingle && !section->getLength()) return std::nullopt;
    made = {section->getBase(), section->getLowerBound(), isSingle ? nullptr : section->getLength()};
  } else if (const auto* element = dyn_cast<ArraySubscriptExpr>(at)) {
    made = {element->getBase(), element->getIdx(), nullptr};
  }
  const auto* name = made.base ? dyn_cast<DeclRefExpr>(plain(made.base)) : nullptr;
  return name && name->getDecl() == &decl ? std::optional(made) : std::nullopt;
}

}  // namespace

// A variable of the host that the region has copies of, and changes.
void AccBodies::keep(const VarDecl& decl, const std::string& host) {
  const VarDecl* key = decl.getCanonicalDecl();
  const QualType type = decl.getType().getNonReferenceType();
  if (scope->inside.contains(&decl) || type.isConstQualified() || !scope->kept.insert(key).second) return;
  // What has a destructor is no bytes to be copied; such regions have a reason not to run on the device.
  if (unit.runsDestructor(type) || type->isIncompleteType()) return;
  const bool hasOperators = type->isRecordType() && unit.ast.getLangOpts().CPlusPlus;
  scope->made.kept.push_back(
      {hasOperators ? "__builtin_addressof(" + host + ")" : "&" + host, "sizeof(" + host + ")"});
}

ir::VarPtr AccBodies::hostNumber(const VarDecl& decl, const std::string& what, const std::string& text) {
  auto var = std::make_shared<ir::Variable>();
  var->name = decl.getNameAsString() + what;
  var->storage = ir::Storage::Param;
  var->type = ir::int64();
  var->isConst = true;
  var->loc = unit.loc(decl.getLocation());
  return add({decl.getNameAsString(), AccSeen::HostTrips, var, text, -1, var->loc}, Scope::From::None, 0);
}

// `isOfLoop`: of a directive inside of the region, where the host has to know it before. Nothing: the clause
// means the whole variable; of an array it is right to have more than the part that is asked for.
std::optional<AccOwnSection> AccBodies::ownSection(const AccListed& listed, bool isFirst, bool isOfLoop) {
  if (listed.isWhole || !listed.written) return std::nullopt;
  const auto* decl = dyn_cast_or_null<VarDecl>(listed.var);
  const SourceLocation at = listed.written->getBeginLoc();
  const QualType type = decl ? decl->getType().getNonReferenceType() : QualType();
  const std::optional<OneSection> one = decl ? sectionOf(listed.written, *decl) : std::nullopt;
  if (one && type->isArrayType()) return std::nullopt;
  if (!one || !type->isPointerType() || !scope)
    unit.refuse("private with a part of a variable that is no section of a pointer; name the whole variable",
                at);
  if (isOfLoop)
    for (const Expr* bound : {one->lower, one->length})
      if (bound && !isKnownBefore(bound))
        unit.refuse("private section '" + reader.writtenText(*listed.written) +
                        "' whose bounds are not known before the region",
                    at);
  AccOwnSection made;
  const auto number = [&](const Expr* e) { return "(long long)(" + reader.hostText(*e) + ")"; };
  made.count = hostNumber(*decl, "_count", one->length ? number(one->length) : "1");
  const auto count = static_cast<int>(scope->made.captured.size()) - 1;
  if (one->lower) made.lower = hostNumber(*decl, "_lower", number(one->lower));
  const std::string elements = one->length ? number(one->length) : "1";
  std::string address = hostName(*decl, plain(one->base));
  const std::string element = "sizeof(*" + address + ")";
  if (one->lower) address = "(" + address + " + " + reader.hostText(*one->lower) + ")";
  scope->made.kept.push_back(
      {address, "(" + elements + " > 0 ? (unsigned long)" + elements + " * " + element + " : 0)"});
  if (isFirst) made.first = hostCopy(*decl, address, count);
  return made;
}

// The type of the captured pointer is that of the variable, or leads to the variable.
ir::VarPtr AccBodies::hostCopy(const VarDecl& decl, const std::string& address, int count) {
  const QualType type = decl.getType().getNonReferenceType();
  const auto first = parameterFor(decl);
  first->name += "_first";
  const ir::TypePtr seen = unit.type(type, decl.getLocation());
  first->type = type->isPointerType() ? ir::withSpace(seen, ir::Space::Global)
                                      : ir::pointerType(seen, ir::Space::Global);
  AccCaptured captured{decl.getNameAsString(), AccSeen::HostCopy, first, address, -1, first->loc};
  captured.count = count;
  return add(std::move(captured), Scope::From::None, 0);
}

// Arrays of a length that is known only at run time, and those too large for a parameter: all elements are a
// section of their own.
AccOwnSection AccBodies::ownArray(const VarDecl& decl, const std::string& host, bool isFirst) {
  QualType type = decl.getType().getNonReferenceType();
  std::string element = "(" + host + ")";
  if (type->isVariablyModifiedType()) extents(decl, host);
  while (isFlatArray(type, unit.ast)) {
    element += "[0]";
    type = unit.ast.getAsArrayType(type)->getElementType();
  }
  keep(decl, host);
  AccOwnSection made;
  const bool isOne = element == "(" + host + ")";
  made.count =
      hostNumber(decl, "_count", isOne ? "1" : "(long long)(sizeof(" + host + ") / sizeof(" + element + "))");
  if (isFirst) made.first = hostCopy(decl, host, static_cast<int>(scope->made.captured.size()) - 1);
  return made;
}

ir::VarPtr AccBodies::ownPointer(const VarDecl& decl, SourceLocation at) {
  const QualType type = decl.getType().getNonReferenceType();
  auto var = std::make_shared<ir::Variable>();
  var->name = decl.getNameAsString();
  var->loc = unit.loc(decl.getLocation());
  var->type = ir::pointerType(unit.type(type, at), ir::Space::Global);
  return var;
}

ir::ExprPtr AccBodies::captureOwnArray(const VarDecl& decl, const std::string& host, SourceLocation at,
                                       bool isFirst) {
  AccCaptured captured{unit.qualifiedName(decl),    AccSeen::Private, ownPointer(decl, at), "", -1,
                       unit.loc(decl.getLocation())};
  captured.section = ownArray(decl, host, isFirst);
  const ir::VarPtr var = add(std::move(captured), Scope::From::None, 0);
  scope->objects[decl.getCanonicalDecl()] = var;
  return ir::deref(ir::ref(var, unit.loc(at)), unit.loc(at));
}

}  // namespace hone::frontend
