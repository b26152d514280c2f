// Patterns of names: `*`, `?`, `[a-z]` and, across folders, `**`.
#pragma once

#include <string>

namespace hone::cli {

// What is wrong with a pattern; empty: nothing.
std::string globProblem(const std::string& pattern);

// `*` and `?` stand for anything but a slash; `**` for anything, and `**/` also for nothing. A pattern that
// ends in a slash means all that is below that folder.
bool globMatches(const std::string& pattern, const std::string& name);

}  // namespace hone::cli
