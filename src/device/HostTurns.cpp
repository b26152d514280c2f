// What a loop of the host around a launch counts, in other iterations than the first.
#include <algorithm>
#include <array>
#include <utility>

#include "device/HostText.h"

namespace hone::device {

namespace {

constexpr size_t mostTurns = 1 << 16, mostExpressions = 64;

struct Counting {
  char op = 0;  // what is done to the variable, `<` and `>` for shifts, `=` for an expression of it
  std::string by = "1";
};

// How a text such as `i += 2` counts a variable.
std::optional<Counting> stepOf(const std::string& text, const std::string& name) {
  const std::vector<size_t> places = placesOf(text, name);
  if (places.empty()) return std::nullopt;
  const size_t next = skipBlanks(text, places[0] + name.size());
  const auto has = [&](const char* what) { return text.find(what) != std::string::npos; };
  if (next < text.size() && text[next] == '=') return Counting{'=', initializer(text, next + 1)};
  if (places.size() != 1) return std::nullopt;
  if (has("++")) return Counting{'+', "1"};
  if (has("--")) return Counting{'-', "1"};
  for (const char* op : {"<<=", ">>=", "+=", "-=", "*=", "/="})
    if (text.compare(next, std::char_traits<char>::length(op), op) == 0)
      return Counting{op[0], initializer(text, next + std::char_traits<char>::length(op))};
  return std::nullopt;
}

std::optional<int64_t> stepped(int64_t value, char op, int64_t by) {
  int64_t out = 0;
  switch (op) {
    case '+': return __builtin_add_overflow(value, by, &out) ? std::nullopt : std::optional(out);
    case '-': return __builtin_sub_overflow(value, by, &out) ? std::nullopt : std::optional(out);
    case '*': return __builtin_mul_overflow(value, by, &out) ? std::nullopt : std::optional(out);
    case '/': return by == 0 ? std::nullopt : std::optional(value / by);
    case '<':
      return by < 0 || by > 30 || value < 0 || value > INT32_MAX ? std::nullopt : std::optional(value << by);
    case '>': return by < 0 || by > 62 ? std::nullopt : std::optional(value >> by);
    default: return std::nullopt;
  }
}

struct Relation {
  std::string op, end;
};

// `i < n`, or `n > i` turned round, in a condition or the first of several.
std::optional<Relation> relationOf(const std::string& again, const std::string& name) {
  for (size_t begin = 0; begin <= again.size();) {
    const size_t both = std::min(again.find("&&", begin), again.size());
    const std::string part = again.substr(begin, both - begin);
    begin = both + 2;
    for (const char* op : {"<=", ">=", "!=", "<", ">"}) {
      const size_t at = part.find(op);
      if (at == std::string::npos) continue;
      const std::string left = trimmed(part.substr(0, at)),
                        right = trimmed(part.substr(at + std::char_traits<char>::length(op)));
      if (left == name && placesOf(right, name).empty()) return Relation{op, right};
      std::string turned = op;
      if (turned[0] == '<' || turned[0] == '>') turned[0] = turned[0] == '<' ? '>' : '<';
      if (right == name && placesOf(left, name).empty()) return Relation{turned, left};
      break;
    }
  }
  return std::nullopt;
}

bool holds(int64_t value, const std::string& op, int64_t end) {
  if (op == "<") return value < end;
  if (op == "<=") return value <= end;
  if (op == ">") return value > end;
  if (op == ">=") return value >= end;
  return value != end;
}

// The one statement of a loop's body that changes a variable.
struct Change {
  std::string text;
  size_t at = 0;
};

std::optional<Change> onlyChange(const std::string& text, const LoopText& loop, const std::string& name) {
  std::optional<Change> found;
  for (const size_t at : placesOf(text, name)) {
    if (at < loop.body || at >= loop.end || usageAt(text, at, name).use == Use::Read) continue;
    if (found) return std::nullopt;
    const size_t begin = text.find_last_of(";{}", at) + 1;
    found = Change{trimmed(text.substr(begin, text.find(';', at) - begin)), at};
  }
  return found;
}

}  // namespace

std::optional<Number> HostText::firstValue(const LoopText& loop, const std::string& name) const {
  const std::vector<size_t> places = placesOf(loop.init, name);
  const size_t equals = places.empty() ? std::string::npos : loop.init.find('=', places[0]);
  if (equals != std::string::npos) return value(initializer(loop.init, equals + 1));
  HostText before = *this;
  before.active.erase(name);
  before.turn = Turn::First;
  before.place = loop.head;
  return before.value(name);
}

std::optional<Number> HostText::turnValue(const std::string& name) const {
  if (current != 0) return std::nullopt;  // no caller elsewhere is within the loops
  std::vector<LoopText> loops = loopsAround(main(), launchPlace);
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    const auto relation = relationOf(loop->again, name);
    if (!relation || place < loop->head) continue;
    std::optional<Counting> step = stepOf(loop->next, name);
    bool isBefore = false;  // it is counted on before the launch
    if (!step) {
      const std::optional<Change> change = onlyChange(main(), *loop, name);
      if (change) step = stepOf(change->text, name);
      isBefore = change && change->at < launchPlace;
    }
    if (!step) return std::nullopt;
    const std::optional<Number> from = firstValue(*loop, name), end = value(relation->end);
    const std::optional<Number> by = step->op == '=' ? wholeNumber(1) : value(step->by);
    if (!from || !end || !by) return std::nullopt;
    HostText next = *this;
    const auto after = [&](int64_t now) -> std::optional<int64_t> {
      if (step->op != '=') return stepped(now, step->op, by->asWhole());
      next.overrides[name] = wholeNumber(now);
      const std::optional<Number> then = next.value(step->by);
      return then ? std::optional(then->asWhole()) : std::nullopt;
    };
    const size_t most = step->op == '=' ? mostExpressions : mostTurns;
    std::vector<int64_t> values;
    for (std::optional<int64_t> now = from->asWhole();
         now && values.size() < most && holds(*now, relation->op, end->asWhole()); now = after(*now)) {
      if (!values.empty() && values.back() == *now) break;
      values.push_back(*now);
    }
    if (values.empty()) return std::nullopt;
    const int64_t found = turn == Turn::Middle ? values[values.size() / 2] : values.back();
    const std::optional<int64_t> launched = isBefore ? after(found) : found;
    return launched ? std::optional(wholeNumber(*launched)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace hone::device
