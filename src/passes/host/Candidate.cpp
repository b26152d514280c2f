#include "passes/host/Candidate.h"

#include <algorithm>
#include <bit>

#include "ir/Walk.h"
#include "passes/host/PlanEdit.h"

namespace hone::passes {

using namespace ir;

namespace {

// Whether an access brings an element to shared memory.
bool fillsShared(const affine::Access& access) {
  const auto* store = access.stmt ? access.stmt->as<Assign>() : nullptr;
  const VarPtr root = store ? rootVariable(store->place) : nullptr;
  return root && root->space == Space::Shared;
}

template <class Is>
bool anyStmt(const Kernel& kernel, const Is& is) {
  bool found = false;
  walkStmts(kernel.body, [&](const Stmt& s) { found = found || is(s); });
  return found;
}

bool containsLoop(const Kernel& kernel) {
  return anyStmt(kernel, [](const Stmt& s) { return s.is<For>() || s.is<While>() || s.is<DoWhile>(); });
}

}  // namespace

Candidate::Candidate(const Recipe& appliedRecipe, PlanPtr madePlan, PassContext& passContext,
                     const CandidateEstimate& itsEstimate)
    : recipe(appliedRecipe),
      plan(std::move(madePlan)),
      context(passContext),
      estimate(itsEstimate),
      launches(launchesOf(*plan)) {
  if (!launches.empty()) blockOfFirst = fixedBlock(*launches.front()).value_or(context.block);
}

analysis::Facts& Candidate::facts() const {
  if (!factsOfFirst) factsOfFirst = &context.facts.of(launches.front()->kernel, blockOfFirst);
  return *factsOfFirst;
}

CandidateState Candidate::stateAt(Level level) const {
  if (has(&PassTraits::makesTwoForms)) return CandidateState::TwoForms;
  if (level == Level::Prepare && hasGridBarriers()) return CandidateState::GridBarriers;
  const bool isWidening = level >= Level::Stage && level <= Level::Widen;
  return isWidening && has(&PassTraits::widensAccesses) ? CandidateState::Widened : CandidateState::Plain;
}

bool Candidate::has(bool PassTraits::* trait) const {
  return std::any_of(recipe.calls.begin(), recipe.calls.end(),
                     [&](const PassCall& call) { return call.pass->traits.*trait; });
}

uint8_t Candidate::usedAxes() const { return passes::usedAxes(facts().model()); }

unsigned Candidate::axes() const {
  const uint8_t all = usedAxes();
  return all & 4 ? 3 : all & 2 ? 2 : 1;
}

unsigned Candidate::usedAxisCount() const { return static_cast<unsigned>(std::popcount(usedAxes())); }

bool Candidate::hasLoops() const { return containsLoop(*facts().kernel()); }

bool Candidate::hasGridBarriers() const {
  return anyStmt(*facts().kernel(), [](const Stmt& s) {
    const auto* barrier = s.as<Barrier>();
    return barrier && barrier->scope == SyncScope::Grid;
  });
}

bool Candidate::isBlockFree() const { return launchAssumption(*facts().kernel()).free; }

bool Candidate::touchesApart() const {
  const affine::KernelModel& model = facts().model();
  for (const affine::AccessId i : model.accesses.ids()) {
    const affine::ArrayId array = model.accesses[i].array;
    if (array.isNone() || model.arrays[array].space != Space::Global) continue;
    if (facts().coalescing(i).verdict == analysis::CoalescingVerdict::Strided) return true;
  }
  return false;
}

bool Candidate::sharesAlong(unsigned axis, bool staged, bool partly) const {
  analysis::Facts& all = facts();
  const affine::KernelModel& model = all.model();
  if (!(usedAxes() >> axis & 1)) return false;
  for (const affine::ArrayId a : model.arrays.ids()) {
    if (model.arrays[a].space != Space::Global && model.arrays[a].space != Space::Generic) continue;
    const std::vector<affine::AccessId> reads = all.accessesOf(a, analysis::Facts::Which::Reads);
    auto counts = [&](affine::AccessId i) { return !staged || fillsShared(model.accesses[i]); };
    if (std::none_of(reads.begin(), reads.end(), counts)) continue;
    const analysis::Shared& shared =
        all.sharing(a, analysis::Facts::Which::Reads, {analysis::Scope::Block, axis, {}});
    if ((shared.next == analysis::SharedPart::Full && !partly) ||
        shared.next == analysis::SharedPart::Partial)
      return true;
  }
  return false;
}

bool Candidate::anyHasLoops() const {
  return std::any_of(launches.begin(), launches.end(),
                     [](const LaunchStep* launch) { return containsLoop(*launch->kernel); });
}

uint8_t usedAxes(const affine::KernelModel& model) {
  uint8_t all = 0;
  for (const affine::Access& access : model.accesses) {
    auto varies = model.atoms->variation(access.address);
    varies |= model.atoms->variation(access.guard);
    all |= varies.threadAxes | varies.blockAxes;
  }
  return all;
}

}  // namespace hone::passes
