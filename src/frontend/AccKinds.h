// Kinds of clauses, without their older names; for the files behind AccReader.
#pragma once

#include <optional>

#include "clang/AST/OpenACCClause.h"
#include "frontend/AccUnit.h"

namespace hone::frontend {

/// copy for pcopy and present_or_copy, and so on.
clang::OpenACCClauseKind canonicalKind(clang::OpenACCClauseKind kind);

/// Nothing for what is no data clause; `self` is that of update, whose operands are variables.
std::optional<AccDataKind> dataKindOf(clang::OpenACCClauseKind kind);

/// The variables that a clause lists; none where it lists none.
llvm::ArrayRef<clang::Expr*> operandsOf(const clang::OpenACCClause& clause);

}  // namespace hone::frontend
