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
void AccBodies::keep(const VarDecl& decl) {
  const VarDecl* key = decl.getCanonicalDecl();
  const QualType type = decl.getType().getNonReferenceType();
  if (scope->inside.contains(&decl) || type.isConstQualified() || !scope->kept.insert(key).second) return;
  // What has a destructor is no bytes to be copied; such regions have a reason not to run on the device.
  if (unit.runsDestructor(type) || type->isIncompleteType()) return;
  const bool hasOperators = type->isRecordType() && unit.ast.getLangOpts().CPlusPlus;
  const std::string name = decl.getNameAsString();
  scope->made.kept.push_back(
      {hasOperators ? "__builtin_addressof(" + name + ")" : "&" + name, "sizeof(" + name + ")"});
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
  std::string address = reader.hostText(*one->base);
  const std::string element = "sizeof(*" + address + ")";
  if (one->lower) address = "(" + address + " + " + reader.hostText(*one->lower) + ")";
  scope->made.kept.push_back(
      {address, "(" + elements + " > 0 ? (unsigned long)" + elements + " * " + element + " : 0)"});
  if (!isFirst) return made;
  const auto first = parameterFor(*decl);
  first->name += "_first";
  first->type = ir::withSpace(unit.type(type, at), ir::Space::Global);
  AccCaptured captured{decl->getNameAsString(), AccSeen::HostCopy, first, address, -1, first->loc};
  captured.count = count;
  made.first = add(std::move(captured), Scope::From::None, 0);
  return made;
}

}  // namespace hone::frontend
