#include "device/SizeExpr.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace hone::device {

int64_t Number::asWhole() const {
  if (!isReal) return whole;
  if (!(real > -9.2e18 && real < 9.2e18)) return real > 0 ? std::numeric_limits<int64_t>::max() : 0;
  return static_cast<int64_t>(real);
}

Number wholeNumber(int64_t value) { return {false, value, 0}; }
Number realNumber(double value) { return {true, 0, value}; }

std::string str(const Number& number) {
  return number.isReal ? fmt::format("{}", number.real) : fmt::format("{}", number.whole);
}

std::string trimmed(std::string_view text) {
  auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

bool isName(std::string_view text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_') &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

std::vector<std::string> splitArguments(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) parts.push_back(trimmed(text.substr(begin, i - begin))), begin = i + 1;
  }
  if (std::string last = trimmed(text.substr(begin)); !last.empty() || !parts.empty()) parts.push_back(last);
  return parts;
}

// Bytes of an arithmetic type by the words of its name.
static int64_t sizeOfType(const std::string& type) {
  const auto has = [&](const char* word) { return type.find(word) != std::string::npos; };
  if (has("float4")) return 16;
  if (has("float2") || has("double") || has("long") || has("64") || has("size_t") || has("ptrdiff")) return 8;
  if (has("8_t") || has("char") || has("bool")) return 1;
  if (has("short") || has("16") || has("half")) return 2;
  return 4;
}

Number convertedTo(const std::string& type, const Number& number) {
  const auto has = [&](const char* word) { return type.find(word) != std::string::npos; };
  if (has("float") || has("double") || has("half")) return realNumber(number.asReal());
  if (has("bool")) return wholeNumber(number.asReal() != 0);
  const int64_t whole = number.asWhole();
  const bool isUnsigned = type.starts_with('u') || has(" u");
  switch (sizeOfType(type)) {
    case 1: return wholeNumber(isUnsigned ? static_cast<uint8_t>(whole) : static_cast<int8_t>(whole));
    case 2: return wholeNumber(isUnsigned ? static_cast<uint16_t>(whole) : static_cast<int16_t>(whole));
    case 4: return wholeNumber(isUnsigned ? static_cast<uint32_t>(whole) : static_cast<int32_t>(whole));
    default: return wholeNumber(whole);
  }
}

namespace {

// Overflow wraps, as sizes that overflow are refused by their range later.
int64_t wrap(uint64_t value) { return static_cast<int64_t>(value); }

struct Failure {
  std::string problem;
};

class Parser {
 public:
  Parser(std::string_view input, const Names& known) : text(input), names(known) {}

  Number all() {
    Number value = ternary();
    skip();
    if (at < text.size()) fail(fmt::format("'{}' is not understood", rest()));
    return value;
  }

 private:
  [[noreturn]] void fail(std::string problem) const { throw Failure{std::move(problem)}; }
  std::string rest() const { return trimmed(text.substr(at, 24)); }
  void skip() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  }
  bool take(std::string_view token) {
    skip();
    if (text.substr(at, token.size()) != token) return false;
    // '<' is not the start of '<<', '&' not of '&&'.
    if (token.size() == 1 && std::string_view("<>&|=").find(token[0]) != std::string_view::npos &&
        at + 1 < text.size() && (text[at + 1] == token[0] || text[at + 1] == '='))
      return false;
    at += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail(fmt::format("'{}' is missing at '{}'", token, rest()));
  }

  Number ternary() {
    Number cond = binary(0);
    if (!take("?")) return cond;
    if (++depth > 200) fail("nested too deep");
    // Of the part that is not chosen nothing needs to be known.
    const bool isYes = cond.asReal() != 0;
    Number value;
    if (isYes) value = ternary();
    at = endOfPart();
    expect(":");
    if (!isYes) value = ternary();
    if (isYes) at = endOfPart();
    --depth;
    return value;
  }

  // Where a part of `a ? b : c` ends: at a `:` or `,` of its own, a bracket that closes what is around, or
  // the end.
  size_t endOfPart() const {
    int brackets = 0, choices = 0;
    for (size_t i = at; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '(' || c == '[' || c == '{') ++brackets;
      if ((c == ')' || c == ']' || c == '}') && --brackets < 0) return i;
      if (brackets > 0) continue;
      if (c == ',' && choices == 0) return i;
      choices += c == '?';
      if (c != ':') continue;
      if (i + 1 < text.size() && text[i + 1] == ':')
        ++i;
      else if (choices-- == 0)
        return i;
    }
    return text.size();
  }

  // The longest operators of a level first.
  static constexpr std::string_view levels[][4] = {
      {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
      {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};

  Number binary(size_t level) {
    if (level == std::size(levels)) return unary();
    Number left = binary(level + 1);
    for (;;) {
      std::string_view found;
      for (std::string_view op : levels[level])
        if (!op.empty() && take(op)) {
          found = op;
          break;
        }
      if (found.empty()) return left;
      left = apply(found, left, binary(level + 1));
    }
  }

  Number apply(std::string_view op, const Number& a, const Number& b) const {
    if (a.isReal || b.isReal) {
      double x = a.asReal(), y = b.asReal();
      if (op == "+") return realNumber(x + y);
      if (op == "-") return realNumber(x - y);
      if (op == "*") return realNumber(x * y);
      if (op == "/") return realNumber(x / y);
      if (op == "<") return wholeNumber(x < y);
      if (op == ">") return wholeNumber(x > y);
      if (op == "<=") return wholeNumber(x <= y);
      if (op == ">=") return wholeNumber(x >= y);
      if (op == "==") return wholeNumber(x == y);
      if (op == "!=") return wholeNumber(x != y);
      fail(fmt::format("'{}' needs whole numbers", op));
    }
    int64_t x = a.whole, y = b.whole;
    uint64_t ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
    if ((op == "/" || op == "%") && y == 0) fail("division by zero");
    if ((op == "/" || op == "%") && y == -1) return wholeNumber(op == "/" ? wrap(-ux) : 0);
    if (op == "+") return wholeNumber(wrap(ux + uy));
    if (op == "-") return wholeNumber(wrap(ux - uy));
    if (op == "*") return wholeNumber(wrap(ux * uy));
    if (op == "/") return wholeNumber(x / y);
    if (op == "%") return wholeNumber(x % y);
    if (op == "<<") return wholeNumber(uy < 64 ? wrap(ux << uy) : 0);
    if (op == ">>") return wholeNumber(uy < 64 ? x >> uy : 0);
    if (op == "<") return wholeNumber(x < y);
    if (op == ">") return wholeNumber(x > y);
    if (op == "<=") return wholeNumber(x <= y);
    if (op == ">=") return wholeNumber(x >= y);
    if (op == "==") return wholeNumber(x == y);
    if (op == "!=") return wholeNumber(x != y);
    if (op == "&") return wholeNumber(x & y);
    if (op == "|") return wholeNumber(x | y);
    if (op == "^") return wholeNumber(x ^ y);
    if (op == "&&") return wholeNumber(x && y);
    return wholeNumber(x || y);
  }

  Number unary() {
    if (++depth > 200) fail("nested too deep");
    Number value = unaryValue();
    --depth;
    return value;
  }
  Number unaryValue() {
    if (take("-")) {
      Number v = unary();
      return v.isReal ? realNumber(-v.real) : wholeNumber(wrap(-static_cast<uint64_t>(v.whole)));
    }
    if (take("+")) return unary();
    if (take("!")) return wholeNumber(unary().asReal() == 0);
    if (take("~")) return wholeNumber(~unary().asWhole());
    if (take("(")) {
      size_t back = at;
      if (std::string type = typeName(); !type.empty() && take(")")) return convertedTo(type, unary());
      at = back;
      Number value = ternary();
      expect(")");
      return value;
    }
    return primary();
  }

  std::string word() {
    skip();
    size_t begin = at;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_')) ++at;
    return std::string(text.substr(begin, at - begin));
  }

  // "unsigned int", "size_t", "float"; empty when there is none, and the place is then unchanged.
  std::string typeName() {
    static const std::string_view known[] = {
        "const",   "unsigned", "signed", "int",    "long",    "short",   "char",     "float",   "double",
        "bool",    "size_t",   "uint",   "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t",
        "int64_t", "uint64_t", "half",   "__half", "uchar",   "ushort",  "ulong",    "float2",  "float4"};
    std::string all;
    size_t begin = at;
    for (;;) {
      size_t back = at;
      std::string w = word();
      if (w == "std" && take("::")) w = word();
      if (std::find(std::begin(known), std::end(known), w) == std::end(known)) {
        at = back;
        break;
      }
      all += (all.empty() ? "" : " ") + w;
    }
    if (all.empty()) at = begin;
    return all;
  }

  Number number() {
    const char* begin = text.data() + at;
    const char* end = text.data() + text.size();
    bool isHex = text.substr(at, 2) == "0x" || text.substr(at, 2) == "0X";
    const size_t behind = std::min(text.find_first_not_of("01234567", at), text.size());
    const bool isOctal =
        text[at] == '0' && behind > at + 1 &&
        (behind == text.size() || std::string_view(".eE89").find(text[behind]) == std::string_view::npos);
    uint64_t whole = 0;
    auto parsed = std::from_chars(begin + (isHex ? 2 : 0), end, whole, isHex ? 16 : isOctal ? 8 : 10);
    const char* stop = parsed.ptr;
    Number value = wholeNumber(wrap(whole));
    if (!isHex && (stop == begin || (stop < end && (*stop == '.' || *stop == 'e' || *stop == 'E')))) {
      double real = 0;
      parsed = std::from_chars(begin, end, real);
      stop = parsed.ptr;
      value = realNumber(real);
    }
    if (parsed.ec != std::errc()) fail(fmt::format("'{}' is not a number", rest()));
    at = static_cast<size_t>(stop - text.data());
    bool hasSuffix =
        at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
    std::string suffix = hasSuffix ? word() : "";
    for (char& c : suffix) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (suffix == "f") return realNumber(value.asReal());
    if (!suffix.empty() && suffix.find_first_not_of("ul") != std::string::npos)
      fail(fmt::format("'{}' is not a number", std::string(begin, stop) + suffix));
    return value;
  }

  Number primary() {
    skip();
    if (at >= text.size()) fail("a number is missing at the end");
    char c = text[at];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    std::string name = word();
    if (name.empty()) fail(fmt::format("a number is missing at '{}'", rest()));
    if (name == "true" || name == "false") return wholeNumber(name == "true");
    if (name == "sizeof") {
      expect("(");
      std::string type = typeName();
      if (type.empty()) fail("sizeof of what is not a scalar type");
      expect(")");
      return wholeNumber(sizeOfType(type));
    }
    if (name == "static_cast") {
      expect("<");
      std::string type = typeName();
      if (!take(">") || type.empty()) fail("a cast to what is not a scalar type");
      expect("(");
      Number value = ternary();
      expect(")");
      return convertedTo(type, value);
    }
    for (;;) {
      if (take("::"))
        name = word();  // names are known without their namespace
      else if (take("."))
        name += "." + word();
      else if (take("->"))
        name += "." + word();
      else
        break;
    }
    if (take("(")) return call(name);
    auto value = names.value ? names.value(name) : std::nullopt;
    if (!value) fail(fmt::format("there is no '{}'", name));
    return *value;
  }

  Number call(const std::string& name) {
    std::vector<Number> args;
    if (!take(")")) {
      do args.push_back(ternary());
      while (take(","));
      expect(")");
    }
    if (name == "int" || name == "unsigned" || name == "size_t" || name == "float" || name == "double")
      if (args.size() == 1) return convertedTo(name, args[0]);
    // A function of the program by one of these names means something else, and is asked first.
    if (names.call)
      if (auto value = names.call(name, args)) return *value;
    if (args.size() == 2 && (name == "min" || name == "max")) {
      bool first = (args[0].asReal() < args[1].asReal()) == (name == "min");
      return first ? args[0] : args[1];
    }
    if (args.size() == 2 && (name == "pow" || name == "powf"))
      return realNumber(std::pow(args[0].asReal(), args[1].asReal()));
    if (args.size() == 1) {
      double x = args[0].asReal();
      if (name == "ceil" || name == "ceilf") return realNumber(std::ceil(x));
      if (name == "floor" || name == "floorf") return realNumber(std::floor(x));
      if (name == "sqrt" || name == "sqrtf") return realNumber(std::sqrt(x));
      if (name == "log2" || name == "log2f") return realNumber(std::log2(x));
      if (name == "abs" || name == "fabs")
        return args[0].isReal ? realNumber(std::fabs(x)) : wholeNumber(std::llabs(args[0].whole));
    }
    fail(fmt::format("there is no function '{}' of {} arguments", name, args.size()));
  }

  std::string_view text;
  const Names& names;
  size_t at = 0;
  int depth = 0;
};

}  // namespace

Evaluated evaluate(std::string_view text, const Names& names) {
  try {
    return {Parser(text, names).all(), ""};
  } catch (const Failure& failure) {
    return {std::nullopt, failure.problem};
  }
}

}  // namespace hone::device
