// Recipes from text.
#pragma once

#include <string_view>

#include "passes/recipe/Recipe.h"

namespace hone::passes {

// Throws hone::Error, showing the place where that helps, for text that is no recipe, for a pass that does
// not exist, naming the nearest, and for arguments that it does not take. `notes` gets a sentence about each
// old name.
Recipe parseRecipe(std::string_view text, std::vector<std::string>* notes = nullptr);

}  // namespace hone::passes
