// Sizes that were guessed so small that nothing can be said of a kernel, or so large that no launch has them,
// made others.
#pragma once

#include <memory>

#include "analysis/Facts.h"
#include "tune/EstimatePlan.h"

namespace hone::tune {

// Whether an estimate is of launches none of whose blocks that were looked at touches global memory.
bool isIdle(const PlanEstimate& estimate);

struct LargerGuess {
  std::unique_ptr<PlanEstimator> estimator;  // null: the usual one is as good as any
  // The launch is most of the time at all sizes whose arrays a GPU holds.
  bool isAlwaysShort = false;
};

// Where the launch itself takes most of the time of the original, or no block does anything, and sizes were
// guessed: an estimator at larger ones, or others, as far as arrays of a GPU can hold them.
LargerGuess atLargerGuesses(const device::CaseMaker& maker, const ir::PlanPtr& original,
                            const target::Target& target, analysis::FactsCache& facts, PlanEstimator& usual);

// Where arrays would be longer than any GPU holds at sizes that were guessed: an estimator at smaller ones;
// null: they are not, or nothing was guessed.
std::unique_ptr<PlanEstimator> atSmallerGuesses(const device::CaseMaker& maker, const ir::PlanPtr& original,
                                                const target::Target& target, analysis::FactsCache& facts,
                                                const PlanEstimator& usual);

}  // namespace hone::tune
