// Whole kernels whose threads walk a row each: several loops over it, values handed on from one to the next,
// rows written element by element, what is stored between.
#include "NaiveKernelWriter.h"

namespace hone::test {

// The head of a loop over a row; all of one kernel begin and step alike now and then.
std::string NaiveKernelWriter::rowHead(const std::string& j) {
  const std::string type = chance(85) ? "int" : "long long";
  const std::string end = oneOf({"(int)k", "(int)k", "(int)k", "(int)k", "n", "(int)k - 1", "(int)k / 2"});
  const std::string begin = oneOf({"0", "0", "0", "0", "0", "1", "n / 2"});
  if (chance(4)) return fmt::format("for (int {0} = (int)k - 1; {0} >= 0; --{0})", j);
  const std::string step = chance(90) ? "++" + j : j + " += 2";
  return fmt::format("for ({0} {1} = {2}; {1} < {3}; {4})", type, j, begin, end, step);
}

void NaiveKernelWriter::rowLoops() {
  writesOwnOnly = false;
  kernel.isElementwise = true;  // a row may be written where it is read
  const bool isWhole = chance(40);
  const std::string type = isWhole ? "int" : chance(75) ? "float" : "double";
  // Short elements, of which more fit one access.
  const std::string element = isWhole && chance(25) ? "short" : type;
  const NaiveArray in{"a", element}, out{"c", element, true};
  arrays.push_back(in);
  arrays.push_back(out);
  // 1. Where the row lies, and how long it is.
  const bool isSkipped = chance(15);
  const std::string start = "x * k";
  line("int n = " + oneOf({"(int)k", "(int)k", "x % ((int)k + 1)", "max((int)k - x % 3, 0)"}) + ";");
  // A row that is read where memory says.
  const bool isGathered = chance(20);
  std::string source = start;
  if (isGathered) {
    kernel.isElementwise = false;
    line("const int at = " + indexArray() + "[x];");
    source = oneOf({"at * k", "at", "at + x * k"});
  }
  const bool byPointer = chance(50);
  if (byPointer) {
    line(fmt::format("const {}* from = a + {};", element, source));
    line(fmt::format("{}* to = c + {};", element, start));
  }
  const std::string widened = element == type ? "" : "(" + type + ")",
                    from = widened + (byPointer ? "from[" : "a[" + source + " + "),
                    to = byPointer ? "to[" : "c[" + start + " + ";
  if (isSkipped) open("if (x % 3 != 1 || n > 4)");
  if (!isWhole && chance(30)) {
    powersOfRow(type, from, to);
    if (isSkipped) close();
    return;
  }
  // 2. Loops, and what stands between them. `held` are values that all iterations may use.
  std::vector<std::string> held = {"x", "1", "n"};
  const int64_t loops = pick(1, 4);
  // Loops over the same elements, as those of a softmax are.
  const std::string common = chance(50) ? rowHead("@") : "";
  auto head = [&](const std::string& j) {
    if (common.empty()) return rowHead(j);
    std::string text;
    for (const char c : common) text += c == '@' ? j : std::string(1, c);
    return text;
  };
  for (int64_t l = 0; l < loops; ++l) {
    const std::string j = fresh("j"), read = from + j + "]", written = to + j + "]";
    const std::string value = chance(50) ? read : fmt::format("({} - {})", read, oneOf(held));
    const std::string s = fresh("s");
    const int64_t form = pick(0, 9);
    switch (form == 7 && chance(75) ? 8 : form) {
      case 0:
      case 1: {  // a sum, after what was there
        line(fmt::format("{} {} = {};", type, s, oneOf(held)));
        open(head(j));
        line(fmt::format("{} += {};", s, value));
        close();
        break;
      }
      case 2: {  // the greatest
        line(fmt::format("{} {} = -1000;", type, s));
        open(head(j));
        if (chance(50))
          line(fmt::format("if ({0} > {1}) {1} = {0};", read, s));
        else
          line(fmt::format("{0} = {2}({0}, {1});", s, read, isWhole ? "max" : "fmax"));
        close();
        break;
      }
      case 3: {  // two at once
        const std::string t = fresh("t");
        line(fmt::format("{} {} = 0, {} = 0;", type, s, t));
        open(head(j));
        line(fmt::format("{} += {};", s, value));
        line(fmt::format("{} += 2 * {} + {};", t, read, j));
        close();
        line(fmt::format("{0} = {0} > 9 ? 7 : {0} < -9 ? -7 : {0};", t));
        held.push_back(t);
        break;
      }
      case 4: {  // an element and its part of a sum
        line(fmt::format("{} {} = 0;", type, s));
        open(head(j));
        line(fmt::format("{} = {} + 1;", written, value));
        line(fmt::format("{} += {};", s, written));
        close();
        break;
      }
      case 5: {  // what earlier loops wrote, moved on
        open(head(j));
        line(fmt::format("{} = {} * 2 - {};", written, written, oneOf(held)));
        close();
        held.emplace_back("2");
        continue;
      }
      case 6: {  // what other threads of the row wrote
        line(fmt::format("{} {} = 0;", type, s));
        open(head(j));
        line(fmt::format("{} += {}((int)k - 1 - {}) / 2];", s, to, j));
        close();
        break;
      }
      case 7: {  // each element from those before it: must stay in order
        open(fmt::format("for (int {0} = 1; {0} < (int)k; ++{0})", j));
        line(fmt::format("{} = {} + {}{} - 1];", written, read, to, j));
        close();
        continue;
      }
      case 9: {  // where the greatest or the least is, among equal ones
        const std::string at = fresh("at"), v = fresh("v");
        const bool isMost = chance(50);
        line(fmt::format("{} {} = {};", type, s, isMost ? -1000 : 1000));
        line(fmt::format("{} {} = -1;", chance(80) ? "int" : "long long", at));
        open(head(j));
        line(fmt::format("const {} {} = {};", type, v, isWhole && chance(50) ? read + " % 3" : read));
        const std::string place = chance(70) ? j : "x * 3 + " + j;
        open(chance(50) ? fmt::format("if ({} {} {})", v, isMost ? ">" : "<", s)
                        : fmt::format("if ({} {} {})", s, isMost ? "<" : ">", v));
        const bool isFirst = chance(50);
        if (isFirst) line(fmt::format("{} = {};", at, place));
        line(fmt::format("{} = {};", s, v));
        if (!isFirst) line(fmt::format("{} = {};", at, place));
        close();
        close();
        held.push_back("(" + at + " % 8)");
        break;
      }
      default:
        open(head(j));
        line(fmt::format("{} = {} + {};", written, value, oneOf(held)));
        close();
        continue;
    }
    held.push_back(s);
    // 3. Between the loops. Sums stay small, so that those of floats are the same in any order.
    if (!isWhole || chance(50)) line(fmt::format("{0} = {0} > 9 ? 9 : {0} < -9 ? -9 : {0};", s));
    if (chance(25)) line(fmt::format("{0} = {0} + {1};", s, oneOf(held)));
    if (chance(20)) line(fmt::format("if (k > 3) {}0] = {};", to, s));
    if (chance(15)) held.push_back("(" + type + ")" + to + "k / 2]");
  }
  const bool isClosed = isSkipped && chance(50);
  if (isClosed) close();
  // 4. What is left of it, at the end.
  if (chance(70)) {
    const NaiveArray& last = output(type);
    line(fmt::format("{}[x] = {};", last.name, isClosed ? "n" : held.back()));
  }
}

// The greatest of a row, powers counted from it summed up, and what is made of them: a softmax and its like.
void NaiveKernelWriter::powersOfRow(const std::string& type, const std::string& from, const std::string& to) {
  const std::string common = rowHead("@"), m = fresh("m"), s = fresh("s"), j = "@";
  auto at = [](const std::string& text, const std::string& counter) {
    std::string out;
    for (const char c : text) out += c == '@' ? counter : std::string(1, c);
    return out;
  };
  const std::string read = (chance(80) ? from : to) + j + "]";
  const std::string value =
      oneOf({read, read, read, "(" + read + " * 2)", "(" + read + " - x % 3)",
             "(@ % 3 == 1 ? -INFINITY : " + read + ")", "(@ % 5 < 3 ? -INFINITY : " + read + ")"});
  // Of these powers of whole numbers sums are the same in any order, as long as they are short.
  const std::string power =
      type == "float" ? oneOf({"expf", "exp2f", "exp2f"}) : oneOf({"exp", "exp2", "exp2"});
  const bool isNamed = chance(40);
  auto values = [&](const std::string& counter) {
    if (isNamed) line(fmt::format("const {} v = {};", type, at(value, counter)));
    return isNamed ? "v" : at(value, counter);
  };
  // 1. The greatest.
  const std::string first = fresh("j");
  line(fmt::format("{} {} = {};", type, m,
                   oneOf({"-INFINITY", "-INFINITY", "-1000", "-3e38f", at(value, "0")})));
  open(at(common, first));
  const std::string compared = values(first);
  switch (pick(0, 2)) {
    case 0: line(fmt::format("if ({0} > {1}) {1} = {0};", compared, m)); break;
    case 1: line(fmt::format("{0} = {0} < {1} ? {1} : {0};", m, compared)); break;
    default: line(fmt::format("{0} = fmax({0}, {1});", m, compared));
  }
  close();
  // 2. Sums.
  line(fmt::format("{} {} = {};", chance(75) ? type : "double", s, oneOf({"0", "0", "0", "1", "x"})));
  const std::string second = fresh("j");
  const bool isStored = chance(40), isWeighed = chance(20);
  open(at(common, second));
  const std::string summed = values(second), t = fresh("t");
  line(fmt::format("const {} {} = {}{}({});", type, t, oneOf({"", "", "2 * "}), power,
                   oneOf({summed + " - " + m, summed + " - " + m, "(" + summed + " - " + m + ") / 2"})));
  if (isStored) line(fmt::format("{}{}] = {};", to, second, t));
  line(fmt::format("{} += {}{};", s, isWeighed ? "(" + second + " % 3 + 1) * " : "",
                   isStored && chance(50) ? to + second + "]" : t));
  close();
  // 3. What they are for.
  if (chance(70)) {
    const std::string third = fresh("j");
    open(at(common, third));
    const std::string place = to + third + "]";
    if (isStored)
      line(fmt::format("{}",
                       oneOf({place + " /= " + s + ";", place + " = " + place + " * (1 / " + s + ") + x;"})));
    else
      line(fmt::format("{} = {}({} - {}) / {};", place, power, at(value, third), m, s));
    close();
  }
  const NaiveArray& last = output(type);
  line(fmt::format("{}[x] = {};", last.name, oneOf({s, m, s + " + x"})));
}

}  // namespace hone::test
