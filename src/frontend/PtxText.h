// The text of inline assembly taken apart: instructions, their words, numbers and types. Knows nothing of
// Clang.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/Type.h"

namespace hone::frontend::ptx {

using Words = std::vector<std::string>;

std::string trimmed(std::string_view text);
// The words between separators that stand outside of braces and brackets, trimmed.
Words split(std::string_view text, char separator);
// What stands between semicolons, without comments and the braces of a scope.
Words instructions(std::string_view text);
bool has(const Words& parts, std::string_view word);
// Of the block's own shared memory.
bool isShared(const Words& parts);

// A whole number in C's notation, with a sign or without (two's complement); nothing for anything else, or
// past 64 bits.
std::optional<uint64_t> wholeNumber(const std::string& word);
// The bits after 0f or 0d, as PTX writes floats exactly.
std::optional<uint64_t> hexadecimal(const std::string& digits);

// "u32", "f64", "pred"; null for what is none, or one that kernels in IR have no type for.
ir::TypePtr typeNamed(const std::string& name);

}  // namespace hone::frontend::ptx
