// Statements of the host that nobody misses while CUDA reports no error: checks for errors.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace hone::frontend {

/// Whether a statement does nothing as long as CUDA's calls that tell of errors answer cudaSuccess: such a
/// call alone, or tested by conditions, macros and functions whose bodies are in sight. What they do in the
/// other case does not matter.
bool isQuiet(const clang::Stmt& s, const clang::ASTContext& context);

}  // namespace hone::frontend
