// The configuration of cudaLaunchKernelEx.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace hone::frontend {

/// The variable whose address `pointer` is, where it is known to hold grid, block, shared memory and stream
/// and no attributes: a local one that the function sets field by field and hands to such launches only.
/// Null: it may hold more.
const clang::VarDecl* plainConfiguration(const clang::Expr& pointer, const clang::FunctionDecl& inside);

}  // namespace hone::frontend
