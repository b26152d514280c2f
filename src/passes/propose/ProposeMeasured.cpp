// Whole recipes that the target's file holds: on the way there what is made looks slow, and other ways would
// be followed.
#include "passes/host/Candidate.h"
#include "passes/propose/JointProposals.h"
#include "passes/recipe/ParseRecipe.h"
#include "passes/registers/PromoteElements.h"

namespace hone::passes {

namespace {

// Sums of products of what rows and columns of threads share.
std::vector<Recipe> measuredTiles(const Candidate& candidate) {
  const std::vector<std::string>& all = candidate.target().measuredTiles;
  if (all.empty() || !candidate.hasLoops() || candidate.axes() != 2 || !candidate.sharesAlong(0) ||
      !candidate.sharesAlong(1))
    return {};
  std::vector<Recipe> out;
  for (const std::string& text : all) {
    const Recipe tile = parseRecipe(text);
    out.push_back(tile);
    out.push_back(tile);
    out.back().calls.insert(out.back().calls.begin(), promotePass()());
  }
  return out;
}

}  // namespace

std::vector<Proposer> measuredProposers() { return {{Level::Prepare, 60, measuredTiles}}; }

}  // namespace hone::passes
