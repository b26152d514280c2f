// The kernel whose threads do all steps of a group, with values that its steps hand on in registers.
#pragma once

#include "passes/StepFlow.h"

namespace hone::passes {

// A polynomial of p and Q, and of the digits where given, as an expression of one integer type.
class DigitExpr {
 public:
  ir::TypePtr type;
  int64_t count = 1;                  // size = count * groups
  ir::ExprPtr size, groups, divisor;  // divisor null: 1
  ir::ExprPtr group, low;             // null: not to be used
  ir::ExprPtr of(const affine::Poly& p) const;

 private:
  affine::Poly named(const affine::Poly& p) const;
};

// `name`: of the new kernel. Its parameters are the variables of the plan that it uses.
struct JoinedKernel {
  ir::KernelPtr kernel;
  std::vector<ir::ExprPtr> args;
};
JoinedKernel joinedKernel(const ir::Plan& plan, const std::vector<StepCode>& steps, const StepGroups& groups,
                          const StepFlow& flow, const std::string& name);

}  // namespace hone::passes
