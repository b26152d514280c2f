// A region, or the part of one that becomes a kernel of its own, to kernels.
#pragma once

#include "acc/WorkRegion.h"

namespace hone::acc {

/// A variable of the region that several kernels use: it lies in the device's memory meanwhile.
struct CarriedVariable {
  ir::VarPtr var;
  int scratch = -1;  ///< into LoweredRegion::scratch
};

struct RegionPart {
  ir::StmtPtr body;
  frontend::AccConstruct construct = frontend::AccConstruct::Parallel;
  bool isWhole = true;  ///< of the region: its reductions and its number of gangs belong to it
  std::vector<CarriedVariable> carried;
};

/// Appends the part's kernels, and a kernel that finishes reductions over gangs behind them.
void makeKernels(const frontend::AccRegion& region, const frontend::AccUnit& unit, const RegionPart& part,
                 LoweredRegion& into);

/// A region's or routine's notes with trip counts numbered.
Notes notesOf(const frontend::AccNotes& notes, const frontend::AccRegion* region);

}  // namespace hone::acc
