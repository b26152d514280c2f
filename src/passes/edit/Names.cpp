#include "passes/edit/Names.h"

#include <algorithm>
#include <map>

#include "ir/Substitute.h"
#include "ir/Walk.h"

namespace hone::passes {

using namespace ir;

Names::Names(const Kernel& kernel) {
  for (const VarPtr& param : kernel.params) taken.insert(param->name);
  for (const NamedConstant& constant : kernel.constants) taken.insert(nameOf(constant.role));
  taken.insert(kernel.name);
  walkStmts(kernel.body, [this](const Stmt& s) {
    if (const auto* d = s.as<Declare>()) taken.insert(d->var->name);
  });
  walkExprs(kernel.body, [this](const Expr& e) {
    if (const auto* r = e.as<VarRef>()) taken.insert(r->var->name);
    if (const auto* i = e.as<IntLiteral>(); i && !i->name.empty()) taken.insert(i->name);
    if (const auto* c = e.as<Call>(); c && !c->spelling.empty()) taken.insert(c->spelling);
  });
}

namespace {

// What ends with an underscore and gets a word after one: C++ keeps names with two for itself.
std::string withoutDoubleUnderscore(std::string name) {
  for (size_t at; (at = name.find("__")) != std::string::npos;) name.erase(at, 1);
  return name;
}

}  // namespace

std::string Names::fresh(const std::string& wanted) {
  const std::string plain = withoutDoubleUnderscore(wanted);
  std::string name = plain;
  for (int n = 2; !taken.insert(name).second; ++n) name = plain + std::to_string(n);
  return name;
}

namespace {

std::shared_ptr<Variable> make(std::string name, TypePtr type, Storage storage, bool isConst) {
  auto var = std::make_shared<Variable>();
  var->name = std::move(name);
  var->type = std::move(type);
  var->storage = storage;
  var->isConst = isConst;
  return var;
}

class RoleChange : public Rewriter {
 public:
  explicit RoleChange(const std::map<ConstantRole, ConstantRole>& by) : changes(by) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* literal = ir::as<IntLiteral>(e);
    const auto change = literal && literal->role ? changes.find(literal->role) : changes.end();
    if (change == changes.end()) return e;
    IntLiteral node = *literal;
    node.role = change->second;
    return makeExpr(e->type, std::move(node), e->loc);
  }
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* comment = ir::as<Comment>(s);
    if (!comment || comment->roles.empty()) return {s};
    Comment copy = *comment;
    for (ConstantRole& role : copy.roles)
      if (const auto change = changes.find(role); change != changes.end()) role = change->second;
    return {makeStmt(std::move(copy), s->loc)};
  }

 private:
  const std::map<ConstantRole, ConstantRole>& changes;
};

bool hasRole(const Expr& e, const ConstantRole& role) {
  const auto* literal = e.as<IntLiteral>();
  return literal && literal->role == role;
}

bool namesInExtent(const TypePtr& type, const ConstantRole& role) {
  bool found = false;
  for (TypePtr t = type; t; t = t->element)
    if (t->extentForm) walkExprs(t->extentForm, [&](const Expr& e) { found |= hasRole(e, role); });
  return found;
}

TypePtr withExtents(const TypePtr& type, RoleChange& change) {
  if (!type) return type;
  const TypePtr element = withExtents(type->element, change);
  const ExprPtr form = type->extentForm ? change.rewrite(type->extentForm) : nullptr;
  if (element == type->element && form == type->extentForm) return type;
  auto copy = std::make_shared<Type>(*type);
  copy->element = element;
  copy->extentForm = form;
  return copy;
}

}  // namespace

bool usesRole(const StmtPtr& body, const ConstantRole& role) {
  bool found = false;
  walkExprs(body, [&](const Expr& e) { found |= hasRole(e, role); });
  walkStmts(body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    found |= d && namesInExtent(d->var->type, role);
  });
  return found;
}

StmtPtr changedRole(const StmtPtr& body, const ConstantRole& from, const ConstantRole& to) {
  const std::map<ConstantRole, ConstantRole> changes = {{from, to}};
  RoleChange change(changes);
  return change.rewriteBlock(changedRoleInExtents(body, from, to));
}

StmtPtr changedRoleInExtents(const StmtPtr& body, const ConstantRole& from, const ConstantRole& to) {
  const std::map<ConstantRole, ConstantRole> changes = {{from, to}};
  RoleChange change(changes);
  Renaming renaming;
  walkStmts(body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (!d || !namesInExtent(d->var->type, from)) return;
    auto copy = std::make_shared<Variable>(*d->var);
    copy->type = withExtents(copy->type, change);
    renaming.by[d->var.get()] = copy;
  });
  return renaming.by.empty() ? body : renaming.rewriteBlock(body);
}

VarPtr makeLocal(Names& names, const std::string& wanted, TypePtr type, bool isConst) {
  auto var = make(names.fresh(wanted), std::move(type), Storage::Local, isConst);
  if (std::string plain = withoutDoubleUnderscore(wanted); var->name != plain) var->wanted = plain;
  return var;
}

VarPtr makeParameter(Names& names, const std::string& wanted, TypePtr type) {
  return make(names.fresh(wanted), std::move(type), Storage::Param, false);
}

ConstantRole freshRole(const Kernel& kernel, ConstantRole wanted) {
  while (std::any_of(kernel.constants.begin(), kernel.constants.end(),
                     [&](const NamedConstant& c) { return c.role == wanted; }))
    ++wanted.ordinal;
  return wanted;
}

ConstantRole addConstant(Kernel& kernel, const ConstantRole& wanted, int64_t value,
                         const std::string& comment) {
  auto& all = kernel.constants;
  auto same = std::find_if(all.begin(), all.end(), [&](const NamedConstant& c) {
    ConstantRole first = c.role;
    first.ordinal = wanted.ordinal;
    return first == wanted && c.value == value;
  });
  if (same != all.end()) return same->role;
  all.push_back({freshRole(kernel, wanted), value, comment});
  return all.back().role;
}

}  // namespace hone::passes
