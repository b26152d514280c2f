// What a pass has to say in a search for recipes: the variants of a kernel that its facts make promising.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "passes/recipe/Recipe.h"

namespace hone::passes {

class Candidate;  // host/Candidate.h

// The levels that a search goes through, each after the one before.
enum class Level : uint8_t {
  Prepare,
  Shape,
  Stage,
  MergeBlocks,
  MergeThreads,
  Widen,
  Overlap,
  Order,
  Finish  // no level of the search: what is added to the fastest where it is not estimated to cost time
};
inline constexpr std::array allLevels = {Level::Prepare,     Level::Shape,        Level::Stage,
                                         Level::MergeBlocks, Level::MergeThreads, Level::Widen,
                                         Level::Overlap,     Level::Order};
const char* str(Level level);

// Whom a proposer is asked for: every search; or one among many variants to measure or to draw samples from,
// which affords finer steps and merges that no fact speaks for.
enum class ProposedTo : uint8_t { Searches, Spaces };

// In which state a candidate is: as a rule; after accesses were widened, up to the level that does so; once
// there are two forms of the code; while it has grid-wide barriers, which are lowered before anything else.
enum class CandidateState : uint8_t { Plain, Widened, TwoForms, GridBarriers };

struct Proposer {
  Level level = Level::Prepare;
  unsigned place = 0;  // those of a level are asked in the order of their places
  // Recipes to append to what the candidate has. Passes may still refuse; proposals only say where the facts
  // make a gain possible, and doing nothing is always an option that is not listed.
  std::function<std::vector<Recipe>(const Candidate&)> propose = {};
  ProposedTo to = ProposedTo::Searches;
  CandidateState state = CandidateState::Plain;  // in which searches ask it; spaces always do
  bool isUnseen = false;                         // estimates do not show what it gains
};

}  // namespace hone::passes
