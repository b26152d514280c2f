// The functions with which a host program enqueues OpenCL kernels and what plans make of them, and the header
// they stand in.
#pragma once

#include "emit/EmitPlan.h"
#include "emit/PlanKernels.h"

namespace hone::emit {

// The function that stands for an enqueued `original`; it has the arguments of clEnqueueNDRangeKernel with a
// program in place of the kernel, then those of the kernel.
EnqueueText enqueueFunction(const ir::Plan& plan, const PlanKernels& kernels, const std::string& original);
// The same for a kernel that stays as it is.
EnqueueText enqueueFunction(const ir::KernelPtr& kernel);

// A header of OpenCL 1.2 for C99 and C++ with these functions; `source` names the file of the kernels.
std::string enqueueHeader(const std::vector<EnqueueText>& functions, const std::string& source);

// A C file that includes such a header and hands its functions to the OpenCL layer
// (capture/OpenclReplace.cpp), which has arguments as clSetKernelArg was given them.
std::string replacementSource(const std::vector<EnqueueText>& functions, const std::string& header);

}  // namespace hone::emit
