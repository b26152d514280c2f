// Replaces calls of user functions by their bodies.
#pragma once

#include <functional>

#include "ir/Kernel.h"

namespace hone::ir {

// Inlines every call whose callee `wanted` accepts, innermost first. Early returns become a flag or structured ifs, never
// a goto. Pointer parameters are replaced by the argument when it is a plain variable or address of one.
KernelPtr inlineCalls(const KernelPtr& kernel, const std::function<bool(const Function&)>& wanted);

// The usual choice: functions that touch memory through pointers, coordinates or barriers.
bool touchesMachine(const Function& function);

}  // namespace hone::ir
