// Formats of device printf: their conversions, and what a call gives back.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/Expr.h"

namespace hone::ir {

struct Conversion {
  size_t begin = 0, end = 0;  // within the format
  unsigned stars = 0;         // widths and precisions that arguments before its own give
  std::string text;           // "%-5s"
};
// The first conversion that begins at `from` or behind it and takes an argument; none: the rest is text.
std::optional<Conversion> nextConversion(const std::string& format, size_t from);

// The format of a printf with its string literals printed into it, and the other arguments.
std::pair<std::string, std::vector<ExprPtr>> withTexts(const Call& printf);

// What CUDA's printf returns: arguments of the conversions that it parses, widths included. It passes over
// those with a precision from an argument and with the sizes hh, z, j and t.
int argumentsParsed(const std::string& format);

}  // namespace hone::ir
