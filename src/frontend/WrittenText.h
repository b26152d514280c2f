// Text as it stands in a file, also where a macro repeats it.
#pragma once

#include "frontend/Importer.h"

namespace hone::frontend {

/// The place in a file of what stands there, be it as the argument of a macro; not valid: a macro makes it.
clang::SourceLocation writtenAt(const UnitImporter& unit, clang::SourceLocation at);

/// As written, also where all of it comes out of a macro: `THREADS`, not what that stands for.
std::string writtenText(const UnitImporter& unit, clang::SourceRange range);

/// From a `<` to the `>` that closes it; empty where a macro makes one of them.
std::string writtenAngles(const UnitImporter& unit, clang::SourceLocation opening);

}  // namespace hone::frontend
