#include <algorithm>
#include <map>

#include "passes/propose/JointProposals.h"
#include "passes/recipe/Registry.h"

namespace hone::passes {

namespace {

std::map<Level, std::vector<const Proposer*>> allProposers() {
  static const std::vector<std::vector<Proposer>> joint = {gridSyncProposers(),     blockProposers(),
                                                           stageProposers(),        splitReductionProposers(),
                                                           launchBoundsProposers(), measuredProposers()};
  std::map<Level, std::vector<const Proposer*>> out;
  const auto add = [&](const std::vector<Proposer>& some) {
    for (const Proposer& one : some) {
      std::vector<const Proposer*>& known = out[one.level];
      known.insert(std::ranges::upper_bound(known, one.place, {}, &Proposer::place), &one);
    }
  };
  for (const Pass* pass : allPasses()) add(pass->proposers);
  for (const std::vector<Proposer>& some : joint) add(some);
  return out;
}

}  // namespace

const std::vector<const Proposer*>& proposersAt(Level level) {
  static const std::map<Level, std::vector<const Proposer*>> all = allProposers();
  return all.at(level);
}

}  // namespace hone::passes
