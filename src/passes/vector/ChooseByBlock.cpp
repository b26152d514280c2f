#include "passes/vector/ChooseByBlock.h"

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Substitute.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"

namespace hone::passes {

using namespace ir;

namespace {

class Chooser {
 public:
  Chooser(const Kernel& of, VectorGroups& all) : kernel(of), names(of), body(of.body) {
    for (LoopGroup& group : all.loops)
      if (group.allHold) asking.push_back(&group);
  }

  StmtPtr run() {
    if (asking.empty()) return body;
    changing = assignedVariables(kernel.body);
    changing.merge(declaredVariables(kernel.body));
    visit(as<Block>(kernel.body)->stmts);
    // What is left is chosen together where the block answers as one.
    std::erase_if(asking, [](const LoopGroup* group) { return !group->isOfBlock || !group->allHold; });
    const StmtPtr now = body;  // which outlives the changes
    if (!asking.empty()) visitBlocks(as<Block>(now)->stmts);
    return body;
  }

 private:
  // Groups whose loop stands in a statement, or is it.
  std::vector<LoopGroup*> groupsIn(const StmtPtr& s) const {
    std::vector<LoopGroup*> found;
    walkStmts(s, [&](const Stmt& one) {
      for (LoopGroup* group : asking)
        if (&one == group->loop.get()) found.push_back(group);
    });
    return found;
  }

  // Loops whose iterations would all ask the same: the question goes before the loop.
  void visit(const StmtList& stmts) {
    for (size_t i = 0; i < stmts.size(); ++i) {
      if (groupsIn(stmts[i]).empty()) continue;
      if (mayAskBefore(stmts[i]) && mayChoose(stmts, i, i)) {
        choose(stmts, i, i, false);
        continue;
      }
      if (const auto* block = as<Block>(stmts[i])) visit(block->stmts);
      if (const auto* choice = as<If>(stmts[i])) visit(as<Block>(choice->then)->stmts);
      if (const auto* loop = as<For>(stmts[i])) visit(as<Block>(loop->body)->stmts);
    }
  }

  // A loop of iterations that are not known, around the groups, in which threads may go different ways.
  bool mayAskBefore(const StmtPtr& s) const {
    const auto* loop = as<For>(s);
    const auto counts = loop ? counted(*loop) : std::nullopt;
    if (!counts || constantValue(counts->end)) return false;
    bool fine = true;
    walkStmts(s, [&](const Stmt& one) { fine = fine && !one.is<Barrier>() && !one.is<Fence>(); });
    walkExprs(s, [&](const Expr& e) {
      if (const auto* call = e.as<Call>())
        fine = fine && (call->function ? call->function->isPure() : !call->intrinsic->synchronizes());
    });
    for (const LoopGroup* group : groupsIn(s)) {
      fine = fine && group->loop != s && accesses(group->allHold).empty();
      walkExprs(group->allHold, [&](const Expr& e) {
        const auto* b = e.as<Binary>();
        fine = fine && !e.is<Call>() && !(b && (b->op == BinaryOp::Div || b->op == BinaryOp::Rem));
      });
    }
    return fine;
  }

  void visitBlocks(const StmtList& stmts) {
    size_t first = stmts.size(), last = 0, count = 0;
    for (size_t i = 0; i < stmts.size(); ++i)
      if (!groupsIn(stmts[i]).empty()) first = std::min(first, i), last = i, ++count;
    if (!count) return;
    if (count > 1 && mayChoose(stmts, first, last)) return choose(stmts, first, last, true);
    for (const StmtPtr& s : stmts) {
      if (groupsIn(s).empty()) continue;
      if (const auto* block = as<Block>(s)) visitBlocks(block->stmts);
      if (const auto* choice = as<If>(s)) visitBlocks(as<Block>(choice->then)->stmts);
      if (const auto* loop = as<For>(s)) visitBlocks(as<Block>(loop->body)->stmts);
    }
  }

  // Nothing but what the groups need, nothing that others need of it, and nothing that changes the answer.
  bool mayChoose(const StmtList& stmts, size_t first, size_t last) const {
    std::set<const Variable*> asked, assigned, declared;
    bool isPlain = true;
    for (size_t i = first; i <= last; ++i) {
      for (const LoopGroup* group : groupsIn(stmts[i]))
        walkExprs(group->allHold, [&](const Expr& e) {
          if (const auto* var = e.as<VarRef>()) asked.insert(var->var.get());
        });
      if (const auto* d = as<Declare>(stmts[i])) declared.insert(d->var.get());
      assigned.merge(assignedVariables(stmts[i]));
      const std::set<const Variable*> inner = declaredVariables(stmts[i]);
      assigned.insert(inner.begin(), inner.end());
      isPlain =
          isPlain && (stmts[i]->is<Comment>() || stmts[i]->is<Declare>() || !groupsIn(stmts[i]).empty());
      walkStmts(stmts[i], [&](const Stmt& s) {
        isPlain = isPlain && !s.is<Barrier>() && !s.is<Return>() && !s.is<Break>() && !s.is<Continue>();
      });
    }
    for (size_t i = last + 1; i < stmts.size(); ++i) isPlain = isPlain && !mentions(stmts[i], declared);
    return isPlain &&
           std::none_of(asked.begin(), asked.end(), [&](const Variable* v) { return assigned.contains(v); });
  }

  // Of parameters that nobody assigns and of the block's coordinates.
  bool isFixed(const ExprPtr& cond) const {
    bool fixed = true;
    walkExprs(cond, [&](const Expr& e) {
      if (const auto* var = e.as<VarRef>())
        fixed = fixed && var->var->storage != Storage::Global && !changing.contains(var->var.get());
      if (e.is<Subscript>() || e.is<Call>()) fixed = false;
    });
    return fixed;
  }

  void choose(const StmtList& stmts, size_t first, size_t last, bool answersBefore) {
    std::vector<ExprPtr> fixed, others;
    std::set<const Variable*> declared;
    StmtList wide;
    bool isTested = false;
    for (size_t i = first; i <= last; ++i) {
      wide.push_back(stmts[i]);
      declared.merge(declaredVariables(stmts[i]));
      for (LoopGroup* group : groupsIn(stmts[i])) {
        for (const ExprPtr& part : conjuncts(group->allHold)) {
          std::vector<ExprPtr>& into = isFixed(part) ? fixed : others;
          if (std::none_of(into.begin(), into.end(), [&](const ExprPtr& e) { return equal(e, part); }))
            into.push_back(part);
        }
        isTested = isTested || group->isTested;
        group->allHold = nullptr;
      }
    }
    ExprPtr all;
    for (const ExprPtr& part : fixed) all = andAlso(all, part);
    const StmtPtr run = stmts[first];
    StmtPtr declaration;
    if (answersBefore && fixed.size() > 1) {
      VarPtr whole = makeLocal(names, "whole", boolType(), true);
      declaration = makeStmt(Declare{whole, all});
      all = ref(whole);
    }
    for (const ExprPtr& part : others) all = andAlso(all, part);
    StmtList single{
        makeStmt(Comment{isTested ? "At the edge, and where arrays are not aligned, one element at a time."
                                  : "At the edge one element at a time."})};
    for (StmtPtr& one : freshCopy(wide)) single.push_back(std::move(one));
    const StmtPtr choice = makeStmt(If{all, block(wide), block(std::move(single))}, run->loc);
    body = replaceRun(body, run, last - first + 1, {choice});
    if (!declaration) return;
    // Before the outermost statement around it.
    const StmtList& top = as<Block>(body)->stmts;
    for (const StmtPtr& s : top) {
      bool isAround = false;
      walkStmts(s, [&](const Stmt& one) { isAround = isAround || &one == choice.get(); });
      if (isAround) {
        body = replaceRun(body, s, 1, {declaration, s});
        return;
      }
    }
  }

  const Kernel& kernel;
  Names names;
  StmtPtr body;
  std::vector<LoopGroup*> asking;
  std::set<const Variable*> changing;  // that are no parameters, or are assigned
};

}  // namespace

StmtPtr chooseByBlock(const Kernel& kernel, VectorGroups& groups) { return Chooser(kernel, groups).run(); }

}  // namespace hone::passes
