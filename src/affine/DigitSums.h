// Coordinates that only ever occur added up, as the digits of a number are (64 * group + 4 * thread +
// member), and together take every value from 0 on: one coordinate instead of three, which isl projects out
// with far less work.
#pragma once

#include "affine/KernelModel.h"

namespace hone::affine {

struct DigitSums {
  std::vector<int64_t> counts;  // sum k takes the values 0 to counts[k] - 1, each independently of the others
  // What stands for a coordinate: multiples of sums, as pairs of sum and factor; empty: 0.
  std::map<AtomId, std::vector<std::pair<size_t, int64_t>>> stands;
  std::vector<LoopId> loops;  // whose counters are replaced: their bounds are part of the sums
};

// Of the subscripts, guard and loops of an access, over the coordinates that `own` names except the counter
// of loop `kept`. The values that the subscripts take under the guard are the same before and after.
DigitSums digitSums(const KernelModel& model, const Access& access, const std::vector<Poly>& subscripts,
                    const Variation& own, LoopId kept = {});

// The iterations of a loop that counts in equal steps, where they are a number; fewer where it may end early.
std::optional<int64_t> iterationsOf(const Loop& loop);

}  // namespace hone::affine
