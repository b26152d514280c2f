#include "frontend/PtxText.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace hone::frontend::ptx {

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(uint8_t(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(uint8_t(text.back()))) text.remove_suffix(1);
  return std::string(text);
}

Words split(std::string_view text, char separator) {
  Words out;
  int depth = 0;
  std::string word;
  for (char c : text) {
    depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    if (c == separator && depth == 0) {
      out.push_back(trimmed(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (!trimmed(word).empty()) out.push_back(trimmed(word));
  return out;
}

Words instructions(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool isLine = text.compare(i, 2, "//") == 0, isBlock = text.compare(i, 2, "/*") == 0;
    if (!isLine && !isBlock) {
      plain += text[i];
      continue;
    }
    const size_t end = text.find(isLine ? "\n" : "*/", i + 2);
    if (end == std::string_view::npos) {
      if (isBlock) plain += text.substr(i);  // not closed: shown as what it is, an instruction nobody knows
      break;
    }
    i = isLine ? end : end + 1;
    plain += ' ';
  }
  Words out;
  std::string word;
  for (char c : plain + ";") {
    const std::string done = trimmed(word);
    if (c == ';') {
      if (!done.empty()) out.push_back(done);
      word.clear();
    } else if ((c != '{' && c != '}') || !done.empty()) {
      word += c;
    }
  }
  return out;
}

bool has(const Words& parts, std::string_view word) { return std::ranges::find(parts, word) != parts.end(); }

bool isShared(const Words& parts) { return has(parts, "shared") || has(parts, "shared::cta"); }

namespace {

std::optional<uint64_t> digitsOf(std::string_view digits, int base) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<uint64_t> wholeNumber(const std::string& word) {
  std::string_view digits = word;
  const bool isNegative = digits.starts_with('-');
  if (isNegative) digits.remove_prefix(1);
  if (digits.ends_with('U')) digits.remove_suffix(1);
  std::optional<uint64_t> value;
  if (digits.starts_with("0x") || digits.starts_with("0X"))
    value = digitsOf(digits.substr(2), 16);
  else if (digits.size() > 1 && digits.starts_with('0'))
    value = digitsOf(digits.substr(1), 8);
  else
    value = digitsOf(digits, 10);
  if (value && isNegative) value = 0 - *value;
  return value;
}

std::optional<uint64_t> hexadecimal(const std::string& digits) { return digitsOf(digits, 16); }

ir::TypePtr typeNamed(const std::string& name) {
  if (name == "pred") return ir::boolType();
  const auto width = name.empty() ? std::nullopt : digitsOf(std::string_view(name).substr(1), 10);
  if (!width || (*width != 8 && *width != 16 && *width != 32 && *width != 64)) return nullptr;
  switch (name[0]) {
    case 'f': return *width == 8 ? nullptr : ir::floatType(unsigned(*width));
    case 's': return ir::intType(unsigned(*width), true);
    case 'u':
    case 'b': return ir::intType(unsigned(*width), false);
    default: return nullptr;
  }
}

}  // namespace hone::frontend::ptx
