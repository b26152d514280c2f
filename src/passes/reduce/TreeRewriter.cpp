#include "passes/reduce/TreeRewriter.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/StmtsOf.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/edit/ThreadEffects.h"
#include "passes/reduce/PartialSums.h"

namespace hone::passes {

using namespace ir;

// Goes through the kernel with the trees whose totals are in their arrays at each place.
class TreeRewriter::Uses : public Rewriter {
 public:
  Uses(const TreeKernel& treeKernel, const std::vector<BlockTree>& blockTrees)
      : used(blockTrees.size()),
        namedBehind(blockTrees.size()),
        of(treeKernel),
        trees(blockTrees),
        scan(treeKernel, {}),
        passed(blockTrees.size()) {
    for (const BlockTree& tree : trees) arrays.insert(tree.arrays.begin(), tree.arrays.end());
  }

  StmtPtr go() { return blockOf(of.kernel.body); }

  // Of the first use that stands in the way: the trees that it concerns, and why.
  std::set<size_t> spoilt;
  Obstacle why;
  std::vector<std::set<size_t>> used;                  // totals of each tree
  std::vector<std::set<const Variable*>> namedBehind;  // each tree

  // What stands for a tree, and for its totals; before they are known nothing does.
  std::function<StmtList(size_t tree)> write;
  std::function<ExprPtr(size_t tree, size_t total)> totalVar;

 private:
  const TreeKernel& of;
  const std::vector<BlockTree>& trees;
  TreeRun scan;
  std::set<const Variable*> arrays;
  std::vector<bool> passed;
  std::map<const Variable*, size_t> current;  // whose totals an array holds
  std::vector<std::pair<ExprPtr, bool>> conditions;

  void spoil(const Variable* array, std::string reason, SourceLoc loc) {
    for (size_t t = 0; t < trees.size(); ++t)
      if (trees[t].arrays.contains(array)) spoilt.insert(t);
    if (!why) why = Refusal{std::move(reason), loc};
  }

  void nameBehind(const StmtPtr& s) {
    walkExprs(s, [&](const Expr& e) {
      const auto* var = e.as<VarRef>();
      for (size_t t = 0; var && t < trees.size(); ++t)
        if (passed[t]) namedBehind[t].insert(var->var.get());
    });
  }

  void forget(const StmtPtr& s) {
    // Arrays of trees below hold what one of those left.
    walkStmts(s, [&](const Stmt& one) {
      for (const BlockTree& tree : trees)
        if (tree.list.get() == &one)
          for (const Variable* array : tree.arrays) current.erase(array);
    });
  }

  StmtPtr blockOf(const StmtPtr& s) {
    const StmtList& stmts = as<Block>(s)->stmts;
    const auto before = current;
    StmtList out;
    for (size_t i = 0; i < stmts.size(); ++i) {
      const auto tree = std::find_if(trees.begin(), trees.end(),
                                     [&](const BlockTree& one) { return one.list == s && one.first == i; });
      if (tree == trees.end()) {
        statement(stmts[i], out);
        continue;
      }
      const auto number = static_cast<size_t>(tree - trees.begin());
      for (const Variable* array : tree->arrays) current[array] = number;
      for (const StmtPtr& one : tree->statements()) nameBehind(one);
      passed[number] = true;
      for (const TreeResult& result : tree->results) used[number].insert(result.total);
      if (write)
        for (const StmtPtr& one : write(number)) out.push_back(one);
      i += tree->count - 1;
      if (write) skipBarriers(stmts, i, out);
    }
    current = before;
    forget(s);
    return block(out, s->loc);
  }

  // Barriers behind a tree keep nothing apart that its own one does not, up to the next access of memory.
  void skipBarriers(const StmtList& stmts, size_t& at, StmtList& out) {
    while (at + 1 < stmts.size()) {
      const StmtPtr& next = stmts[at + 1];
      if (const auto* barrier = as<Barrier>(next); barrier && barrier->scope == SyncScope::Block) {
        ++at;
        continue;
      }
      StmtList one;
      statement(next, one);
      const bool isOwn = std::all_of(one.begin(), one.end(), [](const StmtPtr& s) {
        const auto* d = as<Declare>(s);
        const auto* a = as<Assign>(s);
        if (!s->is<Comment>() && !d && !a) return false;
        const ExprPtr value = d ? d->init : a ? a->value : nullptr;
        const bool touches = HONE_SEED(RetreeBarrierSkipped, !accesses(*s).empty(), false);
        return !touches && (!value || isPure(value)) && effectOf(s) == Effect::None;
      });
      if (!isOwn) return;
      out.insert(out.end(), one.begin(), one.end());
      ++at;
    }
  }

  void statement(const StmtPtr& s, StmtList& out) {
    if (s->is<Block>()) {
      out.push_back(blockOf(s));
    } else if (const auto* choice = as<If>(s)) {
      const ExprPtr cond = rewrite(choice->cond);
      conditions.emplace_back(choice->cond, true);
      const StmtPtr then = blockOf(choice->then);
      conditions.back().second = false;
      const StmtPtr otherwise = choice->otherwise ? blockOf(choice->otherwise) : nullptr;
      conditions.pop_back();
      out.push_back(makeStmt(If{cond, then, otherwise}, s->loc));
    } else if (isLoop(*s) || s->is<Switch>()) {
      loop(s, out);
    } else if (const auto* d = as<Declare>(s)) {
      // Another name of the array, of which each use is looked at.
      const bool isName = d->init && d->var->type->isPointer() && of.declaredWith.contains(d->var.get()) &&
                          isPointerIntoArray(d->init);
      out.push_back(isName || !d->init ? s : makeStmt(Declare{d->var, rewrite(d->init)}, s->loc));
    } else if (const auto* set = as<Assign>(s)) {
      const bool isWhole = !set->op && set->place->is<VarRef>();
      Assign copy = *set;
      if (rootVariable(set->place) && isWhole && !arrays.contains(rootVariable(set->place).get()))
        copy.place = set->place;
      else
        copy.place = writtenPlace(set->place);
      copy.value = rewrite(set->value);
      out.push_back(makeStmt(copy, s->loc));
    } else {
      for (const StmtPtr& one : Rewriter::rewrite(s)) out.push_back(one);
    }
  }

  void loop(const StmtPtr& s, StmtList& out) {
    // In its next iteration an array holds what a tree below has left.
    forget(s);
    if (const auto* counting = as<For>(s)) {
      For copy = *counting;
      StmtList init, step;
      for (const StmtPtr& one : counting->init) statement(one, init);
      if (counting->cond) copy.cond = rewrite(counting->cond);
      copy.body = blockOf(counting->body);
      for (const StmtPtr& one : counting->step) statement(one, step);
      copy.init = init;
      copy.step = step;
      out.push_back(makeStmt(copy, s->loc));
    } else if (const auto* whileLoop = as<While>(s)) {
      const ExprPtr cond = rewrite(whileLoop->cond);
      out.push_back(makeStmt(While{cond, blockOf(whileLoop->body), whileLoop->unroll}, s->loc));
    } else if (const auto* untilLoop = as<DoWhile>(s)) {
      const StmtPtr body = blockOf(untilLoop->body);
      out.push_back(makeStmt(DoWhile{body, rewrite(untilLoop->cond), untilLoop->unroll}, s->loc));
    } else {
      // Nothing below a switch is known to happen.
      std::map<const Variable*, size_t> none;
      std::swap(current, none);
      for (const StmtPtr& one : Rewriter::rewrite(s)) out.push_back(one);
      std::swap(current, none);
    }
  }

  bool isPointerIntoArray(const ExprPtr& e) {
    const auto at = scan.valueOf(e, 0);
    return at && at->is(TreeKind::Pointer) && arrays.contains(at->array);
  }

  // A place that is written must not lie in an array of a tree.
  ExprPtr writtenPlace(const ExprPtr& place) {
    if (const auto at = scan.elementOf(place, 0); at && arrays.contains(at->array))
      spoil(at->array,
            fmt::format("{} is also stored to by other statements than the tree's", at->array->name),
            place->loc);
    return rewrite(place);
  }

  // Threads that come to where it is now, as far as that is known.
  ThreadSet coming() {
    ThreadSet out;
    for (unsigned t = 0; t < of.threads; ++t) {
      bool comes = true;
      for (const auto& [cond, holds] : conditions) {
        const auto value = scan.valueOf(cond, t);
        if (value && value->is(TreeKind::Number) && (value->number != 0) != holds) comes = false;
      }
      out.set(t, comes);
    }
    return out;
  }

  ExprPtr rewrite(const ExprPtr& e) override {
    if (!e) return e;
    if (e->is<Subscript>() || e->is<VarRef>()) {
      const auto at = scan.elementOf(e, 0);
      if (at && arrays.contains(at->array)) return totalAt(e, at->array);
    }
    if (const auto* var = as<VarRef>(e)) {
      for (size_t t = 0; t < trees.size(); ++t)
        if (passed[t]) namedBehind[t].insert(var->var.get());
      if (arrays.contains(var->var.get()) ||
          (var->var->type->isPointer() && of.declaredWith.contains(var->var.get()) &&
           isPointerIntoArray(e))) {
        const auto at = scan.valueOf(e, 0);
        const Variable* array = arrays.contains(var->var.get()) ? var->var.get() : at->array;
        spoil(array, fmt::format("more of {} is used than the total", array->name), e->loc);
      }
      for (size_t t = 0; t < trees.size(); ++t)
        for (const TreeResult& result : trees[t].results)
          if (result.var == var->var && !isFine(trees[t], result, passed[t])) {
            spoilt.insert(t);
            if (!why)
              why = Refusal{fmt::format("{} is used by threads that have a part of the {} alone",
                                        var->var->name, str(trees[t].totals[result.total].how)),
                            e->loc};
          }
    }
    return Rewriter::rewrite(e);
  }
  StmtList rewrite(const StmtPtr& s) override {
    StmtList out;
    if (s->is<Block>() || s->is<If>() || isLoop(*s) || s->is<Declare>() || s->is<Assign>()) {
      statement(s, out);
      return out;
    }
    return Rewriter::rewrite(s);
  }

  bool isFine(const BlockTree& tree, const TreeResult& result, bool isBehind) {
    if (result.threads.count() == of.threads) return true;
    const bool mayReach = isBehind || (tree.isInLoop && !result.isDeclared);
    return !mayReach || (coming() & ~result.threads).none();
  }

  ExprPtr totalAt(const ExprPtr& e, const Variable* array) {
    const auto tree = current.find(array);
    if (tree == current.end()) {
      spoil(array, fmt::format("{} is used where it may hold something else than the total", array->name),
            e->loc);
      return e;
    }
    const ThreadSet comes = coming();
    std::optional<size_t> total;
    for (unsigned t = 0; t < of.threads; ++t) {
      if (!comes[t]) continue;
      const auto at = scan.elementOf(e, t);
      const auto& elements = trees[tree->second].elements;
      const auto known = at ? elements.find({at->array, at->number}) : elements.end();
      if (known == elements.end() || (total && *total != known->second)) {
        spoil(array, fmt::format("more of {} is used than the total", array->name), e->loc);
        return e;
      }
      total = known->second;
    }
    if (!total) return e;
    used[tree->second].insert(*total);
    return totalVar ? totalVar(tree->second, *total) : e;
  }
};

TreeRewriter::TreeRewriter(const TreeKernel& treeKernel, std::vector<BlockTree> blockTrees)
    : of(treeKernel), trees(std::move(blockTrees)) {}

Obstacle TreeRewriter::check() {
  Obstacle why;
  while (!trees.empty()) {
    Uses uses(of, trees);
    (void)uses.go();
    // Of a tree that nobody wants anything of nothing may be said either.
    for (size_t t = 0; t < trees.size(); ++t)
      if (uses.used[t].empty()) {
        uses.spoilt.insert(t);
        if (!uses.why) uses.why = Refusal{"nothing uses what its threads put together", trees[t].loc()};
      }
    if (uses.spoilt.empty()) return std::nullopt;
    if (!why) why = uses.why;
    for (auto t = uses.spoilt.rbegin(); t != uses.spoilt.rend(); ++t)
      trees.erase(trees.begin() + static_cast<std::ptrdiff_t>(*t));
  }
  return why;
}

StmtList TreeRewriter::written(const BlockTree& tree, const std::set<size_t>& used,
                               const std::set<const Variable*>& behind, std::vector<VarPtr>& totals,
                               Names& names, const ExprPtr& thread, const ExprPtr& threads, StmtList& shared,
                               TreeMarks* marks) const {
  const SourceLoc& loc = tree.loc();
  StmtList out = tree.kept;
  totals.assign(tree.totals.size(), nullptr);
  ReductionKernel sums;
  sums.loop.loop = as<Block>(tree.list)->stmts[tree.first];
  // 1. Where the sums are put together: in the variable that has the values, where nobody wants these.
  for (const size_t t : used) {
    const TreeTotal& total = tree.totals[t];
    const auto* var = as<VarRef>(total.input);
    const bool isOwn = var && var->var->storage == Storage::Local && !var->var->isConst &&
                       !of.taken.contains(var->var.get());
    const bool isAlone = isOwn && std::all_of(used.begin(), used.end(), [&](size_t other) {
                           return other == t || !mentions(tree.totals[other].input, var->var.get());
                         });
    const bool isResult =
        isAlone && std::any_of(tree.results.begin(), tree.results.end(),
                               [&](const TreeResult& r) { return r.var == var->var && r.total == t; });
    const bool isLast = isAlone && !tree.isInLoop && !behind.contains(var->var.get());
    // Else in one that is declared to hold the total.
    const auto declared = std::find_if(tree.results.begin(), tree.results.end(), [&](const TreeResult& r) {
      return r.isDeclared && r.total == t && !r.var->isConst && sameType(r.var->type, total.input->type);
    });
    if (isResult || isLast) {
      totals[t] = var->var;
      if (marks) out.push_back(assign(total.input, total.input, loc));
    } else if (declared != tree.results.end()) {
      totals[t] = declared->var;
      out.push_back(makeStmt(Declare{totals[t], total.input}, loc));
    } else {
      const std::string wanted = (var ? var->var->name : std::string("block")) + "_" +
                                 (total.how == Combine::Max   ? "max"
                                  : total.how == Combine::Min ? "min"
                                                              : "total");
      totals[t] = makeLocal(names, wanted, total.input->type);
      out.push_back(makeStmt(Declare{totals[t], total.input}, loc));
    }
    if (marks) marks->emplace(out.back().get(), total);
    Accumulator sum{totals[t], total.how, total.isExact(), total.call};
    const bool isChoice = sum.how == Combine::Min || sum.how == Combine::Max;
    if (isChoice && !sum.call && total.input->type->isFloating())
      sum.call = &intrinsic(sum.how == Combine::Max ? "fmax" : "fmin");
    sums.loop.sums.push_back(sum);
  }
  // 2. The steps.
  const Barrier barrier{SyncScope::Block, nullptr, true, true};
  Names local = names;
  if (!marks)
    out.push_back(makeStmt(Comment{"The threads put their values together by shuffles in each warp."}, loc));
  if (marks) {
    // One thread has nothing to put together.
  } else if (of.threads == 32) {
    for (const StmtPtr& s : overWarp(sums, local, threads)) out.push_back(s);
    out.push_back(makeStmt(Barrier{SyncScope::Warp, nullptr, true, true}, loc));
  } else {
    // In the next iteration the parts are stored anew.
    if (tree.isInLoop && HONE_SEED(RetreeLoopBarrierDropped, true, false))
      out.push_back(makeStmt(barrier, loc));
    StmtList behind;
    const size_t known = shared.size();
    for (const StmtPtr& s : overWarps(sums, local, thread, threads, shared, behind)) out.push_back(s);
    for (size_t i = known; i < shared.size(); ++i) names.fresh(as<Declare>(shared[i])->var->name);
    out.insert(out.end(), behind.begin(), behind.end());
  }
  size_t nth = 0;
  for (const size_t t : used) {
    const Accumulator& sum = sums.loop.sums[nth++];
    const ExprPtr& bound = tree.totals[t].bound;
    if (!bound) continue;
    out.push_back(makeStmt(Comment{"Where all are NaN the bound stays."}, loc));
    out.push_back(assign(ref(sum.var), combined(sum, ref(sum.var), bound), loc));
  }
  // 3. Other variables that hold them.
  for (const TreeResult& result : tree.results) {
    const VarPtr& total = totals[result.total];
    if (result.var == total) continue;
    out.push_back(result.isDeclared ? makeStmt(Declare{result.var, ref(total)}, loc)
                                    : assign(ref(result.var), ref(total), loc));
  }
  return out;
}

namespace {

// Declarations of variables that nothing names any longer.
class UnnamedDropper : public Rewriter {
 public:
  UnnamedDropper(const std::set<const Variable*>& candidates, const StmtPtr& body) {
    for (const Variable* var : candidates)
      if (!mentions(body, var)) unnamed.insert(var);
  }
  bool dropsAny = false;

 private:
  std::set<const Variable*> unnamed;
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* d = as<Declare>(s);
    if (!d || !unnamed.contains(d->var.get()) || (d->init && !isPure(d->init))) return {s};
    dropsAny = true;
    return {};
  }
};

}  // namespace

StmtPtr TreeRewriter::rewritten(Kernel& kernel) { return rewritten(kernel, nullptr); }

StmtPtr TreeRewriter::marked(Kernel& kernel, TreeMarks& marks) { return rewritten(kernel, &marks); }

StmtPtr TreeRewriter::rewritten(Kernel& kernel, TreeMarks* marks) {
  Uses found(of, trees);
  (void)found.go();
  Names names(kernel);
  ExprPtr thread = coordOf(kernel, CoordKind::ThreadIdx, 0);
  for (unsigned axis = 1; axis < 3; ++axis) {
    if (of.block[axis] == 1) continue;
    const unsigned stride = axis == 1 ? of.block[0] : of.block[0] * of.block[1];
    thread = plus(thread, times(coordOf(kernel, CoordKind::ThreadIdx, axis), intLit(stride, thread->type)));
  }
  const ExprPtr threads =
      of.block[1] * of.block[2] == 1 && !marks
          ? named(of.threads, addConstant(kernel, blockExtent(0), of.threads, "threads of a block along x"))
          : intLit(of.threads);
  StmtList shared;
  std::vector<std::vector<VarPtr>> totals(trees.size());
  std::set<const Variable*> touched;
  Uses uses(of, trees);
  uses.write = [&](size_t t) {
    for (const StmtPtr& s : trees[t].statements())
      walkStmts(s, [&](const Stmt& one) {
        forEachExpr(one, [&](const ExprPtr& top) {
          walkExprs(top, [&](const Expr& e) {
            if (const auto* r = e.as<VarRef>()) touched.insert(r->var.get());
          });
        });
      });
    touched.insert(trees[t].arrays.begin(), trees[t].arrays.end());
    return written(trees[t], found.used[t], found.namedBehind[t], totals[t], names, thread, threads, shared,
                   marks);
  };
  uses.totalVar = [&](size_t t, size_t total) { return ref(totals[t][total]); };
  StmtPtr body = uses.go();
  StmtList all = shared;
  for (const StmtPtr& s : as<Block>(body)->stmts) all.push_back(s);
  body = block(all, body->loc);
  for (bool goesOn = true; goesOn;) {
    UnnamedDropper dropper(touched, body);
    body = dropper.rewriteBlock(body);
    goesOn = dropper.dropsAny;
  }
  return body;
}

}  // namespace hone::passes
