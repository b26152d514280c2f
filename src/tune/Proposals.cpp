#include "tune/Proposals.h"

#include <algorithm>

#include "passes/host/Candidate.h"
#include "passes/recipe/Registry.h"
#include "target/CoalescingRules.h"

namespace hone::tune {

using passes::PassContext;
using passes::ProposedTo;
using passes::Recipe;

namespace {

passes::Candidate candidateOf(const Variant& variant, PassContext& context) {
  passes::CandidateEstimate known;
  for (const LaunchEstimate& l : variant.estimate.launches) {
    known.camps = known.camps || l.memory.partitionBusiest * 10 > l.memory.partitionEven * 12;
    known.startsBlocks = known.startsBlocks || l.time.limiter == sim::Limiter::BlockStart;
    known.mostRegisters = std::max(known.mostRegisters, static_cast<unsigned>(l.registers));
  }
  return {variant.recipe, variant.plan, context, known};
}

std::vector<Recipe> asked(ProposedTo whom, Level level, const Variant& variant, PassContext& context) {
  const passes::Candidate candidate = candidateOf(variant, context);
  std::vector<Recipe> out;
  if (candidate.launches.empty()) return out;
  const passes::CandidateState state = candidate.stateAt(level);
  for (const passes::Proposer* proposer : passes::proposersAt(level)) {
    if (proposer->to != whom || (whom == ProposedTo::Searches && proposer->state != state)) continue;
    for (Recipe& one : proposer->propose(candidate)) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

bool isForSizes(const Recipe& proposal) {
  return std::any_of(proposal.calls.begin(), proposal.calls.end(),
                     [](const passes::PassCall& call) { return call.pass->traits.isForSizes; });
}

std::vector<Recipe> proposals(Level level, const Variant& variant, PassContext& context) {
  return asked(ProposedTo::Searches, level, variant, context);
}

std::vector<Recipe> allProposals(Level level, const Variant& variant, PassContext& context) {
  // Blocks of GPUs that work by half warps begin as one and grow by the source work's own rules.
  if (target::worksByHalfWarps(context.target)) return proposals(level, variant, context);
  std::vector<Recipe> out;
  // All merges are among the further ones: no need to ask what blocks share, which takes longest of all
  // questions.
  if (level != Level::MergeBlocks && level != Level::MergeThreads) out = proposals(level, variant, context);
  for (Recipe& one : asked(ProposedTo::Spaces, level, variant, context))
    if (std::find(out.begin(), out.end(), one) == out.end()) out.push_back(std::move(one));
  return out;
}

void forEachFinish(const Variant& variant, PassContext& context,
                   const std::function<void(const Recipe&, bool isUnseen)>& add) {
  for (const passes::Proposer* proposer : passes::proposersAt(Level::Finish))
    for (const Recipe& one : proposer->propose(candidateOf(variant, context))) add(one, proposer->isUnseen);
}

}  // namespace hone::tune
