// Recipes as they stand on the command line, in stores and in bundles.
#pragma once

#include <string>

#include "passes/recipe/Recipe.h"

namespace hone::cli {

// Old names in it are noted on stderr, each once. Throws hone::Error for what is no recipe.
passes::Recipe givenRecipe(const std::string& text);

}  // namespace hone::cli
