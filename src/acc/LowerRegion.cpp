#include "acc/LowerRegion.h"

#include "acc/KernelMaker.h"
#include "acc/KernelsSplit.h"
#include "acc/WorkRegion.h"
#include "ir/Walk.h"

namespace hone::acc {

using namespace ir;

std::vector<const Stmt*> loopsOf(const frontend::AccRegion& region, const frontend::AccNotes& notes) {
  std::vector<const Stmt*> result;
  walkStmts(region.body, [&](const Stmt& s) {
    if (notes.loops.contains(&s)) result.push_back(&s);
  });
  return result;
}

namespace {

// Every call of a statement and of what it calls.
template <class Visit> void eachCall(const StmtPtr& s, std::set<const Function*>& seen, const Visit& visit) {
  walkExprs(s, [&](const Expr& e) {
    const auto* call = e.as<Call>();
    if (!call || !call->function) return;
    visit(*call, e.loc);
    if (call->function->body && seen.insert(call->function.get()).second)
      eachCall(call->function->body, seen, visit);
  });
}

void refuseCallsOfRefused(const frontend::AccRegion& region, const frontend::AccUnit& unit) {
  std::set<const Function*> seen;
  eachCall(region.body, seen, [&](const Call& call, const SourceLoc& loc) {
    auto routine = unit.routines.find(call.function.get());
    if (routine != unit.routines.end() && !routine->second.refused.empty())
      throw Refused{
          "it calls '" + call.function->name + "', which stays with the host: " + routine->second.refused,
          loc};
  });
}

}  // namespace

LoweredRegion lowerRegion(const frontend::AccRegion& region, const frontend::AccUnit& unit) {
  LoweredRegion result;
  if (!region.reason.empty()) {
    result.reason = region.reason;
    result.reasonLoc = region.reasonLoc;
    return result;
  }
  try {
    refuseCallsOfRefused(region, unit);
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
