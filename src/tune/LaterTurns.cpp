#include "tune/LaterTurns.h"

#include "device/Judge.h"
#include "ir/Error.h"

namespace hone::tune {

LaterTurns::LaterTurns(const device::CaseMaker& caseMaker, const ir::PlanPtr& plan,
                       const target::Target& target, const PlanEstimator& first)
    : maker(caseMaker), original(plan), machine(target), base(first) {}

void LaterTurns::setUp() {
  if (isSetUp) return;
  isSetUp = true;
  using Turn = device::HostText::Turn;
  const device::Case& first = base.usedCase();
  // As many turns are near the one in the middle as near both ends.
  for (const auto& [turn, weight] : {std::pair(Turn::Middle, 2.0), std::pair(Turn::Last, 1.0)}) try {
      device::CaseWish wish = sizesToRank(maker);
      wish.turn = turn;
      const device::Case c = maker.make(wish);
      if (device::changedNumbers(first, c).empty() && c.grid == first.grid) continue;
      LaterTurn one;
      one.estimator =
          std::make_unique<PlanEstimator>(maker, original, machine, std::map<std::string, int64_t>(), turn);
      const PlanEstimate estimate = one.estimator->of(original);
      one.estimator->release();
      if (!estimate.isKnown()) continue;
      one.seconds = estimate.seconds;
      one.weight = weight;
      turns.push_back(std::move(one));
    } catch (const Error&) {
      continue;  // no launch has these numbers
    }
}

std::optional<double> LaterTurns::gain(const ir::PlanPtr& plan, double before, double after) {
  setUp();
  if (turns.empty()) return std::nullopt;
  for (const LaterTurn& turn : turns) {
    const PlanEstimate estimate = turn.estimator->of(plan);
    turn.estimator->release();
    if (!estimate.isKnown()) return 0.0;
    before += turn.weight * turn.seconds;
    after += turn.weight * estimate.seconds;
  }
  return before / after;
}

std::string LaterTurns::last() const {
  if (turns.empty()) return "";
  return device::sizesText(device::changedNumbers(base.usedCase(), turns.back().estimator->usedCase()));
}

}  // namespace hone::tune
