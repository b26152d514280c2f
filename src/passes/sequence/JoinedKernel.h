// The kernel whose threads do all steps of a group, with values that its steps hand on in registers.
#pragma once

#include "passes/sequence/StepFlow.h"

namespace hone::passes {

// `name`: of the new kernel. Its parameters are the variables of the plan that it uses.
struct JoinedKernel {
  ir::KernelPtr kernel;
  std::vector<ir::ExprPtr> args;
};
JoinedKernel joinedKernel(const ir::Plan& plan, const std::vector<StepCode>& steps, const StepGroups& groups,
                          const StepFlow& flow, const std::string& name);

}  // namespace hone::passes
