#pragma once

#include <set>
#include <string>

namespace hone::cli {

// The identifiers in a text, comments and literals left out.
std::set<std::string> codeWords(const std::string& text);

}  // namespace hone::cli
