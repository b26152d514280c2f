// The debug dump: one line per statement, types shown, hints in brackets. For people and tests, not parsed
// back.
#pragma once

#include "ir/Kernel.h"
#include "ir/Plan.h"

namespace hone::ir {

std::string dump(const Kernel& kernel);
std::string dump(const Function& function);
std::string dump(const Module& module);
std::string dump(const Plan& plan);
std::string dump(const ExprPtr& e);
std::string dump(const StmtPtr& s);

}  // namespace hone::ir
