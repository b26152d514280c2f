#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "emit/Emitter.h"

namespace hone::emit {

using namespace ir;

namespace {

bool isIdentifierText(const std::string& s) {
  return !s.empty() && (std::isalpha(static_cast<unsigned char>(s[0])) || s[0] == '_');
}

std::string lower(std::string s) {
  for (char& c : s) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

std::optional<LiteralMeaning> charMeaning(const std::string& s, Language language) {
  if (s.size() < 3 || s.back() != '\'') return {};
  std::string in = s.substr(1, s.size() - 2);
  int value = 0;
  if (in.size() == 1 && in[0] != '\\') {
    value = in[0];
  } else if (in.size() == 2 && in[0] == '\\') {
    const std::string from = "ntr0abfv\\'\"?", to("\n\t\r\0\a\b\f\v\\'\"?", 12);
    size_t i = from.find(in[1]);
    if (i == std::string::npos) return {};
    value = to[i];
  } else if (in.size() > 2 && in[0] == '\\') {  // \x41, \101
    const bool isHex = in[1] == 'x';
    const char* begin = in.data() + (isHex ? 2 : 1);
    auto [end, problem] = std::from_chars(begin, in.data() + in.size(), value, isHex ? 16 : 8);
    if (problem != std::errc() || end != in.data() + in.size() || value > 255) return {};
  } else {
    return {};
  }
  LiteralMeaning m;
  m.type = language == Language::Cuda ? charType() : int32();
  m.bits = static_cast<uint64_t>(static_cast<int64_t>(static_cast<signed char>(value)));
  return m;
}

std::optional<LiteralMeaning> floatMeaning(const std::string& s) {
  LiteralMeaning m;
  std::string digits = s;
  unsigned bits = 64;
  const bool isHex = digits.size() > 1 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  const size_t p = isHex ? digits.find_first_of("pP") : 0;
  const char last = digits.empty() ? 0 : digits.back();
  if ((last == 'f' || last == 'F') && p != std::string::npos)
    bits = 32;
  else if (last == 'h' || last == 'H')
    bits = 16;
  if (bits != 64) digits.pop_back();
  char* end = nullptr;
  m.number =
      bits == 32 ? static_cast<double>(std::strtof(digits.c_str(), &end)) : std::strtod(digits.c_str(), &end);
  if (digits.empty() || *end) return {};
  m.type = floatType(bits);
  return m;
}

std::optional<LiteralMeaning> intMeaning(const std::string& s, Language language) {
  std::string t;
  for (char c : lower(s)) {
    if (c != '\'')
      t += c;
    else if (language == Language::OpenCL)
      return {};  // C has no digit separators
  }
  int base = 10;
  size_t at = 0;
  if (t.size() > 1 && t[0] == '0') {
    if (t[1] == 'x')
      base = 16, at = 2;
    else if (t[1] == 'b')
      base = 2, at = 2;
    else
      base = 8, at = 1;
  }
  uint64_t value = 0;
  auto [ptr, problem] = std::from_chars(t.data() + at, t.data() + t.size(), value, base);
  if (problem == std::errc::result_out_of_range) return {};
  if (problem != std::errc() && (base != 8 || ptr != t.data() + at)) return {};
  std::string suffix = t.substr(static_cast<size_t>(ptr - t.data()));
  bool isUnsigned = false, isLong = false;
  if (suffix == "u")
    isUnsigned = true;
  else if (suffix == "l" || suffix == "ll")
    isLong = true;
  else if (suffix == "ul" || suffix == "ull" || suffix == "lu" || suffix == "llu" || suffix == "uz" ||
           suffix == "zu")
    isUnsigned = isLong = true;
  else if (!suffix.empty())
    return {};
  if (language == Language::OpenCL && suffix.find("ll") != std::string::npos) return {};
  LiteralMeaning m;
  m.bits = value;
  // The first of the candidate types that holds the value; decimal literals without u are never unsigned.
  const bool mayBeUnsigned = isUnsigned || base != 10;
  if (!isLong && !isUnsigned && value <= 0x7fffffffu)
    m.type = int32();
  else if (!isLong && mayBeUnsigned && value <= 0xffffffffu)
    m.type = uint32();
  else if (!isUnsigned && value <= 0x7fffffffffffffffu)
    m.type = int64();
  else if (mayBeUnsigned)
    m.type = uint64();
  else
    return {};
  return m;
}

uint64_t truncated(uint64_t v, const Type& t) {
  if (t.is(TypeKind::Bool)) return v != 0;
  return t.bits >= 64 || t.bits == 0 ? v : v & ((uint64_t{1} << t.bits) - 1);
}

int64_t signExtended(uint64_t v, unsigned bits) {
  return bits >= 64 ? static_cast<int64_t>(v) : static_cast<int64_t>(v << (64 - bits)) >> (64 - bits);
}

template <class T> std::string shortest(T value) {
  char buffer[64];
  auto [end, problem] = std::to_chars(buffer, buffer + sizeof buffer, value);
  std::string text(buffer, end);
  (void)problem;
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::optional<LiteralMeaning> literalMeaning(const std::string& s, Language language) {
  if (s.empty()) return {};
  if (s == "true" || s == "false") {
    LiteralMeaning m;
    m.type = boolType();
    m.bits = s == "true";
    return m;
  }
  if (s[0] == '\'') return charMeaning(s, language);
  if (!std::isdigit(static_cast<unsigned char>(s[0])) && s[0] != '.') return {};
  if (auto m = intMeaning(s, language)) return m;
  return floatMeaning(s);
}

bool Emitter::namedConstant(const std::string& name) const {
  if (name.empty()) return false;
  if (onlyChosenConstants) return false;
  for (const auto& [role, chosen] : chosenConstants)
    if (chosen.name == name) return false;
  if (standalone) return definedConstants.contains(name);
  return options.keepNamedConstants && sameLanguage();
}

const Emitter::ChosenConstant* Emitter::chosenConstant(const Expr& e, const IntLiteral& l) const {
  auto it = l.role ? chosenConstants.find(l.role) : chosenConstants.end();
  if (it == chosenConstants.end() || !e.type->isInteger()) return nullptr;
  const int64_t value = e.type->isSigned ? signExtended(l.value, e.type->bits)
                                         : static_cast<int64_t>(truncated(l.value, *e.type));
  return value == it->second.value ? &it->second : nullptr;
}

Printed Emitter::literal(const Expr& e, const IntLiteral& l) {
  if (const ChosenConstant* c = chosenConstant(e, l))
    return {c->name, kPrimary, c->value == static_cast<int32_t>(c->value) ? int32() : int64()};
  if (namedConstant(l.name)) return {l.name, isIdentifierText(l.name) ? kPrimary : kUnary, e.type};
  const Type& t = *e.type;
  if (plainNumbers && t.is(TypeKind::Int) && l.value <= 0x7fffffffu)
    return {std::to_string(l.value), kPrimary, int32()};
  if (auto m = literalMeaning(l.spelling, language)) {
    if (m->type->isInteger() && truncated(m->bits, t) == truncated(l.value, t)) {
      // The value as a mathematical number must be that of the IR; 0xffffffff for an i32 of -1 is not.
      const int64_t ir =
          t.isSigned ? signExtended(l.value, t.bits) : static_cast<int64_t>(truncated(l.value, t));
      const int64_t text = m->type->is(TypeKind::Int) && m->type->bits == 32 && m->type->isSigned
                               ? signExtended(m->bits, 32)
                               : static_cast<int64_t>(m->bits);
      if (ir == text) return {l.spelling, kPrimary, m->type};
    }
  }
  if (t.is(TypeKind::Bool)) return {l.value ? "true" : "false", kPrimary, e.type};
  const bool isLong = t.bits == 64;
  std::string suffix = t.isSigned ? "" : "u";
  if (isLong) suffix += cuda() ? "ll" : "l";
  if (t.bits > 64) error("a constant of more than 64 bits", e.loc);
  if (!t.isSigned) {
    const uint64_t v = truncated(l.value, t);
    if (t.bits < 32) return {std::to_string(v), kPrimary, int32()};
    return {std::to_string(v) + suffix, kPrimary, intType(t.bits, false)};
  }
  const int64_t v = signExtended(l.value, t.bits);
  TypePtr type = isLong ? int64() : int32();
  if (v >= 0) return {std::to_string(v) + suffix, kPrimary, type};
  // The most negative number has no literal: its digits are those of a value one too large.
  if (v == (isLong ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int32_t>::min()))
    return {std::to_string(v + 1) + suffix + " - 1" + suffix, kAdd, type};
  return {std::to_string(v) + suffix, kUnary, type};
}

Printed Emitter::literal(const Expr& e, const FloatLiteral& l) {
  if (namedConstant(l.name)) return {l.name, isIdentifierText(l.name) ? kPrimary : kUnary, e.type};
  const bool isDouble = e.type->bits == 64;
  auto sameValue = [](double a, double b) { return a == b && std::signbit(a) == std::signbit(b); };
  if (auto m = literalMeaning(l.spelling, language); m && m->type->isFloating()) {
    const bool cudaHalf = cuda() && m->type->bits == 16;
    if (!cudaHalf && sameValue(m->number, l.value) && m->type->bits >= e.type->bits)
      return {l.spelling, kPrimary, m->type};
  }
  if (!std::isfinite(l.value)) {
    if (isDouble) {
      std::string bits = "0x";
      char buffer[32];
      std::snprintf(buffer, sizeof buffer, "%llx",
                    static_cast<unsigned long long>(std::bit_cast<uint64_t>(l.value)));
      bits += buffer;
      return {cuda() ? "__longlong_as_double(" + bits + "ll)" : "as_double(" + bits + "l)", kPostfix,
              floatType(64)};
    }
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "0x%x", std::bit_cast<uint32_t>(static_cast<float>(l.value)));
    return {(cuda() ? "__int_as_float(" : "as_float(") + std::string(buffer) + ")", kPostfix, floatType(32)};
  }
  // Half and bfloat constants are exact in float, from which the context converts them.
  std::string text = isDouble ? shortest(l.value) : shortest(static_cast<float>(l.value)) + "f";
  return {text, text[0] == '-' ? kUnary : kPrimary, floatType(isDouble ? 64 : 32)};
}

std::string quoted(const std::string& bytes) {
  std::string s = "\"";
  for (size_t i = 0; i < bytes.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(bytes[i]);
    const char* known = "\n\t\r\a\b\f\v\\\"";
    const char* letters = "ntrabfv\\\"";
    size_t k = 0;
    while (known[k] && known[k] != static_cast<char>(c)) ++k;
    if (c && known[k]) {
      s += '\\';
      s += letters[k];
    } else if (c < 0x20 || c == 0x7f) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\%03o", c);
      s += buffer;
    } else if (c == '?' && i + 1 < bytes.size() && bytes[i + 1] == '?') {
      s += "?\"\"";  // no trigraphs
    } else {
      s += static_cast<char>(c);
    }
  }
  return s + "\"";
}

}  // namespace hone::emit
