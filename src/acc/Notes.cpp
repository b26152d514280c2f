#include "acc/Notes.h"

namespace hone::acc {

using namespace ir;

void Notes::note(const StmtPtr& s, LoopPlan plan) {
  kept.push_back(s);
  loops[s.get()] = std::move(plan);
}

void Notes::move(const StmtPtr& from, const StmtPtr& to) {
  if (from == to) return;
  if (auto found = loops.find(from.get()); found != loops.end()) note(to, LoopPlan(found->second));
  if (auto found = atomics.find(from.get()); found != atomics.end()) {
    const frontend::AccAtomicKind kind = found->second;
    kept.push_back(to);
    atomics[to.get()] = kind;
  }
}

StmtList NotedRewriter::rewrite(const StmtPtr& s) {
  if (!s) return {};
  const bool isLoop = notes.loops.contains(s.get()), isAtomic = notes.atomics.contains(s.get());
  StmtList result = Rewriter::rewrite(s);
  if (!isLoop && !isAtomic) return result;
  // Plans may change where the statement itself does not.
  if (isLoop && result.size() == 1 && result.front()->is<For>()) {
    StmtPtr made = result.front() == s ? makeStmt(s->node, s->loc) : result.front();
    notes.move(s, made);
    mapPlan(*notes.planOf(*made));
    return {made};
  }
  if (isAtomic && result.size() == 1) notes.move(s, result.front());
  return result;
}

StmtList NotedRewriter::rewriteList(const StmtList& stmts) {
  StmtList result;
  for (const StmtPtr& s : stmts)
    for (StmtPtr& one : rewrite(s)) result.push_back(std::move(one));
  return result;
}

void NotedRewriter::mapPlan(LoopPlan& plan) {
  for (ExprPtr* e :
       {&plan.asked.gangNum, &plan.asked.gangStatic, &plan.asked.workerNum, &plan.asked.vectorLength})
    *e = Rewriter::rewrite(*e);
  for (VarPtr& var : plan.asked.privates) var = mapVar(var);
  for (auto& [var, section] : plan.asked.ownSections) var = mapVar(var);
  for (frontend::AccReduction& reduction : plan.asked.reductions) reduction.var = mapVar(reduction.var);
  for (LoopReduction& reduction : plan.reductions) {
    reduction.original = mapVar(reduction.original);
    reduction.copy = mapVar(reduction.copy);
  }
}

namespace {

class OneVariable : public NotedRewriter {
 public:
  OneVariable(Notes& notesOfRegion, VarPtr fromVar, VarPtr toVar)
      : NotedRewriter(notesOfRegion), from(std::move(fromVar)), to(std::move(toVar)) {}

 protected:
  VarPtr mapVar(const VarPtr& v) override { return v == from ? to : v; }

 private:
  VarPtr from, to;
};

}  // namespace

StmtPtr withVariable(Notes& notes, const StmtPtr& s, const VarPtr& from, const VarPtr& to) {
  return OneVariable(notes, from, to).rewriteBlock(s);
}

StmtPtr withAtomicsApart(Notes& notes, const StmtPtr& s) {
  class Apart : public NotedRewriter {
   public:
    using NotedRewriter::NotedRewriter;
    using NotedRewriter::rewrite;
    StmtList rewrite(const StmtPtr& one) override {
      StmtList result = NotedRewriter::rewrite(one);
      if (one && notes.atomics.contains(one.get())) return {block(std::move(result), one->loc)};
      return result;
    }
  };
  return Apart(notes).rewriteBlock(s);
}

StmtList listOf(const StmtPtr& s) {
  if (!s) return {};
  const auto* list = as<Block>(s);
  return list ? list->stmts : StmtList{s};
}

StmtList meantOf(const StmtPtr& s) {
  StmtList result;
  for (const StmtPtr& one : listOf(s))
    if (!one->is<Comment>()) result.push_back(one);
  if (result.size() == 1 && result.front()->is<Block>()) return meantOf(result.front());
  return result;
}

void RegionNames::take(const StmtPtr& s) {
  walkStmts(s, [&](const Stmt& one) {
    if (const auto* d = one.as<Declare>()) taken.insert(d->var->name);
  });
  walkExprs(s, [&](const Expr& e) {
    if (const auto* var = e.as<VarRef>()) taken.insert(var->var->name);
    if (const auto* call = e.as<Call>(); call && call->function) taken.insert(call->function->name);
  });
}

std::string RegionNames::fresh(const std::string& wanted) {
  std::string name = wanted;
  for (int n = 2; !taken.insert(name).second; ++n) name = wanted + std::to_string(n);
  return name;
}

namespace {

VarPtr madeVariable(const std::string& name, const TypePtr& type, Storage storage, Space space,
                    bool isConst) {
  auto var = std::make_shared<Variable>();
  var->name = name;
  var->type = type;
  var->storage = storage;
  var->space = space;
  var->isConst = isConst;
  return var;
}

}  // namespace

VarPtr RegionNames::local(const std::string& wanted, const TypePtr& type, bool isConst) {
  return madeVariable(fresh(wanted), type, Storage::Local, Space::Private, isConst);
}

VarPtr RegionNames::shared(const std::string& wanted, const TypePtr& type) {
  return madeVariable(fresh(wanted), type, Storage::Local, Space::Shared, false);
}

VarPtr RegionNames::parameter(const std::string& wanted, const TypePtr& type) {
  return madeVariable(fresh(wanted), type, Storage::Param, Space::Private, false);
}

}  // namespace hone::acc
