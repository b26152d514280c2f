// A launch in a loop of the host has other numbers in each turn: what gains in the first may lose over all.
#pragma once

#include "tune/EstimatePlan.h"

namespace hone::tune {

class LaterTurns {
 public:
  // `first` is of the first turn, and outlives it.
  LaterTurns(const device::CaseMaker& maker, const ir::PlanPtr& original, const target::Target& target,
             const PlanEstimator& first);

  // How many times as fast a plan is over all turns, by the first, one in the middle and the last, where it
  // takes `after` in place of `before` seconds in the first. None: each turn is like the first, or nothing is
  // known of the others.
  std::optional<double> gain(const ir::PlanPtr& plan, double before, double after);
  // The numbers of the last turn that are others than in the first: "t=62".
  std::string last() const;

 private:
  struct LaterTurn {
    std::unique_ptr<PlanEstimator> estimator;
    double seconds = 0;  // of the original
    double weight = 1;
  };
  void setUp();

  const device::CaseMaker& maker;
  const ir::PlanPtr original;
  const target::Target& machine;
  const PlanEstimator& base;
  std::vector<LaterTurn> turns;
  bool isSetUp = false;
};

}  // namespace hone::tune
