// The passes that a recipe can name. To add one: its files, and one line in Registry.cpp.
#pragma once

#include <span>
#include <string_view>

#include "passes/recipe/Pass.h"

namespace hone::passes {

std::span<const Pass* const> allPasses();
const Pass* findPass(std::string_view name);

// What all of them propose at a level, in the order in which they are asked.
const std::vector<const Proposer*>& proposersAt(Level level);

}  // namespace hone::passes
