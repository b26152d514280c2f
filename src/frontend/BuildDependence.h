// What a kernel means in this build alone: text that #if chooses, macros and types with several definitions.
// New text is made from what this build sees, so it must be guarded, or another build would be silently
// wrong.
#pragma once

#include "frontend/Directives.h"
#include "frontend/Importer.h"

namespace hone::frontend {

/// Conditions under which what was read of the kernel holds ("W == 64"), for what keeps its name in new text.
/// Throws a Refusal where another build may give it a meaning that no such condition tells apart.
std::vector<ir::BuildCondition> buildConditions(const clang::FunctionDecl& fn, const ir::Kernel& kernel,
                                                UnitImporter& unit, Directives& directives);

}  // namespace hone::frontend
