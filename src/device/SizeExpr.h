// Expressions in C's notation over names, as sizes, lengths and grids are given: "(n + 255) / 256", "w * h",
// "1 << 20".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hone::device {

struct Number {
  bool isReal = false;
  int64_t whole = 0;
  double real = 0;
  int64_t asWhole() const;  // reals are cut
  double asReal() const { return isReal ? real : static_cast<double>(whole); }
};
Number wholeNumber(int64_t value);
Number realNumber(double value);
std::string str(const Number& number);
// As a variable of an arithmetic type keeps it: "unsigned int", "short".
Number convertedTo(const std::string& type, const Number& number);

// Where an expression finds its names. Members are written in one name: "grid.x", "p->n" is asked for as
// "p.n".
struct Names {
  std::function<std::optional<Number>(const std::string&)> value;
  std::function<std::optional<Number>(const std::string&, std::span<const Number>)> call;  // may be empty
};

struct Evaluated {
  std::optional<Number> value;
  std::string problem;  // when there is no value: "there is no 'q'", "a number is missing at 'x'"
};

// min, max, abs, ceil, floor, sqrt, pow, log2 and sizeof of scalar types are known; casts to arithmetic types
// are understood.
Evaluated evaluate(std::string_view text, const Names& names);

// Splits at commas outside of parentheses; blanks around the parts are cut. Empty text has no parts.
std::vector<std::string> splitArguments(std::string_view text);

std::string trimmed(std::string_view text);
bool isName(std::string_view text);

}  // namespace hone::device
