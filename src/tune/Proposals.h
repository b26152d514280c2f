// Which passes are worth a try next: what they propose, level by level.
#pragma once

#include "passes/recipe/Proposer.h"
#include "tune/Variant.h"

namespace hone::tune {

using passes::allLevels;
using passes::Level;

// Recipes to append to what a variant has, such as merge-threads(y=8). Doing nothing is always an option
// and is not listed. Passes may still refuse; proposals only say where the facts make a gain possible.
std::vector<passes::Recipe> proposals(Level level, const Variant& variant, passes::PassContext& context);

// The same with parameters in finer steps and merges that no fact speaks for: what a search on estimates
// cannot afford, but a space to measure, or to draw samples from, ought to hold. All proposals are among
// them.
std::vector<passes::Recipe> allProposals(Level level, const Variant& variant, passes::PassContext& context);

// Whether what a proposal makes serves such sizes alone as it is tried at, a number of iterations: no choice
// where sizes are guesses.
bool isForSizes(const passes::Recipe& proposal);

// What may be added to the fastest, one after the other: each is asked for the variant as it is when `add`
// was called for the one before. `isUnseen`: no estimate shows what it gains.
void forEachFinish(const Variant& variant, passes::PassContext& context,
                   const std::function<void(const passes::Recipe&, bool isUnseen)>& add);

}  // namespace hone::tune
