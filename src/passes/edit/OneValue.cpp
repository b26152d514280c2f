#include "passes/edit/OneValue.h"

#include <map>

#include "ir/Build.h"
#include "ir/Walk.h"
#include "passes/edit/Names.h"

namespace hone::passes {

using namespace ir;

namespace {

// Statements are numbered in the order of the source.
struct ValuesOf {
  StmtPtr declaredIn;  // the block of its declaration
  size_t declared = 0;
  ExprPtr init;
  std::vector<size_t> mentions;
  std::vector<std::pair<size_t, StmtPtr>> assignments;  // and the block of each
  bool isUnclear = false;
};

class ValueCollector {
 public:
  std::map<const Variable*, ValuesOf> uses;
  std::map<StmtPtr, size_t> ends;  // of blocks: the number of the last statement below

  void block(const StmtPtr& b, unsigned depth) {
    for (const StmtPtr& s : b->as<Block>()->stmts) statement(s, b, depth);
    ends[b] = number;
  }

 private:
  size_t number = 0;
  std::map<const Variable*, unsigned> depths;  // loops around the declaration

  void statement(const StmtPtr& s, const StmtPtr& in, unsigned depth) {
    ++number;
    if (const auto* d = as<Declare>(s)) {
      ValuesOf& of = uses[d->var.get()];
      of.isUnclear = of.declaredIn != nullptr;
      of.declaredIn = in, of.declared = number, of.init = d->init;
      depths[d->var.get()] = depth;
    }
    if (const auto* a = as<Assign>(s))
      if (const auto* var = as<VarRef>(a->place)) {
        ValuesOf& of = uses[var->var.get()];
        of.assignments.emplace_back(number, in);
        of.isUnclear = of.isUnclear || depths[var->var.get()] != depth;
      }
    if (isPlain(*s)) {
      forEachExpr(*s, [&](const ExprPtr& e) { mention(e); });
      forEachChild(*s, [&](const StmtPtr& child) {
        if (child->is<Block>()) block(child, depth);
      });
      return;
    }
    // Loops and switches: what is assigned in their heads, or in cases, has no value that is clear.
    const std::set<const Variable*> inside = assignedVariables(s);
    const std::set<const Variable*> own = declaredVariables(s);
    for (const Variable* var : inside)
      if (!own.contains(var) || !bodyOf(s)) uses[var].isUnclear = true;
    forEachExpr(*s, [&](const ExprPtr& e) { mention(e); });
    const StmtPtr body = bodyOf(s);
    forEachChild(*s, [&](const StmtPtr& child) {
      if (child == body) return;
      for (const Variable* var : assignedVariables(child)) uses[var].isUnclear = true;
      walkExprs(child, [&](const Expr& e) { mention(e); });
    });
    if (body && body->is<Block>()) block(body, depth + 1);
  }

  static bool isPlain(const Stmt& s) {
    return !s.is<For>() && !s.is<While>() && !s.is<DoWhile>() && !s.is<Switch>();
  }
  static StmtPtr bodyOf(const StmtPtr& s) {
    if (const auto* loop = as<For>(s)) return loop->body;
    if (const auto* loop = as<While>(s)) return loop->body;
    if (const auto* loop = as<DoWhile>(s)) return loop->body;
    return nullptr;
  }
  void mention(const Expr& e) {
    if (const auto* var = e.as<VarRef>()) uses[var->var.get()].mentions.push_back(number);
  }
  void mention(const ExprPtr& e) {
    walkExprs(e, [&](const Expr& x) { mention(x); });
  }
};

class ValueSplitter : public Rewriter {
 public:
  ValueSplitter(std::set<const Variable*> chosen, const Kernel& kernel)
      : split(std::move(chosen)), names(kernel) {}

  StmtList rewrite(const StmtPtr& s) override {
    if (s->is<Block>()) {
      // What a block gives another value nobody asks for behind it, but in the block that declares it.
      const auto outside = now;
      StmtList out = Rewriter::rewrite(s);
      now = outside;
      return out;
    }
    const auto* a = as<Assign>(s);
    const auto* var = a ? as<VarRef>(a->place) : nullptr;
    if (!var || !split.contains(var->var.get())) return Rewriter::rewrite(s);
    const ExprPtr before = Rewriter::rewrite(a->place);
    ExprPtr value = Rewriter::rewrite(a->value);
    if (a->op) value = binary(*a->op, before, value);
    auto made = std::make_shared<Variable>(*var->var);
    made->name = names.fresh(var->var->name);
    made->isConst = false;
    now[var->var.get()] = made;
    return {makeStmt(Declare{made, convert(value, made->type)}, s->loc)};
  }

 protected:
  VarPtr mapVar(const VarPtr& v) override {
    const auto at = now.find(v.get());
    return at == now.end() ? v : at->second;
  }

 private:
  std::set<const Variable*> split;
  Names names;
  std::map<const Variable*, VarPtr> now;
};

}  // namespace

StmtPtr withOneValueEach(const Kernel& kernel, const std::function<bool(const ExprPtr&)>& wanted) {
  const StmtPtr& body = kernel.body;
  ValueCollector found;
  found.block(body, 0);
  const std::set<const Variable*> taken = addressTaken(body);
  std::set<const Variable*> chosen;
  for (const auto& [var, uses] : found.uses) {
    if (uses.isUnclear || !uses.declaredIn || uses.assignments.empty() || taken.contains(var)) continue;
    if (!var->type->is(TypeKind::Int) || var->isVolatile || var->isReference || !uses.init) continue;
    bool isClear = true;
    for (const auto& [at, block] : uses.assignments)
      for (const size_t mention : uses.mentions)
        if (block != uses.declaredIn && mention > found.ends[block]) isClear = false;
    if (isClear && wanted(uses.init)) chosen.insert(var);
  }
  return chosen.empty() ? body : ValueSplitter(chosen, kernel).rewriteBlock(body);
}

}  // namespace hone::passes
