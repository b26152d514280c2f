// Looks at the text of a source file before Clang does.
#pragma once

#include "frontend/ParseSource.h"

#include <string>
#include <string_view>
#include <vector>

namespace hone::frontend {

/// Reads a file into `contents`; returns a message when there is nothing to parse, else an empty string.
std::string readSource(const std::string& path, std::string& contents);

/// A message when the text cannot be source code, else an empty string.
std::string checkSource(const std::string& path, std::string_view contents);

/// The file names in the text's #include directives, conditional ones too.
std::vector<std::string> scanIncludes(std::string_view contents);

}  // namespace hone::frontend
