// Text and plain forms of expressions in pragmas; for the files behind AccReader.
#pragma once

#include <optional>
#include <string>

#include "frontend/Importer.h"

namespace hone::frontend {

/// Without comments and line breaks; space between tokens where there was any.
std::string onOneLine(llvm::StringRef text, const clang::LangOptions& language);

/// What stands for the tokens in the main file; nothing where a macro makes some of it or it stands
/// elsewhere.
std::optional<clang::CharSourceRange> rangeInMainFile(const UnitImporter& unit, clang::SourceRange range);

/// The expression under parentheses and what Clang adds.
const clang::Expr* plain(const clang::Expr* e);

}  // namespace hone::frontend
