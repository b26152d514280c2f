// A recipe is an ordered list of calls of passes with arguments, which people write as a line of text:
// `stage(a, b) merge-threads(x=8, y=8) prefetch` (ParseRecipe.h).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace hone::passes {

struct Pass;
struct PassParameter;

// A number; or a word, a name, a handle such as a#2 or L1.2.
using ArgumentValue = std::variant<int64_t, std::string>;

struct Argument {
  const PassParameter* parameter = nullptr;
  ArgumentValue value;
  std::string name = {};  // whose number it is, where the parameter takes numbers for any name
  bool operator==(const Argument&) const = default;
};

struct PassCall {
  const Pass* pass = nullptr;
  std::vector<Argument> arguments = {};  // as they were given
  bool operator==(const PassCall&) const = default;
};

struct Recipe {
  std::vector<PassCall> calls = {};
  bool isIdentity() const { return calls.empty(); }
  bool has(const Pass& pass) const;
  bool operator==(const Recipe&) const = default;
};

// In canonical form: one blank between passes, ", " between arguments.
std::string str(const ArgumentValue& value);
std::string str(const PassCall& call);
std::string str(const Recipe& recipe);

}  // namespace hone::passes
