#include "analysis/Coverage.h"

#include <algorithm>

#include "affine/ElementSets.h"

namespace hone::analysis {

using namespace affine;

IterationCoverage coveredInIteration(const KernelModel& model, const std::vector<AccessId>& reads,
                                     const std::vector<AccessId>& writes, LoopId loop) {
  IterationCoverage out;
  if (reads.empty()) return {true, ""};
  if (writes.empty()) return {false, "it is not written in the loop"};
  // How often this loop and those around it run is the same for both sides, so it may be left aside, and need
  // not be known.
  KernelModel inside = model;
  std::vector<LoopId> around;
  for (LoopId outer = loop; outer.isSome(); outer = model.loops[outer].parent) around.push_back(outer);
  for (const std::vector<AccessId>& list : {reads, writes})
    for (const AccessId access : list)
      std::erase_if(inside.accesses[access].loops,
                    [&](LoopId l) { return std::find(around.begin(), around.end(), l) != around.end(); });
  ElementSets sets(inside);
  for (const std::vector<AccessId>& list : {reads, writes})
    for (const AccessId access : list)
      if (!sets.isKnown(access))
        return {false, "the address of " + model.accesses[access].handle + " is not understood"};
  // Threads and the loops inside are each access's own; the iteration of this loop and of those around it is
  // one for all.
  Variation own = threadsAndLoops();
  for (const LoopId outer : around) own.loops &= ~loopBit(outer);
  const Point reader{"@r", own}, writer{"@w", own};
  auto answer = sets.budget.answer([&] {
    sets.relations.start();
    const isl::set written = sets.touched(writes, writer);
    if (sets.relations.exactness() != Exactness::Exact) {
      out.reason = sets.relations.reason();
      return false;
    }
    // Sizes that only the writes mention are still what they can be.
    const isl::set sizes = sets.relations.withRanges(written.params().space().universe_set());
    const isl::set read = sets.touched(reads, reader).intersect_params(sizes);
    return sets.relations.withRanges(read).is_subset(written);
  });
  out.isCovered = answer.value_or(false);
  if (!answer) out.reason = "too complex";
  if (!out.isCovered && out.reason.empty()) out.reason = "some elements are written in some iterations only";
  return out;
}

}  // namespace hone::analysis
