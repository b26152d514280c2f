// One thread does the work of several threads of the original, in lockstep: statement by statement, each for
// all of them.
#pragma once

#include "passes/edit/Names.h"
#include "passes/merge/ReplicaMasks.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

struct Replicated {
  ir::StmtPtr body;
  std::vector<std::string> loadedOnce;  // arrays with loads that several replicas share
};

// The body names its replica by the variables of `replicas`. What does not differ between replicas along an
// axis is done once for it; loops and choices that all take alike stay one; the rest stands in unrolled loops
// over the replicas, as long as possible; variables that live from one such loop to another become arrays.
// `exists` says by axis which replicas do, null where all do. `constants` names how many replicas there are
// along each axis.
Result<Replicated> replicate(const ir::Kernel& kernel, const Replicas& replicas,
                             const std::array<ir::ExprPtr, 3>& exists,
                             const std::array<ir::ConstantRole, 3>& constants);

// The first step of it, also for passes that keep the replicas as threads (`asThreads`): shared variables
// declared at the top, parameters that change made variables, returns that differ turned into jumps, guards
// split around loops and barriers, replicas asked whether they exist. Refuses where they cannot go in
// lockstep.
Result<ir::StmtPtr> prepareReplicas(const ir::Kernel& kernel, const Replicas& replicas,
                                    const std::array<ir::ExprPtr, 3>& exists, Names& names,
                                    bool asThreads = false);

// A shared array with a copy for each replica: leading dimensions for the axes of the mask.
ir::VarPtr withReplicas(const ir::VarPtr& var, AxisMask mask, const Replicas& replicas,
                        const std::array<ir::ConstantRole, 3>& constants);

}  // namespace hone::passes
