// Plain text tables for the terminal.
#pragma once

#include <string>
#include <vector>

namespace hone::report {

// Columns as wide as their widest cell, two blanks between them; numbers flush right. The first row is the
// heading.
std::string table(const std::vector<std::vector<std::string>>& rows);

// Breaks text at blanks into lines of at most `width` columns, each after the first behind `indent` blanks.
std::string wrap(const std::string& text, size_t width, size_t indent);

}  // namespace hone::report
