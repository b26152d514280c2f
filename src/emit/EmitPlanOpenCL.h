// A plan as OpenCL C: new kernels under a comment that tells the host how to enqueue them.
#pragma once

#include "emit/EmitPlan.h"

namespace hone::emit {

PlanText emitPlanOpenCL(const ir::Plan& plan, const PlanSite& site, const EmitOptions& options);

}  // namespace hone::emit
