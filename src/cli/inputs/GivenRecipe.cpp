#include "cli/inputs/GivenRecipe.h"

#include <fmt/core.h>

#include <set>

#include "passes/recipe/ParseRecipe.h"

namespace hone::cli {

passes::Recipe givenRecipe(const std::string& text) {
  static std::set<std::string> told;
  std::vector<std::string> notes;
  passes::Recipe recipe = passes::parseRecipe(text, &notes);
  for (const std::string& note : notes)
    if (told.insert(note).second) fmt::print(stderr, "recipe: note: {}\n", note);
  return recipe;
}

}  // namespace hone::cli
