#include "passes/host/ChooseInside.h"

#include <map>

#include "ir/Walk.h"
#include "passes/edit/Coordinates.h"
#include "passes/host/PlanEdit.h"

namespace hone::passes {

using namespace ir;

namespace {

// Gives every variable that is declared below a copy of its own, and parameters their counterparts.
class Copy : public Rewriter {
 public:
  std::map<const Variable*, VarPtr> mapped;

 protected:
  VarPtr mapVar(const VarPtr& v) override {
    auto known = mapped.find(v.get());
    if (known != mapped.end()) return known->second;
    if (v->storage != Storage::Local) return v;
    return mapped[v.get()] = std::make_shared<Variable>(*v);
  }
};

// OpenCL declares local memory in the outermost scope of a kernel.
class LiftShared : public Rewriter {
 public:
  StmtList lifted;

 protected:
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* d = as<Declare>(s);
    if (!d || d->var->space != Space::Shared) return {s};
    lifted.push_back(s);
    return {};
  }
};

}  // namespace

KernelPtr chooseInside(const Plan& plan) {
  const auto* choice = onlyStep<ChoiceStep>(plan);
  if (!choice) return nullptr;
  const auto *fast = onlyStep<LaunchStep>(*choice->then), *slow = onlyStep<LaunchStep>(*choice->otherwise);
  const Kernel& original = *plan.original;
  if (!fast || !slow || slow->kernel != plan.original || !keepsGeometry(*slow, original) ||
      !keepsGeometry(*fast, original) || fast->kernel->params.size() != original.params.size())
    return nullptr;
  Copy copy;
  for (size_t i = 0; i < original.params.size(); ++i) {
    const Variable &mine = *fast->kernel->params[i], &theirs = *original.params[i];
    if (!sameType(mine.type, theirs.type) || mine.type->isConst != theirs.type->isConst ||
        mine.type->isRestrict != theirs.type->isRestrict)
      return nullptr;
    copy.mapped[&mine] = original.params[i];
  }
  StmtPtr then = copy.rewriteBlock(fast->kernel->body), otherwise = original.body;
  StmtList all;
  if (original.language == Language::OpenCL) {
    LiftShared lift;
    then = lift.rewriteBlock(then);
    otherwise = lift.rewriteBlock(otherwise);
    all = std::move(lift.lifted);
  }
  all.push_back(makeStmt(Comment{"Where this does not hold, the original runs."}));
  all.push_back(makeStmt(If{choice->cond, then, otherwise}));
  auto merged = std::make_shared<Kernel>(*fast->kernel);
  merged->params = original.params;
  merged->body = block(std::move(all));
  merged->launchBounds = original.launchBounds;
  merged->requiredBlock = original.requiredBlock;
  return withCoordTypes(merged);  // the condition's too
}

}  // namespace hone::passes
