// Line numbers of copies: what compilers, debuggers and profilers say of a copy names the user's file and
// line.
#pragma once

#include <map>
#include <string>

namespace hone::cli {

// A file that hone wrote marked blocks into, for compilers: without the marks, with `#line` so that each line
// of the user has its own number in `name` and each statement of hone's that of the one it came from (notes
// as of emit::EmitOptions::lineNotesOf; before the first, the line that `kernelLines` has for the kernel's
// name). Statements of hone's stand on one line each.
std::string withLineMarks(const std::string& text, const std::string& name,
                          const std::map<std::string, unsigned>& kernelLines);

}  // namespace hone::cli
