// The macros that the text of a program or the command line of its compiler defines.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace hone::cli {

struct GivenFile;

std::set<std::string> givenMacros(const std::vector<GivenFile>& files);
// Of these, those that #if can compare with a number wherever they are defined.
std::set<std::string> arithmeticMacros(const std::vector<GivenFile>& files);

}  // namespace hone::cli
