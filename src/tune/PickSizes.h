// Classes of sizes from what was measured, each with the fastest variant that is right, and the plan that
// tells them apart at the launch.
#pragma once

#include "tune/SizeSet.h"
#include "tune/SizedKernel.h"

namespace hone::tune {

struct SizeRow {
  std::string sizes;       // "h=1024, w=1024"
  double original = 0;     // microseconds
  double spread = 0;       // of the original, as a part of it
  double chosen = 0;       // of the class that the size falls into
  double best = 0;         // of all that was measured there
  std::string className;   // "small"; "the original"
  std::string bestRecipe;  // empty: the original
  size_t variant = 0;      // of the class, among those that were measured; 0: the original
};

struct PickedSizes {
  std::vector<SizeRow> rows;
  std::vector<std::string> classes;   // "small, m <= 1448: block(x=32)"
  std::vector<std::string> rejected;  // recipes that were fast and wrong at other sizes
  std::string reason;                 // why the kernel stays as it is; empty: it does not
  std::string range;                  // which sizes were not measured
  std::string checked;                // what the embedded device has run of the dispatch
  ir::PlanPtr plan;                   // null: the kernel stays as it is
  std::vector<passes::Remark> remarks;
  double speedup = 1;  // over the sizes
};

// A maker of cases at a point that was not measured.
using MakerAt = std::function<std::shared_ptr<const device::CaseMaker>(const SizePoint&)>;

// Verifies what it picks, and that the dispatch takes the class that is meant at every size and on both sides
// of every test. Throws hone::Error where it does not.
PickedSizes pickSizes(const SizedKernel& sized, const MakerAt& makerAt, const sim::RunOptions& run,
                      const TuneListener& listener);

}  // namespace hone::tune
