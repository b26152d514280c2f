// A recipe is a line of text, an ordered list of passes with parameters: `stage(a,b) merge-threads(x=8, y=8)
// prefetch`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::passes {

struct Argument {
  std::string name;   // empty for a positional one
  std::string value;  // a word: a number, a name, or a handle such as a#2 or L1.2
};

struct PassCall {
  std::string name;
  std::vector<Argument> arguments;
  size_t column = 0;  // where the name stands in the recipe, from 0
};

struct Recipe {
  std::string text;  // as given
  std::vector<PassCall> calls;
  bool isIdentity() const { return calls.empty(); }
};

// Reads a recipe; the names of passes are not looked up. Old names of passes and parameters become those of
// today, and a sentence about each is added to `notes`. Throws hone::Error that shows the place.
Recipe parseRecipe(std::string_view text, std::vector<std::string>* notes = nullptr);

// The recipe in its canonical form: one blank between passes, ", " between arguments.
std::string str(const Recipe& recipe);

// The message with the recipe and a caret under `column` below it.
std::string atColumn(std::string_view recipe, size_t column, std::string_view message);

}  // namespace hone::passes
