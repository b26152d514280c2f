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

/// What brackets behind an array or pointer lead to; null: it is neither.
clang::QualType typeIn(clang::QualType type);
/// The first of an array's innermost elements; of what is no array, the text itself.
std::string elementText(clang::QualType type, std::string text);

/// The expression under parentheses and what Clang adds.
const clang::Expr* plain(const clang::Expr* e);

}  // namespace hone::frontend
