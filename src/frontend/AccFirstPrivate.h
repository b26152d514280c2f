// Clang 22 crashes on firstprivate of an array of several dimensions, so that such a file is parsed with
// `private` in its place, and the clauses that were firstprivate are known by a comment in them.
#pragma once

#include <string>

#include "clang/AST/OpenACCClause.h"
#include "clang/Basic/SourceManager.h"

namespace hone::frontend {

/// The text, as long as it was, with every `firstprivate` another word; empty where there is none.
std::string withoutFirstPrivate(const std::string& text);

/// Whether the clause is one of these.
bool wasFirstPrivate(const clang::OpenACCClause& clause, const clang::SourceManager& sources);

}  // namespace hone::frontend
