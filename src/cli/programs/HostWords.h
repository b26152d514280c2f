// Words for the host's compiler (-Xcompiler, and those that nvcc does not know), as Clang takes them.
#pragma once

#include <string>
#include <vector>

#include "cli/programs/BuildProgram.h"

namespace hone::cli {

// -M and the words that go with it; `value` is that of -MF, -MT, -MQ. False: another word.
bool addDependencyWord(BuildRequest& request, const std::string& name, const std::string& value);

void addLibrary(BuildRequest& request, const std::string& name);

// Adds what the words ask for, and gives those back that are not known.
std::vector<std::string> addHostWords(BuildRequest& request, const std::vector<std::string>& words);

}  // namespace hone::cli
