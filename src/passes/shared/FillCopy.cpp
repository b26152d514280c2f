#include "passes/shared/FillCopy.h"

#include <fmt/core.h>

#include "ir/Build.h"
#include "ir/Substitute.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr int64_t fewIterations = 8;  // that are written out where nothing keeps what they load

// Declarations of variables that nothing uses go.
StmtList withoutUnusedVariables(StmtList stmts) {
  struct Drop : Rewriter {
    std::set<const Variable*> used;
    bool changed = false;
    StmtList mapStmt(const StmtPtr& s) override {
      const auto* declare = as<Declare>(s);
      if (!declare || used.contains(declare->var.get())) return {s};
      changed = true;
      return {};
    }
  };
  for (bool again = true; again;) {
    Drop drop;
    for (const StmtPtr& s : stmts)
      walkExprs(s, [&](const Expr& e) {
        if (const auto* var = e.as<VarRef>()) drop.used.insert(var->var.get());
      });
    StmtList left;
    for (const StmtPtr& s : stmts)
      for (StmtPtr& one : drop.rewrite(s)) left.push_back(std::move(one));
    stmts = std::move(left);
    again = drop.changed;
  }
  return stmts;
}

// Asynchronous copies read global memory, and nothing that a thread has loaded already.
bool mayLieInGlobalMemory(const ExprPtr& place) {
  if (const auto* element = as<Subscript>(place); element && element->base->type->isPointer()) {
    const Space space = element->base->type->space;
    return space == Space::Global || space == Space::Generic;
  }
  const VarPtr root = rootVariable(place);
  return root && root->space == Space::Global;
}

bool isPlainCopy(const ExprPtr& to, const ExprPtr& value) {
  const uint64_t bytes = sizeOf(*value->type);
  return value->is<Subscript>() && sameType(value->type, to->type) && accesses(value).size() == 1 &&
         mayLieInGlobalMemory(value) && (bytes == 4 || bytes == 8 || bytes == 16);
}

class Copier : public Renaming {
 public:
  Copier(const FillLoop& fillLoop, const FillRequest& what, Names& fresh)
      : loop(fillLoop), request(what), names(fresh) {
    // In the iteration the loop is in, variables of the fill stay what the compute part may use.
    if (isInPlace()) return;
    renewDeclared(loop.fill);
  }

  StmtList run() {
    StmtList made;
    for (const StmtPtr& s : loop.fill)
      for (StmtPtr& one : rewrite(s)) made.push_back(std::move(one));
    return isInPlace() ? made : withoutUnusedVariables(std::move(made));
  }

  ExprPtr rewrite(const ExprPtr& e) override {
    const auto* var = as<VarRef>(e);
    if (var)
      for (const auto& [from, to] : request.values)
        if (from == var->var) return convert(to, e->type);
    return simplified(Rewriter::rewrite(e));
  }

  StmtList rewrite(const StmtPtr& s) override {
    if (s->is<Comment>() && request.mode == FillMode::Fetch) return {};
    // A tile that the loop declares itself is declared once, where its buffers are.
    if (const auto* d = as<Declare>(s); d && loop.tiles.contains(d->var.get()) && !isInPlace()) return {};
    if (const auto* f = as<For>(s)) return innerLoop(s, *f);
    if (const auto* choice = as<If>(s)) return branch(s, *choice);
    if (const auto* assign = as<Assign>(s)) {
      const VarPtr root = rootVariable(assign->place);
      if (root && loop.tiles.contains(root.get())) return store(s, *assign);
    }
    return Rewriter::rewrite(s);
  }

 private:
  // Where the fill stood, with the loads done before.
  bool isInPlace() const { return request.mode == FillMode::Commit && !request.buffer; }
  ExprPtr kept(const StmtPtr& s) const {
    const VarPtr& var = request.kept->of.at(s.get());
    return slots.empty() ? ref(var) : subscript(ref(var), slots);
  }
  bool isLoad(const StmtPtr& s) const {
    return std::find(loop.loads.begin(), loop.loads.end(), s.get()) != loop.loads.end();
  }
  ExprPtr place(const ExprPtr& tile) {
    ExprPtr made = rewrite(tile);
    if (!request.buffer) return made;
    const auto* element = as<Subscript>(made);
    std::vector<ExprPtr> indices{request.buffer};
    indices.insert(indices.end(), element->indices.begin(), element->indices.end());
    return subscript(ref(request.buffers.at(as<VarRef>(element->base)->var.get())), std::move(indices),
                     tile->loc);
  }

  StmtList store(const StmtPtr& s, const Assign& assign) {
    const bool loads = isLoad(s);
    switch (request.mode) {
      case FillMode::Fetch:
        if (!loads) return {};
        return {ir::assign(kept(s), rewrite(assign.value), s->loc)};
      case FillMode::Commit:
        if (!loads && isInPlace()) return Rewriter::rewrite(s);
        return {ir::assign(place(assign.place), loads ? kept(s) : rewrite(assign.value), s->loc)};
      case FillMode::Direct: return {ir::assign(place(assign.place), rewrite(assign.value), s->loc)};
      case FillMode::Async: return copyAsync(assign.place, assign.value, s->loc);
    }
    return {};
  }

  // A plain load becomes a copy; a choice between a load and something else an if.
  StmtList copyAsync(const ExprPtr& to, const ExprPtr& value, SourceLoc loc) {
    if (const auto* select = as<Select>(value)) {
      const StmtPtr yes = ir::block(copyAsync(to, select->yes, loc)),
                    no = ir::block(copyAsync(to, select->no, loc));
      return {makeStmt(If{rewrite(select->cond), yes, no}, loc)};
    }
    if (!isPlainCopy(to, value)) return {ir::assign(place(to), rewrite(value), loc)};
    const ExprPtr target = place(to), source = rewrite(value);
    const Space from = as<Subscript>(source)->base->type->isPointer()
                           ? as<Subscript>(source)->base->type->space
                           : Space::Global;
    Call call;
    call.intrinsic = &intrinsic("pipeline_memcpy_async");
    call.args = {convert(addressOf(target, Space::Shared), pointerType(voidType(), Space::Shared)),
                 convert(addressOf(source, from), pointerType(voidType(), from, true)),
                 intLit(int64_t(sizeOf(*value->type)), uint64())};
    return {makeStmt(Eval{makeExpr(voidType(), std::move(call), loc)}, loc)};
  }

  StmtList branch(const StmtPtr& s, const If& choice) {
    const StmtPtr then = rewriteBlock(choice.then),
                  otherwise = choice.otherwise ? rewriteBlock(choice.otherwise) : nullptr;
    auto isEmpty = [](const StmtPtr& b) { return !b || as<Block>(b)->stmts.empty(); };
    if (isEmpty(then) && isEmpty(otherwise)) return {};
    const ExprPtr cond = rewrite(choice.cond);
    if (isEmpty(then)) return {makeStmt(If{negated(cond), otherwise, nullptr}, s->loc)};
    return {makeStmt(If{cond, then, isEmpty(otherwise) ? nullptr : otherwise}, s->loc)};
  }

  // As a loop over slots from 0, so that registers can hold what each iteration loads, or so that all loads
  // of a few iterations are under way at once.
  StmtList innerLoop(const StmtPtr& s, const For& f) {
    const FillLoop::Inner& inner = loop.inner.at(s.get());
    const bool isKept = request.mode == FillMode::Fetch || request.mode == FillMode::Commit;
    if (!isKept && (request.mode == FillMode::Async || !inner.isExact || inner.iterations > fewIterations))
      return Rewriter::rewrite(s);
    const bool isPlain = constantValue(inner.begin) == std::optional<int64_t>(0) && inner.step == 1;
    const VarPtr slot = isPlain ? mapVar(inner.var) : makeLocal(names, "slot", int32());
    slots.push_back(convert(ref(slot), int32()));
    StmtPtr body = rewriteBlock(f.body);
    slots.pop_back();
    if (as<Block>(body)->stmts.empty()) return {};
    if (!isPlain) {
      const VarPtr var = mapVar(inner.var);
      const ExprPtr value = plus(rewrite(inner.begin), times(ref(slot), intLit(inner.step)));
      StmtList stmts{makeStmt(Declare{var, convert(value, var->type)}, s->loc)};
      if (inner.isExact) {
        const StmtList& rest = as<Block>(body)->stmts;
        stmts.insert(stmts.end(), rest.begin(), rest.end());
      } else {
        stmts.push_back(makeStmt(If{binary(BinaryOp::Lt, ref(var), inner.end), body, nullptr}, s->loc));
      }
      body = ir::block(std::move(stmts), s->loc);
    }
    return {countingLoop(
        {.var = slot, .end = intLit(inner.iterations, slot->type), .body = body, .unroll = -1}, s->loc)};
  }

  const FillLoop& loop;
  const FillRequest& request;
  Names& names;
  std::vector<ExprPtr> slots;
};

}  // namespace

KeptValues keptValues(const FillLoop& loop, Names& names) {
  KeptValues kept;
  std::vector<int64_t> iterations;
  std::function<void(const StmtPtr&)> look = [&](const StmtPtr& s) {
    const bool isInner = loop.inner.contains(s.get());
    if (isInner) iterations.push_back(loop.inner.at(s.get()).iterations);
    if (std::find(loop.loads.begin(), loop.loads.end(), s.get()) != loop.loads.end()) {
      const ExprPtr& place = as<Assign>(s)->place;
      TypePtr type = place->type;
      unsigned registers = std::max(1u, unsigned(sizeOf(*type)) / 4);
      for (auto at = iterations.rbegin(); at != iterations.rend(); ++at)
        type = arrayType(type, *at), registers *= unsigned(*at);
      kept.of[s.get()] = makeLocal(names, "next_" + rootVariable(place)->name, type);
      kept.count += registers;
    }
    forEachChild(*s, look);
    if (isInner) iterations.pop_back();
  };
  for (const StmtPtr& s : loop.fill) look(s);
  return kept;
}

bool isCopy(const Assign& store) {
  const auto* select = as<Select>(store.value);
  if (!select) return isPlainCopy(store.place, store.value);
  return isPlainCopy(store.place, select->yes) || isPlainCopy(store.place, select->no);
}

StmtList fillCopy(const FillLoop& loop, const FillRequest& request, Names& names) {
  return Copier(loop, request, names).run();
}

}  // namespace hone::passes
