#pragma once

#include "ir/Build.h"

namespace hone::passes {

// A comment of the result.
inline ir::StmtPtr say(std::string text) { return ir::makeStmt(ir::Comment{std::move(text)}); }

}  // namespace hone::passes
