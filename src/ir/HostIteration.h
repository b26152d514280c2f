// What a loop of the host does from one launch of a kernel to the next, where it does nothing else that
// matters: the front end finds it (frontend/HostLoops.h), the pass `unroll-host-loop` makes several launches
// of one call with it.
//   for (int p = 1; p < n; p *= 2) { step<<<g, b>>>(in, out, n, p); std::swap(in, out); }
// has next p * 2, args (out, in, n, p * 2) and again p * 2 < n.
#pragma once

#include "ir/Plan.h"
#include "ir/Substitute.h"

namespace hone::ir {

// Expressions are over the values of this iteration: the kernel's parameters and `others`.
struct HostIteration {
  VarPtr counter;              // of the loop: a parameter of the kernel or one of `others`
  ExprPtr first;               // hint: the counter of the first iteration; null: not known
  ExprPtr next;                // the counter of the next iteration
  std::vector<ExprPtr> args;   // what the next launch hands over, by parameter of the kernel
  ExprPtr again;               // whether there is a next launch
  std::vector<VarPtr> others;  // values of the host that the kernel is not handed: the launch function is
  // The host never looks at what lies in these arrays when an odd number of iterations has been done:
  // parameters whose arrays the loop exchanges with those that the launch writes. Later launches do: what
  // they read there must not depend on iterations that were left out.
  std::vector<VarPtr> unreadByHost;
};

// The values of the kernel's parameters and of the counter after so many iterations.
Substitution afterIterations(const Kernel& kernel, unsigned count);
// Whether so many launches are due, this one included; null: always.
ExprPtr iterationsDue(const Kernel& kernel, unsigned count);
// So many launches of the original, one after the other. The kernel must have an iteration where it is more
// than one.
PlanPtr repeatedPlan(const KernelPtr& kernel, unsigned count);

// Iterations that the longest way through the plan does, as Plan::iterations says; 0: it says nothing of
// them.
unsigned mostIterations(const Plan& plan);
// Whether some way through the plan does more than one iteration.
bool doesIterations(const Plan& plan);
// What a plan has to be compared with: the original launched as often as the plan says, under the same
// choices.
PlanPtr referencePlan(const Plan& plan);

}  // namespace hone::ir
