// What every well-formed kernel and plan satisfies. Runs after every pass in debug builds and tests.
#pragma once

#include "ir/Kernel.h"
#include "ir/Plan.h"

namespace hone::ir {

// Each string names one violated rule and where; empty: well formed. The rules are listed in Verify.cpp.
std::vector<std::string> verify(const Kernel& kernel);
std::vector<std::string> verify(const Function& function);
std::vector<std::string> verify(const Plan& plan);

}  // namespace hone::ir
