#include "device/Coverage.h"

#include <algorithm>

#include "ir/Build.h"
#include "ir/Error.h"
#include "ir/PlanWalk.h"

namespace hone::device {

using namespace ir;
using sim::Instr;
using sim::Op;

namespace {

bool writesMemory(const Instr& i) {
  return (i.op == Op::Store || i.op == Op::Atomic) && i.space != sim::MemorySpace::Local &&
         i.space != sim::MemorySpace::Shared;
}

// Ends and joins of control flow are nobody's statement.
bool isStatement(const Instr& i) {
  return !(i.op >= Op::If && i.op <= Op::Exit) && i.op != Op::MarkUnset && i.op != Op::MarkSet &&
         i.op != Op::CheckSet && i.op != Op::Assert;
}

}  // namespace

Coverage::Coverage(const Plan& plan, const KernelPtr& original, Programs& programs) {
  const std::vector<const LaunchStep*> launches = launchesOf(plan, Branches::All);
  const bool hasOther = std::any_of(launches.begin(), launches.end(),
                                    [&](const LaunchStep* launch) { return launch->kernel != original; });
  const auto gather = [&](Branches branches, std::set<const sim::Program*>& out) {
    for (const LaunchStep* launch : launchesOf(plan, branches)) {
      if (hasOther && launch->kernel == original) continue;
      try {
        out.insert(&programs.of(launch->kernel));
      } catch (const Error&) {
        continue;  // its run says why
      }
    }
  };
  gather(Branches::All, changed);
  gather(Branches::Fast, fast);
  walkSteps(plan, Branches::All, [this](const Step& step) {
    if (const auto* choice = std::get_if<ChoiceStep>(&step))
      for (const ExprPtr& test : conjuncts(choice->cond))
        if (!constantValue(test)) tests.push_back(test);
  });
}

bool Coverage::isFast(const Bits& bits) const {
  return std::any_of(bits.begin(), bits.end(), [&](const auto& one) { return fast.contains(one.first); });
}

LaunchHooks Coverage::begin() {
  now.clear();
  blocksNow = {};
  return {.before =
              [this](const sim::Program& program, const sim::LaunchConfig& config, sim::RunOptions& options) {
                if (changed.contains(&program)) options.executed = &now[&program];
                if (fast.contains(&program))
                  for (size_t axis = 0; axis < 3; ++axis)
                    blocksNow[axis] = std::max(blocksNow[axis], config.grid[axis]);
              },
          .after = {}};
}

bool Coverage::take(const PlanResult& run) {
  bool isMore = false;
  for (size_t axis = 0; axis < 3; ++axis) {
    isMore |= blocks[axis] < 2 && blocksNow[axis] >= 2;
    blocks[axis] = std::max(blocks[axis], blocksNow[axis]);
  }
  for (const auto& [condition, holds] : run.choices) {
    unsigned& seen = sides[condition];
    const unsigned side = holds ? 2 : 1;
    isMore |= (seen & side) == 0;
    seen |= side;
  }
  for (const auto& [test, holds] : run.tests) testSides[test] |= holds ? 2 : 1;
  for (const auto& [program, bits] : now) {
    std::vector<uint8_t>& all = reached[program];
    all.resize(std::max(all.size(), bits.size()));
    for (size_t pc = 0; pc < bits.size(); ++pc) {
      isMore |= bits[pc] && !all[pc];
      all[pc] |= bits[pc];
    }
  }
  now.clear();
  return isMore;
}

bool Coverage::stored() const {
  return std::any_of(reached.begin(), reached.end(), [this](const auto& one) {
    if (!fast.contains(one.first)) return false;
    for (size_t pc = 0; pc < one.second.size(); ++pc)
      if (one.second[pc] && (writesMemory(one.first->code[pc]) || one.first->code[pc].op == Op::CallMachine))
        return true;
    return false;
  });
}

std::vector<Unreached> Coverage::unreached() const {
  std::map<std::pair<std::string, unsigned>, bool> places;
  for (const sim::Program* program : changed) {
    const auto bits = reached.find(program);
    bool isNew = true;  // the instruction before was executed
    std::pair<std::string, unsigned> place;
    for (size_t pc = 0; pc < program->code.size(); ++pc) {
      if (bits != reached.end() && pc < bits->second.size() && bits->second[pc]) {
        isNew = true;
        continue;
      }
      const sim::Location at = program->at(static_cast<uint32_t>(pc));
      if (at.line == 0 || !isStatement(program->code[pc])) continue;
      if (isNew) place = {program->file(at), at.line};
      isNew = false;
      places[place] |= writesMemory(program->code[pc]);
    }
  }
  std::vector<Unreached> out;
  for (const auto& [place, stores] : places) out.push_back({place.first, place.second, stores});
  return out;
}

std::vector<OneSidedTest> Coverage::oneSidedTests() const {
  std::vector<OneSidedTest> out;
  for (const ExprPtr& test : tests) {
    const auto seen = testSides.find(test.get());
    if (seen == testSides.end()) out.push_back({test, false, false});
    if (seen != testSides.end() && seen->second != 3) out.push_back({test, seen->second == 2});
  }
  return out;
}

unsigned Coverage::oneSided(unsigned side) const {
  return static_cast<unsigned>(
      std::count_if(sides.begin(), sides.end(), [&](const auto& one) { return one.second == side; }));
}

}  // namespace hone::device
