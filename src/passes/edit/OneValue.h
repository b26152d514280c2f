// Before: `int rest = i % n; … rest = rest % m; …`. After: a variable for each of the values.
#pragma once

#include <functional>

#include "ir/Kernel.h"

namespace hone::passes {

// The kernel's body, every statement of which is a node of its own, with a variable for each value that a
// whole number of the thread's own is assigned. Of those that `wanted` asks for by what they are declared as,
// where it is clear at each use which of the values it is: none is assigned in a loop around which it lives
// on, nor in a branch behind which it is used.
ir::StmtPtr withOneValueEach(const ir::Kernel& kernel,
                             const std::function<bool(const ir::ExprPtr& declaredAs)>& wanted);

}  // namespace hone::passes
