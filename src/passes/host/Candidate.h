// A plan that a search has arrived at, and what proposers ask about it.
#pragma once

#include "passes/recipe/Pass.h"

namespace hone::passes {

// What was estimated of a plan.
struct CandidateEstimate {
  bool camps = false;          // blocks that run at the same time crowd on few partitions of the memory
  unsigned mostRegisters = 0;  // of a thread, in any of its launches
  bool startsBlocks = false;   // more than anything else
};

class Candidate {
 public:
  Candidate(const Recipe& appliedRecipe, ir::PlanPtr madePlan, PassContext& passContext,
            const CandidateEstimate& itsEstimate);

  const Recipe& recipe;  // that made the plan
  const ir::PlanPtr plan;
  PassContext& context;
  const CandidateEstimate estimate;
  const std::vector<const ir::LaunchStep*> launches;  // of the plan's fast branch

  const target::Target& target() const { return context.target; }
  bool has(const Pass& pass) const { return recipe.has(pass); }
  bool has(bool PassTraits::* trait) const;

  // Of the first launch under the block it has, or that the original launch has. There is one: what launches
  // nothing is nobody's to propose for.
  analysis::Facts& facts() const;
  const std::array<unsigned, 3>& block() const { return blockOfFirst; }
  unsigned threads() const { return blockOfFirst[0] * blockOfFirst[1] * blockOfFirst[2]; }

  uint8_t usedAxes() const;  // bit k: threads or blocks differ along axis k in what they touch
  unsigned axes() const;     // 1 for lists, 2 for images
  unsigned usedAxisCount() const;
  bool hasLoops() const;
  bool hasGridBarriers() const;
  // At a level of the search.
  CandidateState stateAt(Level level) const;
  bool isBlockFree() const;   // works under any block shape
  bool touchesApart() const;  // neighbouring threads touch elements of global memory that lie far apart
  // Whether neighbouring blocks along an axis that the kernel uses read some array in common; `staged`: one
  // that goes to shared memory; `partly`: each also reads elements of it that the other does not, as stencils
  // do.
  bool sharesAlong(unsigned axis, bool staged = false, bool partly = false) const;

  bool anyHasLoops() const;  // of the launches

 private:
  std::array<unsigned, 3> blockOfFirst{};
  mutable analysis::Facts* factsOfFirst = nullptr;  // once somebody asked
};

// Bit k: threads or blocks differ along axis k in what they touch.
uint8_t usedAxes(const affine::KernelModel& model);

}  // namespace hone::passes
