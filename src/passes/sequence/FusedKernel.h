// The kernel whose threads do all steps of a group, with values that its steps hand on in registers.
#pragma once

#include "passes/sequence/LaunchFlow.h"

namespace hone::passes {

// `name`: of the new kernel. Its parameters are the variables of the plan that it uses.
struct FusedKernel {
  ir::KernelPtr kernel;
  std::vector<ir::ExprPtr> args;
};
FusedKernel fusedKernel(const ir::Plan& plan, const std::vector<LaunchCode>& steps,
                        const LaunchGroups& groups, const LaunchFlow& flow, const std::string& name);

}  // namespace hone::passes
