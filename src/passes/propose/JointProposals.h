// What a pass proposes together with passes of other folders. What it proposes by itself stands with the
// pass.
#pragma once

#include "passes/recipe/Proposer.h"

namespace hone::passes {

std::vector<Proposer> gridSyncProposers();
std::vector<Proposer> blockProposers();
std::vector<Proposer> stageProposers();
std::vector<Proposer> splitReductionProposers();
std::vector<Proposer> launchBoundsProposers();
// Recipes that were measured on the target, for kernels of their kind.
std::vector<Proposer> measuredProposers();

}  // namespace hone::passes
