#include "tune/VariantFacts.h"

#include <algorithm>

#include "ir/Walk.h"
#include "passes/host/PlanEdit.h"
#include "tune/Proposals.h"

namespace hone::tune {

using namespace ir;

namespace {

// Whether an access brings an element to shared memory.
bool fillsShared(const affine::Access& access) {
  const auto* store = access.stmt ? access.stmt->as<Assign>() : nullptr;
  const VarPtr root = store ? rootVariable(store->place) : nullptr;
  return root && root->space == ir::Space::Shared;
}

}  // namespace

analysis::Facts* factsOf(const Variant& variant, passes::PassContext& context,
                         std::array<unsigned, 3>& block) {
  auto launches = passes::launchesOf(*variant.plan);
  if (launches.empty()) return nullptr;
  block = passes::fixedBlock(*launches.front()).value_or(context.block);
  return &context.facts.of(launches.front()->kernel, block);
}

unsigned axesOf(const affine::KernelModel& model) {
  const uint8_t all = usedAxes(model);
  return all & 4 ? 3 : all & 2 ? 2 : 1;
}

unsigned threadsOf(const std::array<unsigned, 3>& block) { return block[0] * block[1] * block[2]; }

bool hasRecipePass(const Variant& variant, std::string_view name) {
  return std::any_of(variant.recipe.calls.begin(), variant.recipe.calls.end(),
                     [&](const passes::PassCall& call) { return call.pass->name == name; });
}

bool sharesAlong(analysis::Facts& facts, unsigned axis, bool staged, bool partly) {
  const affine::KernelModel& model = facts.model();
  if (!(usedAxes(model) >> axis & 1)) return false;
  for (size_t a = 0; a < model.arrays.size(); ++a) {
    if (model.arrays[a].space != ir::Space::Global && model.arrays[a].space != ir::Space::Generic) continue;
    const std::vector<int> reads = facts.accessesOf(int(a), analysis::Facts::Which::Reads);
    auto counts = [&](int i) { return !staged || fillsShared(model.accesses[static_cast<size_t>(i)]); };
    if (std::none_of(reads.begin(), reads.end(), counts)) continue;
    const analysis::Shared& shared =
        facts.sharing(int(a), analysis::Facts::Which::Reads, {analysis::Scope::Block, axis, -1});
    if ((shared.next == analysis::SharedPart::Full && !partly) ||
        shared.next == analysis::SharedPart::Partial)
      return true;
  }
  return false;
}

Contents contentsOf(const Kernel& kernel) {
  Contents out;
  walkStmts(kernel.body, [&](const Stmt& s) {
    out.loops = out.loops || s.is<For>() || s.is<While>() || s.is<DoWhile>();
    const auto* barrier = s.as<Barrier>();
    out.gridBarriers = out.gridBarriers || (barrier && barrier->scope == SyncScope::Grid);
  });
  return out;
}

}  // namespace hone::tune
