// The values of the user's macros that a result was made for.
#pragma once

#include <set>

#include "emit/Emit.h"

namespace hone::emit {

// "static_assert(NX == 512, …);" for those of the macros whose values the kernel knows as numbers. A result
// relies on such values beyond the places where their names still stand, and macros can have other values
// when it is compiled. Empty: none.
std::string takenValues(const ir::Kernel& original, const std::set<std::string>& macros);

// emitBody with `opening` printed first, as it is.
EmitResult emitBodyAfter(const std::string& opening, const ir::Kernel& kernel, const EmitOptions& options);

}  // namespace hone::emit
