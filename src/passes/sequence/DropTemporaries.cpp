#include "passes/sequence/DropTemporaries.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/DeadCode.h"
#include "passes/host/AliasGuard.h"
#include "passes/host/Candidate.h"
#include "passes/host/PlanEdit.h"

namespace hone::passes {

using namespace ir;

namespace {

// What a launch does with a parameter of the original.
struct Use {
  affine::ArrayId array;  // in the model of the launch; none: it does not have it
  bool reads = false, writes = false;
};

Use useOf(const LaunchStep& launch, const affine::KernelModel& model, const VarPtr& param) {
  Use use;
  for (size_t i = 0; i < launch.args.size() && i < model.kernel->params.size(); ++i) {
    const auto* arg = as<VarRef>(launch.args[i]);
    if (!arg || arg->var != param) continue;
    for (const affine::ArrayId a : model.arrays.ids())
      if (model.arrays[a].var == model.kernel->params[i] &&
          model.arrays[a].name == model.kernel->params[i]->name)
        use.array = a;
  }
  for (const affine::Access& access : model.accesses) {
    if (access.array != use.array || use.array.isNone()) continue;
    use.writes = use.writes || access.writes();
    const auto* assign = as<Assign>(access.stmt);
    const bool isPlainStore = access.mode == AccessMode::Write && assign && !assign->op;
    use.reads =
        use.reads || !isPlainStore;  // atomics, addresses handed on and calls that write count as reads
  }
  return use;
}

class RemoveStores : public Rewriter {
 public:
  explicit RemoveStores(std::set<const Stmt*> which) : stores(std::move(which)) {}
  StmtList rewrite(const StmtPtr& s) override {
    if (!s || !stores.contains(s.get())) return Rewriter::rewrite(s);
    // What was stored may have been the result of something that must still happen.
    ExprPtr value = as<Assign>(s)->value;
    while (const auto* cast = as<Cast>(value)) value = cast->operand;
    const auto* call = as<Call>(value);
    return call && !isPure(*call) ? StmtList{makeStmt(Eval{value}, s->loc)} : StmtList{};
  }
  using Rewriter::rewrite;

 private:
  std::set<const Stmt*> stores;
};

}  // namespace

PassResult dropTemporaries(const PlanPtr& plan, const DropTemporariesOptions& options, PassContext& context) {
  const Kernel& original = *plan->original;
  if (!context.outputs)
    return Refusal{"say which arrays nobody reads after the launch: #pragma hone temporary(...)"};

  // 1. Decide: which parameters are neither outputs nor read.
  const std::vector<std::string>& wanted = options.arrays;
  for (const std::string& name : wanted) {
    if (std::none_of(original.params.begin(), original.params.end(),
                     [&](const VarPtr& p) { return p->name == name && p->type->isPointer(); }))
      return Refusal{fmt::format("there is no array {}", name)};
    if (context.outputs->contains(name)) return Refusal{fmt::format("{} is an output", name)};
  }
  const std::vector<const LaunchStep*> launches = launchesOf(*plan);
  auto factsOf = [&](const LaunchStep& launch) -> analysis::Facts& {
    return context.facts.of(launch.kernel, fixedBlock(launch).value_or(context.block));
  };
  std::map<const Kernel*, std::set<const Stmt*>> stores;
  std::string dropped;
  Obstacle first;
  ExprPtr condition;
  for (const VarPtr& param : original.params) {
    if (!param->type->isPointer() || context.outputs->contains(param->name)) continue;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), param->name) == wanted.end()) continue;
    bool isWritten = false, isRead = false;
    for (const LaunchStep* launch : launches) {
      const Use use = useOf(*launch, factsOf(*launch).model(), param);
      isWritten = isWritten || use.writes;
      isRead = isRead || use.reads;
    }
    if (!isWritten) continue;
    if (isRead) {
      if (!first) first = Refusal{fmt::format("{} is read in the kernel", param->name)};
      continue;
    }
    // Reads through other names would miss what is no longer there.
    bool isApart = true;
    ExprPtr needed;
    std::map<const Kernel*, std::set<const Stmt*>> own;
    for (const LaunchStep* launch : launches) {
      const affine::KernelModel& model = factsOf(*launch).model();
      const Use use = useOf(*launch, model, param);
      AliasGuard guard(*launch, model, context);
      for (const affine::Access& access : model.accesses) {
        if (access.array == use.array && use.array.isSome())
          own[launch->kernel.get()].insert(access.stmt.get());
        if (!access.reads() || access.array == use.array) continue;
        if (access.array.isSome() && model.arrays[access.array].space != Space::Global) continue;
        const bool known =
            access.array.isSome() && use.array.isSome() && (launches.size() == 1 || context.assumeNoalias);
        const Obstacle no =
            known ? guard.requireApart(access.array, use.array)
                  : Refusal{fmt::format("{} may be read under another name; add {} or pass --assume-noalias",
                                        param->name, restrictWord(launch->kernel->language))};
        if (!no) continue;
        isApart = false;
        if (!first) first = no;
      }
      needed = andAlso(needed, guard.condition());
    }
    if (!isApart) continue;
    if (needed && !isTrue(needed)) condition = andAlso(condition, needed);
    for (auto& [kernel, which] : own) stores[kernel].insert(which.begin(), which.end());
    dropped += (dropped.empty() ? "" : ", ") + param->name;
  }
  if (dropped.empty()) return first ? *first : Refusal{"nothing but outputs is written"};

  // 2. Rewrite: the stores, then what only they used.
  PassResult result;
  PlanPtr mapped = mapLaunches(plan, [&](const LaunchStep& launch) -> Step {
    auto found = stores.find(launch.kernel.get());
    if (found == stores.end()) return launch;
    // Statements are those of the model, whose calls are inlined.
    const affine::KernelModel& model = factsOf(launch).model();
    auto kernel = std::make_shared<Kernel>(*model.kernel);
    const std::set<const Variable*> before = deadVariables(model.kernel->body);
    RemoveStores remover(found->second);
    kernel->body = withoutDeadCode(remover.rewriteBlock(model.kernel->body), before);
    kernel->story.push_back(fmt::format("{} is no longer written: nobody reads it.", dropped));
    LaunchStep made = launch;
    made.kernel = kernel;
    return made;
  });
  result.plan = onlyWhere(mapped, condition);
  result.remarks.push_back(
      {RemarkKind::Done, original.loc, original.name,
       fmt::format("{} is no longer written: it is no output, and nobody reads it", dropped)});
  return result;
}

namespace {

std::vector<Recipe> proposeDropping(const Candidate& candidate) {
  if (!candidate.context.outputs) return {};
  return {{{dropTemporariesPass()()}}};
}

}  // namespace

const PassOf<DropTemporariesOptions>& dropTemporariesPass() {
  static const PassOf<DropTemporariesOptions> pass =
      PassOf<DropTemporariesOptions>(
          "drop-temporaries",
          "Stores to global arrays that nobody reads go, with what was computed for them alone.",
          dropTemporaries)
          .names(&DropTemporariesOptions::arrays, "<arrays>", ParameterKind::Arrays,
                 "arrays to drop; without any, all that can go")
          .proposes({Level::Prepare, 50, proposeDropping});
  return pass;
}

}  // namespace hone::passes
