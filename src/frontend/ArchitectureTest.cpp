#include "frontend/ArchitectureTest.h"

#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>

namespace hone::frontend {
namespace {

constexpr int64_t kOldestArchitecture = 350, kNewestArchitecture = 2000, kArchitectureStep = 10;
constexpr int kDeepestParentheses = 100;

/// Reads one condition for one architecture, by the precedence of C's operators.
class ArchitectureCondition {
 public:
  ArchitectureCondition(std::string_view condition, int64_t arch) : text(condition), architecture(arch) {}

  std::optional<int64_t> value() {
    const auto found = binary(0);
    skipBlanks();
    return at == text.size() ? found : std::nullopt;
  }

 private:
  struct Operator {
    std::string_view word;
    int level;
  };
  // Longer ones first.
  static constexpr std::array<Operator, 13> kOperators = {{{"||", 0},
                                                           {"&&", 1},
                                                           {"==", 2},
                                                           {"!=", 2},
                                                           {"<=", 3},
                                                           {">=", 3},
                                                           {"<", 3},
                                                           {">", 3},
                                                           {"+", 4},
                                                           {"-", 4},
                                                           {"*", 5},
                                                           {"/", 5},
                                                           {"%", 5}}};

  void skipBlanks() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  }
  bool take(std::string_view word) {
    skipBlanks();
    if (!text.substr(at).starts_with(word)) return false;
    at += word.size();
    return true;
  }
  std::string_view takeWord() {
    skipBlanks();
    const size_t begin = at;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_')) ++at;
    return text.substr(begin, at - begin);
  }

  static std::optional<int64_t> apply(std::string_view word, int64_t a, int64_t b) {
    if (word == "||") return a || b;
    if (word == "&&") return a && b;
    if (word == "==") return a == b;
    if (word == "!=") return a != b;
    if (word == "<=") return a <= b;
    if (word == ">=") return a >= b;
    if (word == "<") return a < b;
    if (word == ">") return a > b;
    // Numbers beyond these have no place in a test of an architecture, and could overflow.
    constexpr int64_t kLarge = 1'000'000'000;
    if (a > kLarge || a < -kLarge || b > kLarge || b < -kLarge) return std::nullopt;
    if (word == "+") return a + b;
    if (word == "-") return a - b;
    if (word == "*") return a * b;
    if (b == 0) return std::nullopt;
    return word == "/" ? a / b : a % b;
  }

  std::optional<int64_t> binary(int level) {
    auto left = unary();
    while (left) {
      skipBlanks();
      const Operator* found = nullptr;
      for (const Operator& one : kOperators)
        if (!found && text.substr(at).starts_with(one.word)) found = &one;
      if (!found || found->level < level) return left;
      at += found->word.size();
      const auto right = binary(found->level + 1);
      if (!right) return std::nullopt;
      left = apply(found->word, *left, *right);
    }
    return left;
  }

  std::optional<int64_t> unary() {
    if (++depth > kDeepestParentheses) return std::nullopt;
    std::optional<int64_t> found;
    if (take("!")) {
      found = unary();
      if (found) found = !*found;
    } else if (take("(")) {
      found = binary(0);
      if (!take(")")) found.reset();
    } else {
      found = operand();
    }
    --depth;
    return found;
  }

  std::optional<int64_t> operand() {
    const std::string_view word = takeWord();
    if (word == "defined") {
      const bool isInside = take("(");
      const bool isKnown = takeWord() == "__CUDA_ARCH__";
      if (!isKnown || (isInside && !take(")"))) return std::nullopt;
      return 1;
    }
    if (word == "__CUDA_ARCH__") return architecture;
    if (word.empty() || word.size() > 9 || (word.size() > 1 && word[0] == '0')) return std::nullopt;
    int64_t number = 0;
    for (char c : word) {
      if (!std::isdigit(static_cast<unsigned char>(c))) return std::nullopt;
      number = number * 10 + (c - '0');
    }
    return number;
  }

  std::string_view text;
  int64_t architecture;
  size_t at = 0;
  int depth = 0;
};

}  // namespace

std::optional<bool> sameOnAllArchitectures(const std::string& condition) {
  std::optional<bool> answer;
  for (int64_t arch = kOldestArchitecture; arch <= kNewestArchitecture; arch += kArchitectureStep) {
    const auto value = ArchitectureCondition(condition, arch).value();
    if (!value || (answer && *answer != (*value != 0))) return std::nullopt;
    answer = *value != 0;
  }
  return answer;
}

}  // namespace hone::frontend
