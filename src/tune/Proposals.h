// Which passes are worth a try next: the selection rules of the source works, as levels in their order of
// passes.
#pragma once

#include "tune/Variant.h"

namespace hone::tune {

// The levels that a search goes through, each after the one before.
enum class Level : uint8_t { Prepare, Shape, Stage, MergeBlocks, MergeThreads, Widen, Overlap, Order };
inline constexpr std::array allLevels = {Level::Prepare,     Level::Shape,        Level::Stage,
                                         Level::MergeBlocks, Level::MergeThreads, Level::Widen,
                                         Level::Overlap,     Level::Order};
const char* str(Level level);

// Whether accesses are served by half warps: blocks then begin as one and grow by merging.
bool worksByHalfWarps(const target::Target& target);

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

// Bit k: threads or blocks differ along axis k in what they touch.
uint8_t usedAxes(const affine::KernelModel& model);

}  // namespace hone::tune
