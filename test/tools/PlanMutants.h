// Plans with one change each: an operator, an index, a bound, a condition, a barrier. Most changes make a
// plan wrong, which verification must notice.
#pragma once

#include <random>
#include <string>

#include "ir/Plan.h"

namespace hone::test {

struct Mutant {
  ir::PlanPtr plan;
  std::string change;  // "comparison in the kernel: i < n becomes i <= n"
};

// Up to `count` different ones of what the plan does besides launching the original. `only` is the first word
// of their change ("test", "barrier"); empty: of all kinds.
std::vector<Mutant> mutantsOf(const ir::PlanPtr& plan, unsigned count, std::mt19937_64& engine,
                              const std::string& only = "");

}  // namespace hone::test
