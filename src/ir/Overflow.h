// Tests that the host makes before a launch compute in 64 bits with a sign. Whether they can outgrow that,
// and what is tested before them so that they do not.
#pragma once

#include <map>

#include "ir/Kernel.h"

namespace hone::ir {

// Whether 64-bit signed arithmetic, a conversion to it or an address below this condition can leave its range
// for some values of parameters and some launch for which all parts that && joins hold.
bool mayOverflow(const ExprPtr& condition);

// The condition with bounds of the variables before the parts that may overflow, so that these are worked out
// only where they cannot. Parts that no bounds help, of operations of which nothing is known, stay as they
// are.
ExprPtr withoutOverflow(const ExprPtr& condition);
// Whether a test is such a bound.
bool isLimit(const ExprPtr& test);

// A test that an unsigned variable of 64 bits is the same number as a signed one; null where there is no
// need.
ExprPtr asSigned(const ExprPtr& variable);

// Whether signed arithmetic of a kernel that uses these parameters, or what is made of them, may leave its
// type where they have these values: what such a kernel does nobody can say.
bool mayOverflowAt(const Kernel& kernel, const std::map<std::string, int64_t>& values);

}  // namespace hone::ir
