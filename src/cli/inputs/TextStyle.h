// How a file is laid out, so that what hone writes into it looks like the rest.
#pragma once

#include <string>

#include "emit/Emit.h"

namespace hone::cli {

struct TextStyle {
  unsigned indent = 2;
  bool useTabs = false;
  std::string newline = "\n";
};

// Guesses from the steps between lines' indentations and from the newlines.
TextStyle detectStyle(const std::string& text);

// Options to emit a body that stands at byte `at` of the text: style, and the level of the line it is on.
emit::EmitOptions emitOptionsAt(const std::string& text, size_t at, const TextStyle& style,
                                ir::Language language);

// 1-based line of a byte.
unsigned lineOf(const std::string& text, size_t at);

bool isHeaderName(const std::string& file);

// Where text behind a definition goes that ends at byte `end`: after a comment that ends its line.
size_t placeAfter(const std::string& text, size_t end);

// What must follow text that is put in at byte `at` and may end in a comment or a line of the preprocessor: a
// new line where more stands on this one.
std::string lineEndAt(const std::string& text, size_t at, const TextStyle& style);

// The indentation of the line that byte `at` stands on.
std::string indentationOf(const std::string& text, size_t at);

}  // namespace hone::cli
