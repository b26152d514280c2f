// What Clang says of OpenACC pragmas and hone takes another way.
#pragma once

#include <string>

#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/SourceManager.h"
#include "frontend/ParseSource.h"

namespace hone::frontend {

/// How grave a diagnostic is in a file with OpenACC. A cache directive that Clang drops is a hint all the
/// same; reductions with `-` are taken as sums, as other compilers do; reductions of complex numbers, of
/// arrays of arrays and of structs with arrays are left to the host; a routine directive that names overloads
/// is left out.
Severity accSeverity(Severity severity, llvm::StringRef text, clang::SourceLocation at,
                     const clang::SourceManager& sources);

/// What was asked for, where the diagnostic says that Clang left a reduction out that OpenACC allows; else
/// empty.
const char* whyUnread(const Diagnostic& diagnostic);

}  // namespace hone::frontend
