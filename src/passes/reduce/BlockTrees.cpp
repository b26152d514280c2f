#include "passes/reduce/BlockTrees.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/reduce/SumUpdates.h"

namespace hone::passes {

using namespace ir;

namespace {

// Whether a statement may be a step of a tree: threads meet in it, exchange values or store to memory.
bool mayBeStep(const StmtPtr& s) {
  bool found = doThreadsMeet(s);
  walkStmts(s, [&](const Stmt& one) {
    const auto* set = one.as<Assign>();
    const VarPtr root = set ? rootVariable(set->place) : nullptr;
    found = found || (root && (root->space == Space::Shared || root->type->isPointer()));
  });
  return found;
}

// Whether a statement touches shared memory, or may by a pointer; `mustStore`: stores to it.
bool touchesShared(const StmtPtr& s, bool mustStore) {
  bool found = false;
  walkStmts(s, [&](const Stmt& one) {
    for (const ir::Access& a : accesses(one)) {
      const VarPtr root = rootVariable(a.place);
      const bool isStore = a.mode != AccessMode::Read;
      if (root && (isStore || !mustStore))
        found = found || root->space == Space::Shared || (!mustStore && root->type->isPointer());
    }
  });
  return found;
}

// Whether a variable that goes into a tree can hold no NaN: it begins as a number, and what it is replaced by
// passes a NaN over, or is another such variable. What the tree assigns are values that went into it.
class NeverNan {
 public:
  NeverNan(const Kernel& ofKernel, const StmtList& tree)
      : kernel(ofKernel), taken(addressTaken(kernel.body)) {
    for (const StmtPtr& s : tree) walkStmts(s, [&](const Stmt& one) { ofTree.insert(&one); });
  }

  bool holds(const Variable* var) {
    if (!asked.insert(var).second) return true;  // as far as it is made of itself
    bool isNever = var->storage == Storage::Local && !taken.contains(var);
    std::set<const Stmt*> inside;
    walkStmts(kernel.body, [&](const Stmt& s) {
      if (inside.contains(&s) || ofTree.contains(&s)) return;
      if (const auto* d = s.as<Declare>(); d && d->var.get() == var) isNever = isNever && isNumber(d->init);
      if (const auto* choice = s.as<If>())
        if (updateBy(*choice, var)) inside.insert(as<Block>(choice->then)->stmts.front().get());
      const auto* set = s.as<Assign>();
      if (!set || rootVariable(set->place).get() != var) return;
      const auto update = updateBy(*set, var);
      const bool passesOver = update && update->call &&
                              (update->how == Combine::Min || update->how == Combine::Max) &&
                              !update->call->traits.assumesNumbers;
      isNever = isNever && (passesOver || (!set->op && set->place->is<VarRef>() && isNumber(set->value)));
    });
    return isNever;
  }

 private:
  const Kernel& kernel;
  std::set<const Variable*> taken, asked;
  std::set<const Stmt*> ofTree;

  bool isNumber(const ExprPtr& e) {
    ExprPtr value = e ? withoutCasts(e) : nullptr;
    if (const auto* minus = as<Unary>(value); minus && minus->op == UnaryOp::Neg)
      value = withoutCasts(minus->operand);
    if (const auto* var = as<VarRef>(value)) return holds(var->var.get());
    const auto* number = as<FloatLiteral>(value);
    return (number && number->value == number->value) || as<IntLiteral>(value);
  }
};

class TreeFinder {
 public:
  TreeFinder(const TreeKernel& treeKernel, analysis::Facts& itsFacts, bool mayReassociate,
             const TreeSearch& search)
      : of(treeKernel),
        facts(itsFacts),
        reassociate(mayReassociate),
        lanes(search.lanes ? search.lanes : treeKernel.threads),
        takesAll(search.takesAll) {}

  void visit(const StmtPtr& s, bool isInLoop) {
    if (s->is<Block>()) return visitList(s, isInLoop);
    forEachChild(*s, [&](const StmtPtr& child) { visit(child, isInLoop || isLoop(*s)); });
  }

  std::vector<BlockTree> found;
  Obstacle why;  // of the first statements that looked like one

 private:
  const TreeKernel& of;
  analysis::Facts& facts;
  bool reassociate;
  unsigned lanes;
  bool takesAll;
  bool hasMet = false;  // where that reason is from

  void visitList(const StmtPtr& list, bool isInLoop) {
    const StmtList& stmts = as<Block>(list)->stmts;
    for (size_t i = 0; i < stmts.size(); ++i) {
      if (!mayBeStep(stmts[i])) {
        visit(stmts[i], isInLoop);
        continue;
      }
      BlockTree tree;
      tree.list = list;
      tree.first = i;
      tree.isInLoop = isInLoop;
      if (const Obstacle no = begin(tree)) {
        visit(stmts[i], isInLoop);
        continue;
      }
      i += tree.count - 1;
      found.push_back(std::move(tree));
    }
  }

  void note(const Refusal& refusal, unsigned meetings) {
    if (why && (hasMet || meetings == 0)) return;
    hasMet = meetings > 0;
    why = refusal;
  }

  // Variables that were declared just before, and hold still what they were declared with.
  std::map<const Variable*, ExprPtr> justDeclared(const StmtList& stmts, size_t at) const {
    std::map<const Variable*, ExprPtr> out;
    for (size_t i = 0; i < at; ++i) {
      for (const Variable* changed : assignedVariables(stmts[i])) {
        out.erase(changed);
        std::erase_if(out, [&](const auto& known) { return mentions(known.second, changed); });
      }
      const auto* d = as<Declare>(stmts[i]);
      if (d && d->init && !of.taken.contains(d->var.get())) out[d->var.get()] = d->init;
    }
    return out;
  }

  Obstacle begin(BlockTree& tree) {
    const StmtList& stmts = as<Block>(tree.list)->stmts;
    const auto known = justDeclared(stmts, tree.first);
    TreeRun first(of, known);
    size_t end = tree.first;
    while (end < stmts.size() && first.run(stmts[end])) ++end;
    const Refusal stopped = first.why;
    const bool isInStep =
        end < stmts.size() && (doThreadsMeet(stmts[end]) || touchesShared(stmts[end], true));
    while (end > tree.first && !mayBeStep(stmts[end - 1]) && !touchesShared(stmts[end - 1], false)) --end;
    if (end == tree.first) {
      note(stopped, first.blockBarriers);
      return stopped;
    }
    TreeRun run(of, known);
    for (size_t i = tree.first; i < end; ++i) (void)run.run(stmts[i]);
    tree.count = end - tree.first;
    tree.barriers = run.blockBarriers;
    tree.arrays = run.touched;
    const Obstacle no = settle(tree, run);
    // Where it stopped within a step that is the reason.
    if (no) note(tree.totals.empty() && isInStep ? stopped : *no, first.blockBarriers);
    return no;
  }

  // Whether the values of all threads are in it with which a thread puts its own together.
  bool isWhole(const TreeValue& value, unsigned thread) const {
    const size_t least = HONE_SEED(RetreePartAsTotal, lanes, lanes / 2);
    if (value.threads.count() < least) return false;
    for (unsigned t = 0; lanes < of.threads && t < of.threads; ++t)
      if (value.threads[t] != (t / lanes == thread / lanes)) return false;
    return true;
  }

  std::optional<size_t> totalOf(BlockTree& tree, const TreeRun& run, const TreeValue& value,
                                unsigned thread) const {
    if (!value.is(TreeKind::Values) || !value.isJoined || !isWhole(value, thread)) return std::nullopt;
    const ExprPtr& input = run.inputs[value.input].value;
    const ExprPtr bound = value.isBounded ? boundOf(tree, run, value.how, input) : nullptr;
    for (size_t i = 0; i < tree.totals.size(); ++i) {
      const TreeTotal& known = tree.totals[i];
      if (known.input == input && known.how == value.how && known.call == value.call &&
          !known.bound == !bound)
        return i;
    }
    tree.totals.push_back({input, value.how, value.call, bound});
    return tree.totals.size() - 1;
  }

  bool isNeverNan(const BlockTree& tree, const ExprPtr& input) const {
    const auto* var = as<VarRef>(input);
    return var && NeverNan(of.kernel, tree.statements()).holds(var->var.get());
  }

  // The infinity that the tree puts in beside the values; null: it is never what stays.
  ExprPtr boundOf(const BlockTree& tree, const TreeRun& run, Combine how, const ExprPtr& input) const {
    const auto* literal = as<FloatLiteral>(run.infinity);
    if (!literal || isNeverNan(tree, input)) return nullptr;
    const bool isSame = std::signbit(literal->value) == (how == Combine::Max);
    return convert(isSame ? run.infinity : makeExpr(run.infinity->type, Unary{UnaryOp::Neg, run.infinity}),
                   input->type);
  }

  Obstacle settle(BlockTree& tree, const TreeRun& run) {
    // 1. All threads of the block come there.
    const SourceLoc& loc = tree.loc();
    const unsigned needed = of.threads > 32 ? 2 : 1;
    if (!takesAll && tree.barriers < needed)
      return Refusal{"its threads wait for each other no more often than they must", loc};
    if (run.firstBarrier && !isReachedByAll(run.firstBarrier))
      return Refusal{"some threads of a block may not come to where they put their values together", loc};
    // 2. Elements that hold a total.
    const std::vector<VarPtr> variables = named(tree.statements());
    std::vector<const Variable*> arrays(tree.arrays.begin(), tree.arrays.end());
    std::ranges::sort(arrays, {}, &Variable::name);
    if (lanes == of.threads)
      for (const Variable* array : arrays)
        for (const auto& [element, cell] : run.cellsOf(array))
          if (const auto total = totalOf(tree, run, cell.value, 0)) tree.elements[{array, element}] = *total;
    // 3. Variables that what follows uses.
    for (const VarPtr& var : variables)
      if (run.find(var.get(), 0))
        if (Obstacle no = follow(tree, run, var)) return no;
    if (tree.totals.empty())
      return Refusal{"what its threads put together is not one value of each thread of the block", loc};
    for (const TreeTotal& total : tree.totals)
      if (Obstacle no = obstacleTo(tree, total)) return no;
    return std::nullopt;
  }

  // Variables that statements declare or name, in the order of the text.
  static std::vector<VarPtr> named(const StmtList& stmts) {
    std::vector<VarPtr> out;
    auto add = [&](const VarPtr& var) {
      if (std::find(out.begin(), out.end(), var) == out.end()) out.push_back(var);
    };
    for (const StmtPtr& s : stmts) {
      walkStmts(s, [&](const Stmt& one) {
        if (const auto* d = one.as<Declare>()) add(d->var);
        forEachExpr(one, [&](const ExprPtr& top) {
          walkExprs(top, [&](const Expr& e) {
            if (const auto* r = e.as<VarRef>()) add(r->var);
          });
        });
      });
    }
    return out;
  }

  bool isReachedByAll(const StmtPtr& barrier) const {
    const auto& points = facts.model().barriers;
    for (size_t i = 0; i < points.size(); ++i)
      if (points[i].stmt == barrier)
        return facts.uniformity().barriers[i].isOver(analysis::UniformOver::Block);
    return false;
  }

  Obstacle obstacleTo(const BlockTree& tree, const TreeTotal& total) const {
    const SourceLoc& loc = tree.loc();
    const auto* var = as<VarRef>(total.input);
    const std::string name = var ? var->var->name : "of its values";
    if (!total.isExact() && !reassociate)
      return Refusal{fmt::format("the order of the {} {} would change; pass --reassociate to permit it",
                                 str(total.how), name),
                     loc};
    const bool compares = (total.how == Combine::Min || total.how == Combine::Max) && !total.call;
    if (compares && total.input->type->isFloating() && !isNeverNan(tree, total.input))
      return Refusal{fmt::format("of the {} {} by comparisons a NaN may be the one that stays, as its place "
                                 "would have it",
                                 str(total.how), name),
                     loc};
    return std::nullopt;
  }

  Obstacle follow(BlockTree& tree, const TreeRun& run, const VarPtr& itself) {
    const Variable* var = itself.get();
    const StmtList inside = tree.statements();
    const Declare* declared = nullptr;
    for (const StmtPtr& s : inside) {
      const auto* d = as<Declare>(s);
      if (d && d->var.get() == var) declared = d;
    }
    bool isBehind = false;
    if (!isNamedOutside(of.kernel.body, tree, var, isBehind)) return std::nullopt;
    // A number that each thread knows is declared before the tree.
    const bool isKept = declared && declared->init && isPure(declared->init) &&
                        !assignedIn(inside, declared->init) &&
                        (run.find(var, 0)->is(TreeKind::Number) || var->type->is(TypeKind::Handle)) &&
                        std::none_of(inside.begin(), inside.end(),
                                     [&](const StmtPtr& s) { return assignedVariables(s).contains(var); });
    if (isKept) {
      for (const StmtPtr& s : inside)
        if (as<Declare>(s) == declared) tree.kept.push_back(s);
      return std::nullopt;
    }
    TreeResult result{itself, 0, {}, declared != nullptr};
    std::optional<size_t> total;
    for (unsigned t = 0; t < of.threads; ++t) {
      const auto one = totalOf(tree, run, *run.find(var, t), t);
      if (!one || (total && *one != *total)) continue;
      total = one;
      result.threads.set(t);
    }
    if (!total)
      return Refusal{
          fmt::format("{} is used behind the tree, where it is not what the threads put together", var->name),
          tree.loc()};
    result.total = *total;
    tree.results.push_back(std::move(result));
    return std::nullopt;
  }

  // Whether a variable is named behind a tree; in a loop, also before it where it keeps its value.
  static bool isNamedOutside(const StmtPtr& s, const BlockTree& tree, const Variable* var, bool& isBehind) {
    const StmtList& around = as<Block>(tree.list)->stmts;
    const bool isLocal = std::any_of(around.begin(), around.end(), [&](const StmtPtr& one) {
      const auto* d = as<Declare>(one);
      return d && d->var.get() == var;
    });
    const bool counts = isBehind || (tree.isInLoop && !isLocal);
    bool found = false;
    if (s == tree.list) {
      for (size_t i = 0; i < around.size(); ++i) {
        if (i == tree.first) isBehind = true;
        if (i < tree.first || i >= tree.first + tree.count)
          found = isNamedOutside(around[i], tree, var, isBehind) || found;
      }
      return found;
    }
    forEachExpr(*s, [&](const ExprPtr& e) { found = found || (counts && mentions(e, var)); });
    forEachChild(*s,
                 [&](const StmtPtr& child) { found = isNamedOutside(child, tree, var, isBehind) || found; });
    return found;
  }

  // Whether an expression is made of what the statements set or declare.
  static bool assignedIn(const StmtList& stmts, const ExprPtr& e) {
    for (const StmtPtr& s : stmts)
      for (const Variable* var : assignedVariables(s))
        if (mentions(e, var)) return true;
    bool isShared = false;
    walkExprs(e, [&](const Expr& x) {
      const auto* var = x.as<VarRef>();
      isShared = isShared || x.is<Subscript>() || (var && var->var->space == Space::Shared);
    });
    return isShared;
  }
};

}  // namespace

StmtList BlockTree::statements() const {
  const StmtList& all = as<Block>(list)->stmts;
  const auto at = all.begin() + static_cast<std::ptrdiff_t>(first);
  return {at, at + static_cast<std::ptrdiff_t>(count)};
}

Result<std::vector<BlockTree>> blockTrees(const TreeKernel& kernel, analysis::Facts& facts, bool reassociate,
                                          const TreeSearch& search) {
  TreeFinder finder(kernel, facts, reassociate, search);
  finder.visit(kernel.kernel.body, false);
  if (!finder.found.empty()) return std::move(finder.found);
  if (finder.why) return *finder.why;
  return Refusal{"its threads put no values together"};
}

}  // namespace hone::passes
