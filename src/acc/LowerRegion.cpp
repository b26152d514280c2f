#include "acc/LowerRegion.h"

#include "acc/KernelMaker.h"
#include "acc/KernelsSplit.h"

namespace hone::acc {

using namespace ir;

std::vector<const Stmt*> loopsOf(const frontend::AccRegion& region, const frontend::AccNotes& notes) {
  std::vector<const Stmt*> result;
  walkStmts(region.body, [&](const Stmt& s) {
    if (notes.loops.contains(&s)) result.push_back(&s);
  });
  return result;
}

LoweredRegion lowerRegion(const frontend::AccRegion& region, const frontend::AccUnit& unit) {
  LoweredRegion result;
  if (!region.reason.empty()) {
    result.reason = region.reason;
    result.reasonLoc = region.reasonLoc;
    return result;
  }
  try {
    if (region.construct == frontend::AccConstruct::Kernels)
      splitKernels(region, unit, result);
    else
      makeKernels(region, unit, {region.body, region.construct, true, {}}, result);
  } catch (const Refused& refused) {
    result.kernels.clear();
    result.scratch.clear();
    result.apart.clear();
    result.reason = refused.reason;
    result.reasonLoc = refused.loc.valid() ? refused.loc : region.loc;
    result.isError = refused.isError;
  }
  return result;
}

}  // namespace hone::acc
