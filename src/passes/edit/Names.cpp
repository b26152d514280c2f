#include "passes/edit/Names.h"

#include <algorithm>
#include <cctype>

#include "ir/Substitute.h"

namespace hone::passes {

using namespace ir;

Names::Names(const Kernel& kernel) {
  for (const VarPtr& param : kernel.params) taken.insert(param->name);
  for (const NamedConstant& constant : kernel.constants) taken.insert(constant.name);
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

std::string Names::fresh(const std::string& wanted) {
  std::string name = wanted;
  for (int n = 2; !taken.insert(name).second; ++n) name = wanted + std::to_string(n);
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

}  // namespace

namespace {

// Where a word stands in a text; npos: nowhere.
size_t wordIn(const std::string& text, const std::string& word) {
  auto isPart = [&](size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || !isPart(at - 1)) && !isPart(at + word.size())) return at;
  return std::string::npos;
}

TypePtr withExtentsRenamed(const TypePtr& type, const std::string& from, const std::string& to) {
  if (!type || !namesExtent(type, from)) return type;
  auto copy = std::make_shared<Type>(*type);
  for (size_t at = wordIn(copy->extentName, from); at != std::string::npos;
       at = wordIn(copy->extentName, from))
    copy->extentName.replace(at, from.size(), to);
  copy->element = withExtentsRenamed(type->element, from, to);
  return copy;
}

}  // namespace

bool namesExtent(const TypePtr& type, const std::string& name) {
  for (TypePtr t = type; t; t = t->element)
    if (wordIn(t->extentName, name) != std::string::npos) return true;
  return false;
}

StmtPtr renamedInExtents(const StmtPtr& body, const std::string& from, const std::string& to) {
  Renaming renaming;
  if (from == to) return body;
  walkStmts(body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (!d || !namesExtent(d->var->type, from)) return;
    auto copy = std::make_shared<Variable>(*d->var);
    copy->type = withExtentsRenamed(copy->type, from, to);
    renaming.by[d->var.get()] = copy;
  });
  return renaming.by.empty() ? body : renaming.rewriteBlock(body);
}

VarPtr makeLocal(Names& names, const std::string& wanted, TypePtr type, bool isConst) {
  auto var = make(names.fresh(wanted), std::move(type), Storage::Local, isConst);
  if (var->name != wanted) var->wanted = wanted;
  return var;
}

VarPtr makeParameter(Names& names, const std::string& wanted, TypePtr type) {
  return make(names.fresh(wanted), std::move(type), Storage::Param, false);
}

std::string addConstant(Kernel& kernel, const std::string& wanted, int64_t value,
                        const std::string& comment) {
  auto& all = kernel.constants;
  auto same = std::find_if(all.begin(), all.end(), [&](const NamedConstant& c) { return c.name == wanted; });
  if (same != all.end() && same->value == value) return wanted;
  std::string name = same == all.end() ? wanted : Names(kernel).fresh(wanted);
  all.push_back({name, value, comment});
  return name;
}

}  // namespace hone::passes
