// Arguments of a pass as numbers and names.
#pragma once

#include <optional>

#include "passes/recipe/Recipe.h"

namespace hone::passes {

// The argument of that name; nothing when it is not given.
std::optional<std::string> argument(const PassCall& call, const std::string& name);
// The same as a whole number of at least `least`. Throws hone::Error that shows the place in the recipe
// otherwise.
std::optional<int64_t> number(const PassCall& call, const std::string& name, int64_t least = 1);
// Arguments without a name, in order: arrays, accesses, loops.
std::vector<std::string> positional(const PassCall& call);
// Throws hone::Error unless the argument, when given, is one of the words.
std::string oneOf(const PassCall& call, const std::string& name,
                  const std::vector<std::string>& words);  // first word: the default

}  // namespace hone::passes
