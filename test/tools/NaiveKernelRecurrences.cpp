// Loops whose iterations need what earlier iterations of the same thread stored: forward substitution,
// filters, running values.
#include "NaiveKernelWriter.h"

namespace hone::test {

namespace {

bool isFloating(const std::string& type) { return type == "float" || type == "double"; }

}  // namespace

void NaiveKernelWriter::recurrence() {
  writesOwnOnly = false;
  hasRecurrence = true;
  const std::string type =
      oneOf({"float", "float", "int", "int", "double", "unsigned", "long long", "short", "unsigned char"});
  const std::string wide = isFloating(type) ? type : type == "long long" ? "long long" : "int";
  const std::string i = fresh("i"), j = fresh("j"), t = fresh("t");
  // 1. Arrays of one type may be one array.
  const NaiveArray a = chance(60) ? typedInput(type) : input(), c = output(type);
  // 2. The iterations: how many, from where, in which steps.
  const int64_t step = chance(75) ? 1 : pick(2, 3), some = pick(2, 12);
  const std::string begin = oneOf({"0", "0", "0", "1", "3", "(int)k"});
  const std::string count = chance(45) ? std::to_string(some) : "(int)k";
  const std::string span = step == 1 ? count : fmt::format("{} * {}", step, count);
  const std::string end = begin == "0" ? span : begin + " + " + span;
  const auto head = [&](const std::string& counter, const std::string& to) {
    return fmt::format("for (int {0} = {1}; {0} < {2}; {0}{3})", counter, begin, to,
                       step == 1 ? "++" : " += " + std::to_string(step));
  };
  // 3. Where an iteration's element lies: in a row or a column of the thread's own, or all of them in one
  // place.
  const std::string extent = dims == 1 ? "w" : dims == 2 ? "(w * h)" : "(w * h * d)", mine = ownIndex();
  const int64_t how = pick(0, 9);
  const auto at = [&](const std::string& iteration) {
    if (how < 5) return fmt::format("({}) * {} + {}", iteration, extent, mine);
    if (how < 8) return fmt::format("({}) * (4 * k + 60) + {}", mine, iteration);
    if (how < 9) return fmt::format("(long long)({}) * {} + {}", iteration, extent, mine);
    return fmt::format("({}) * 400 + ({}) * ((int)k % 3)", mine, iteration);
  };
  open(head(i, end));
  const std::string name = chance(30) ? fresh("at") : "";
  if (!name.empty()) line(fmt::format("{} {} = {};", how == 8 ? "long long" : "int", name, at(i)));
  const std::string here = name.empty() ? at(i) : name;
  // 4. What an iteration starts from.
  const Value term = load(a.name + "[" + here + "]", a.type);
  const std::string start =
      term.rank == Rank::Whole || isFloating(wide) ? term.text : fmt::format("({})({})", wide, term.text);
  switch (pick(0, 4)) {
    case 0: line(fmt::format("{} {} = {}[{}];", wide, t, c.name, here)); break;
    case 1:
      line(fmt::format("{} {} = {}[{}] + {};", wide, t, c.name, at(i + " + " + std::to_string(step)), start));
      break;
    case 2: line(fmt::format("{} {} = {};", wide, t, pick(0, 3))); break;
    default: line(fmt::format("{} {} = {};", wide, t, start)); break;
  }
  if (chance(12)) line(fmt::format("if ({} > 2) {} += {};", x, t, start));
  if (chance(6)) line(fmt::format("if ({} > 50) {};", t, oneOf({"break", "continue"})));
  // 5. What earlier ones left.
  const auto stored = [&](const std::string& iteration) { return c.name + "[" + at(iteration) + "]"; };
  if (chance(50)) {
    const std::string until = oneOf({i, i, i, i + " - " + std::to_string(step)});
    open(head(j, until));
    const std::string by = oneOf({"", "2 * ", j + " % 3 * "});
    line(fmt::format("{} {} {}{};", t, oneOf({"+=", "-="}), by, stored(j)));
    close();
  } else {
    for (int64_t back = 1, most = pick(1, 3); back <= most; ++back) {
      const std::string before = fmt::format("{} - {}", i, back * step);
      const std::string guard = chance(85) ? fmt::format("if ({} >= {} + {}) ", i, begin, back * step)
                                           : fmt::format("if ({} > 0) ", before);
      line(fmt::format("{}{} += {};", guard, t, stored(before)));
    }
  }
  // 6. Its own, small enough for sums to be exact in any order.
  const std::string value = fmt::format("({0} > 3 ? 3 : {0} < -3 ? -2 : {0})", t);
  const bool isSeldom = chance(6);
  if (isSeldom) open(fmt::format("if ({} % 2 == 0)", i));
  line(fmt::format("{}[{}] = {};", c.name, here,
                   isFloating(type) ? value : fmt::format("({}){}", type, value)));
  if (isSeldom) close();
  if (chance(15)) {
    const NaiveArray e = output(wide);
    if (e.pitch == 0) line(fmt::format("{}[{}] = {};", e.name, here, t));
  }
  close();
}

const NaiveArray& NaiveKernelWriter::typedInput(const std::string& type) {
  NaiveArray array{fresh("in"), type};
  return arrays.emplace_back(array);
}

}  // namespace hone::test
