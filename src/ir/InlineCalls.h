// Replaces calls of user functions by their bodies.
#pragma once

#include <functional>

#include "ir/Kernel.h"

namespace hone::ir {

// Inlines every call whose callee `wanted` accepts, innermost first. Early returns become a flag or
// structured ifs, never a goto. Parameters are replaced by the argument when that is a constant, a variable
// that the callee cannot change, or the address of a place that stays the same; others become locals. Calls
// of recursive functions stay calls, as do those in the step of a for whose body has a continue. Shared
// variables of a callee become the kernel's.
KernelPtr inlineCalls(const KernelPtr& kernel, const std::function<bool(const Function&)>& wanted);

// The usual choice: functions that touch memory other than the caller's own variables, coordinates or
// barriers.
bool touchesMachine(const Function& function);
// What those need who look at addresses: these, and functions of which an address may be made.
bool concernsAddresses(const Function& function);

}  // namespace hone::ir
