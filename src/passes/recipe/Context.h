// What a pass may know besides the plan: the machine, the launch as far as it is known, what the user
// permits.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "analysis/Facts.h"
#include "target/Target.h"

namespace hone::passes {

struct PassContext {
  const target::Target& target;
  analysis::FactsCache& facts;  // for the same target
  // Threads of a block of the original launch: as a launch in sight or the user says, else a guess. A pass
  // that relies on it makes that a condition of the plan (PlanEdit.h), so a wrong guess costs speed only.
  std::array<unsigned, 3> block{1, 1, 1};
  bool reassociate = false;    // the order of floating-point sums may change
  bool assumeNoalias = false;  // no two pointers handed to a kernel overlap
  std::optional<std::set<std::string>> outputs =
      {};  // arrays that are read after the launch; nothing: all of them
  // Plans are measured and compared a launch at a time: none may do several iterations of a loop of the host.
  bool byLaunch = false;
  // Registers of a thread, where somebody can say or estimate it.
  analysis::RegisterOracle registers = {};
};

}  // namespace hone::passes
