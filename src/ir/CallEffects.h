// What calls do besides giving a value, be they of the platform's functions or of the user's.
#pragma once

#include "ir/Kernel.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

inline bool isPure(const Call& call) {
  return call.function ? call.function->isPure() : call.intrinsic->isPure();
}
inline bool writesMemory(const Call& call) {
  return call.function ? call.function->writesMemory : call.intrinsic->writesMemory();
}
inline bool synchronizes(const Call& call) {
  return call.function ? call.function->synchronizes : call.intrinsic->synchronizes();
}

// Whether all calls in an expression are.
inline bool isPure(const ExprPtr& e) {
  bool all = true;
  walkExprs(e, [&](const Expr& x) {
    const auto* call = x.as<Call>();
    all = all && (!call || isPure(*call));
  });
  return all;
}

}  // namespace hone::ir
