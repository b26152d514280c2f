#include "passes/reduce/SplitTails.h"

#include <algorithm>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/StmtsOf.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/LoopEdit.h"

namespace hone::passes {

using namespace ir;

namespace {

class TailSplitter : public Rewriter {
 public:
  TailSplitter(const Kernel& kernel, const std::array<unsigned, 3>& block)
      : of(kernel, block), scan(of, {}) {}
  bool splitsAny = false;

 private:
  TreeKernel of;
  TreeRun scan;

  // What no tree does: stores to memory that the block does not share, atomics, output.
  bool isOutside(const StmtPtr& s) {
    bool found = false;
    walkStmts(s, [&](const Stmt& one) {
      found = found || prints(one) || one.is<Assert>() || one.is<Fence>();
      for (const ir::Access& a : accesses(one)) {
        if (a.mode == AccessMode::Read) continue;
        const VarPtr root = rootVariable(a.place);
        const bool isPrivate = root && root->space == Space::Private && !root->type->isPointer();
        found = found || a.atomic || (!isPrivate && !isShared(a.place));
      }
    });
    return found;
  }

  bool isShared(const ExprPtr& place) {
    const VarPtr root = rootVariable(place);
    if (!root || root->space == Space::Shared) return root != nullptr;
    const auto at = root->type->isPointer() ? scan.valueOf(ref(root), 0) : std::nullopt;
    return at && at->is(TreeKind::Pointer);
  }

  bool mayBeSteps(const StmtList& stmts) {
    return std::any_of(stmts.begin(), stmts.end(), [&](const StmtPtr& s) {
      bool found = doThreadsMeet(s);
      walkStmts(s, [&](const Stmt& one) {
        for (const ir::Access& a : accesses(one)) found = found || isShared(a.place);
      });
      return found;
    });
  }

  bool isKnown(const ExprPtr& cond) {
    for (unsigned t = 0; t < of.threads; ++t) {
      const auto value = scan.valueOf(cond, t);
      if (!value || !value->is(TreeKind::Number)) return false;
    }
    return true;
  }

  StmtList mapStmt(const StmtPtr& s) override {
    const auto* choice = ir::as<If>(s);
    if (!choice || choice->otherwise) return {s};
    const StmtList stmts = stmtsOf(choice->then);
    const auto tail =
        std::find_if(stmts.begin(), stmts.end(), [&](const StmtPtr& one) { return isOutside(one); });
    if (tail == stmts.end() || tail == stmts.begin() || !mayBeSteps({stmts.begin(), tail})) return {s};
    const Exits exits = exitsOf(choice->then);
    if (exits.breaks || exits.continues || exits.returns || !isKnown(choice->cond)) return {s};
    // What the steps declare the rest may use.
    StmtList out, steps;
    for (auto at = stmts.begin(); at != tail; ++at) {
      const auto* d = ir::as<Declare>(*at);
      const bool isUsed = d && std::any_of(tail, stmts.end(),
                                           [&](const StmtPtr& one) { return mentions(one, d->var.get()); });
      if (!isUsed) {
        steps.push_back(*at);
        continue;
      }
      if (d->var->isConst || d->var->isReference || !d->var->type->isArithmetic() ||
          d->var->space != Space::Private)
        return {s};
      out.push_back(makeStmt(Declare{d->var, nullptr}, (*at)->loc));
      if (d->init) steps.push_back(assign(ref(d->var), d->init, (*at)->loc));
    }
    splitsAny = true;
    out.push_back(makeStmt(If{choice->cond, block(steps, choice->then->loc), nullptr}, s->loc));
    out.push_back(
        makeStmt(If{choice->cond, block({tail, stmts.end()}, (*tail)->loc), nullptr}, (*tail)->loc));
    return out;
  }
};

}  // namespace

KernelPtr withTailsSplit(const KernelPtr& kernel, const std::array<unsigned, 3>& block) {
  TailSplitter splitter(*kernel, block);
  const StmtPtr body = splitter.rewriteBlock(kernel->body);
  if (!splitter.splitsAny) return kernel;
  auto copy = std::make_shared<Kernel>(*kernel);
  copy->body = body;
  return copy;
}

}  // namespace hone::passes
