// Members in data clauses: the objects that they lie in, and what a region uses of these beside them.
#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/AccBodies.h"
#include "frontend/AccText.h"

namespace hone::frontend {

using namespace clang;

AccMembers membersOf(const Expr& e) {
  AccMembers made;
  const Expr* at = plain(&e);
  for (;;) {
    const Expr* base = nullptr;
    if (const auto* index = dyn_cast<ArraySubscriptExpr>(at)) base = plain(index->getBase());
    if (const auto* section = dyn_cast<ArraySectionExpr>(at)) base = plain(section->getBase());
    if (base) {
      QualType type = base->getType().getNonReferenceType();
      if (isa<ArraySectionExpr>(base)) type = ArraySectionExpr::getBaseOriginalType(base);
      if (type->isPointerType()) break;
      at = base;
      continue;
    }
    if (const auto* star = dyn_cast<UnaryOperator>(at); star && star->getOpcode() == UO_Deref) {
      at = plain(star->getSubExpr());
      made.isBehindPointer = true;
      break;
    }
    const auto* member = dyn_cast<MemberExpr>(at);
    const auto* field = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
    if (!field || field->getType()->isReferenceType()) break;
    made.fields.insert(made.fields.begin(), field);
    at = plain(member->getBase());
    made.isBehindPointer = member->isArrow();
    if (made.isBehindPointer) break;
  }
  made.object = at;
  return made;
}

// Parts of one object get their places in one piece of the device's memory.
void AccReader::memberOf(AccOperand& made, const Expr& e) {
  const AccMembers members = membersOf(e);
  if (members.fields.empty()) return;
  if (isa<DeclRefExpr, CXXThisExpr>(members.object)) made.members = members.fields;
  switch (made.data.kind) {
    case AccDataKind::Copy:
    case AccDataKind::CopyIn:
    case AccDataKind::CopyOut:
    case AccDataKind::Create:
    case AccDataKind::NoCreate:
    case AccDataKind::Present: break;
    default: return;
  }
  const bool isSelf = isa<CXXThisExpr>(members.object);
  if (!isSelf && hasSideEffects(*members.object)) return;
  const std::string text = isSelf ? "this" : hostText(*members.object);
  AccWhole& whole = made.data.whole;
  whole.name = members.isBehindPointer ? "*" + text : text;
  whole.bytes = "sizeof(" + whole.name + ")";
  if (members.isBehindPointer)
    whole.address = text;
  else if (unit.ast.getLangOpts().CPlusPlus)
    whole.address = "__builtin_addressof(" + text + ")";
  else
    whole.address = "&" + text;
}

namespace {

/// Calls `each` with the indices on the way to a place; true as soon as that is.
template <typename Each> bool anyIndex(const Expr* at, const Each& each) {
  for (;;) {
    at = plain(at);
    if (const auto* index = dyn_cast<ArraySubscriptExpr>(at)) {
      if (each(index->getIdx())) return true;
      at = index->getBase();
    } else if (const auto* member = dyn_cast<MemberExpr>(at)) {
      at = member->getBase();
    } else {
      return false;
    }
  }
}

}  // namespace

// Whether the region names the variable (null: `this`) other than to get at members that clauses name.
bool AccBodies::usesOtherParts(const ValueDecl* root) const {
  const auto isSame = [](const ValueDecl* a, const ValueDecl* b) {
    return a && b ? a->getCanonicalDecl() == b->getCanonicalDecl() : a == b;
  };
  const auto isNamed = [&](const Expr& e) {
    const AccMembers used = membersOf(e);
    return std::any_of(scope->clauses.data.begin(), scope->clauses.data.end(), [&](const AccOperand& one) {
      return isSame(one.root, root) && one.isPlacedMember() && one.reach != AccReach::Deeper &&
             (one.reach == AccReach::Pointer) == used.isBehindPointer &&
             one.members.size() <= used.fields.size() &&
             std::equal(one.members.begin(), one.members.end(), used.fields.begin());
    });
  };
  const auto isRoot = [&](const Stmt* s) {
    const auto* name = dyn_cast<DeclRefExpr>(s);
    return root ? name && isSame(name->getDecl(), root) : isa<CXXThisExpr>(s);
  };
  const auto look = [&](const auto& again, const Stmt* s) -> bool {
    if (!s) return false;
    if (isRoot(s)) return true;
    if (const auto* e = dyn_cast<Expr>(s)) {
      const AccMembers used = membersOf(*e);
      if (!used.fields.empty() && isRoot(used.object) && isNamed(*e))
        return anyIndex(e, [&](const Expr* index) { return again(again, index); });
    }
    return std::any_of(s->child_begin(), s->child_end(), [&](const Stmt* one) { return again(again, one); });
  };
  return look(look, scope->statement);
}

}  // namespace hone::frontend
