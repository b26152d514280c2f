// A recipe as people and stores write it, before passes and parameters are looked up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::passes {

struct ArgumentText {
  std::string name;   // empty for a positional one
  std::string value;  // a word
};

struct CallText {
  std::string name;
  std::vector<ArgumentText> arguments;
  size_t column = 0;  // where the name stands in the recipe, from 0
};

// Old names of passes and parameters become those of today, and a sentence about each is added to `notes`.
// Throws hone::Error that shows the place.
std::vector<CallText> splitRecipe(std::string_view text, std::vector<std::string>* notes = nullptr);

// The message with the recipe and a caret under `column` below it.
std::string atColumn(std::string_view recipe, size_t column, std::string_view message);

}  // namespace hone::passes
