#include "worker/CompareOutputs.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <set>

namespace hone::worker {

namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    out.push_back(std::move(line));
    at = end + 1;
  }
  return out;
}

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Where a number begins at `at`, the place behind it; else `at`.
size_t endOfNumber(const std::string& line, size_t at) {
  if (at > 0 && (isLetter(line[at - 1]) || line[at - 1] == '_')) return at;
  size_t end = at + (line[at] == '-' || line[at] == '+' ? 1 : 0), digits = 0;
  while (end < line.size() && isDigit(line[end])) ++end, ++digits;
  if (end < line.size() && line[end] == '.') {
    ++end;
    while (end < line.size() && isDigit(line[end])) ++end, ++digits;
  }
  if (digits == 0) return at;
  if (end + 1 < line.size() && (line[end] == 'e' || line[end] == 'E')) {
    size_t power = end + 1;
    if (line[power] == '-' || line[power] == '+') ++power;
    if (power < line.size() && isDigit(line[power])) {
      while (power < line.size() && isDigit(line[power])) ++power;
      end = power;
    }
  }
  return end;
}

bool isOneOf(const std::string& word, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* one) { return word == one; });
}

// Words after which a number tells how long something took, or how fast it was.
bool isTimeWord(const std::string& word) {
  return isOneOf(word, {"time",        "times",   "timing",    "runtime",    "walltime",     "elapsed",
                        "duration",    "latency", "bandwidth", "throughput", "speedup",      "performance",
                        "gflops",      "gflop",   "tflops",    "mflops",     "flops",        "fps",
                        "seconds",     "second",  "secs",      "sec",        "milliseconds", "microseconds",
                        "nanoseconds", "gdof",    "bw",        "eta",        "gbps",         "clocks"});
}

// Units behind a number, or in brackets: "12.5 ms", "GB/s".
bool isTimeUnit(const std::string& word) {
  const size_t per = word.rfind('/');
  if (per != std::string::npos) {
    const std::string what = word.substr(0, per), by = word.substr(per + 1);
    const bool isRate = isOneOf(by, {"s", "sec", "second"});
    if (isOneOf(by, {"iter", "iteration", "step", "call"})) return isTimeUnit(what);
    return isRate && what != "m" && what != "km" && what != "rad";  // velocities are results
  }
  return isOneOf(
      word,
      {"s",           "ms",           "us",          "ns",           "sec",        "secs",        "msec",
       "msecs",       "usec",         "usecs",       "nsec",         "nsecs",      "second",      "seconds",
       "millisecond", "milliseconds", "microsecond", "microseconds", "nanosecond", "nanoseconds", "fps",
       "gbps",        "mbps",         "gflops",      "mflops",       "tflops",     "flops",       "gflop",
       "tflop",       "mflop",        "clocks"});
}

// Of a name of several words the last: "kernel_time".
std::string lastPart(const std::string& word) { return word.substr(word.rfind('_') + 1); }

// What a line says without numbers that are times or speeds: those with such a unit behind them, and the
// first behind such a word with nothing but blanks, signs, units and a few words between. `isChanged`: there
// was one.
std::string withoutTimes(const std::string& line, bool& isChanged) {
  constexpr int mostWordsBetween = 3;  // "Average kernel execution time of the first pass: 12"
  std::string out;
  int left = 0;  // words that may stand between a time word and its number; 0: none came
  for (size_t at = 0; at < line.size();) {
    if (const size_t end = endOfNumber(line, at); end > at) {
      size_t unit = end;
      while (unit < line.size() && (line[unit] == ' ' || line[unit] == '(' || line[unit] == '[')) ++unit;
      size_t behind = unit;
      while (behind < line.size() && (isLetter(line[behind]) || line[behind] == '/')) ++behind;
      std::string word;
      for (size_t i = unit; i < behind; ++i)
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(line[i])));
      // `x=4 s=2` has a name behind the number.
      const bool isName = behind < line.size() && (line[behind] == '=' || line[behind] == '_');
      if (isTimeUnit(word) && !isName) {
        out += '#' + line.substr(end, behind - end);
        isChanged = true;
        at = behind;  // the unit of this number says nothing of the next one
      } else if (left > 0) {
        out += '#';
        isChanged = true;
        at = end;
      } else {
        out += line.substr(at, end - at);
        at = end;
      }
      left = 0;
      continue;
    }
    if (isLetter(line[at])) {
      std::string word;
      while (at < line.size() && (isLetter(line[at]) || line[at] == '/' || line[at] == '_')) {
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(line[at])));
        out += line[at++];
      }
      const bool isUnitAhead =
          out.size() > word.size() &&
          std::string("([").find(out[out.size() - word.size() - 1]) != std::string::npos && isTimeUnit(word);
      if (isTimeWord(lastPart(word)) || isUnitAhead || (word.ends_with("/s") && isTimeUnit(word)))
        left = mostWordsBetween + 1;
      else if (left > 0 && word.size() > 1)
        --left;
      continue;
    }
    // What a comma or semicolon parts is another matter.
    if (line[at] == ',' || line[at] == ';') left = 0;
    out += line[at++];
  }
  return out;
}

bool isWhole(const std::string& number) { return number.find_first_of(".eE") == std::string::npos; }

// A whole number without its sign where that is a plus, and without zeros before it.
std::string digitsOf(const std::string& number) {
  const bool isNegative = number[0] == '-';
  const size_t first = number.find_first_not_of("+-0");
  const std::string digits = first == std::string::npos ? "0" : number.substr(first);
  return isNegative && digits != "0" ? "-" + digits : digits;
}

// How two lines differ: in their words, or number by number, relative to the larger one.
struct LineDifference {
  bool sameWords = true;
  std::vector<double> numbers = {};
};

// Whether the blanks at `at` stand before a number: "x=%5d" has more or fewer of them.
bool isDigitBeside(const std::string& line, size_t at) {
  const size_t next = line.find_first_not_of(' ', at);
  return next != std::string::npos && (isDigit(line[next]) || line[next] == '-' || line[next] == '+');
}

// Words before numbers that tell how far a result is from what it should be.
bool isDeviationWord(const std::string& word) {
  return isOneOf(
      word, {"diff", "difference", "differences", "diffs", "err", "error", "errors", "residual", "residuals",
             "deviation", "maxerr", "maxerror", "maxdiff", "rmse", "absdiff", "reldiff"});
}

// Whole numbers are not rounded: where they differ it is infinite. Deviations are the same where both are
// within the tolerance.
LineDifference difference(const std::string& a, const std::string& b, double tolerance) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  LineDifference out;
  std::string word;
  bool isDeviation = false;  // since the last number
  size_t i = 0, j = 0;
  const auto skipBlanks = [](const std::string& line, size_t& at) {
    while (at < line.size() && line[at] == ' ') ++at;
  };
  while (i < a.size() && j < b.size()) {
    const size_t endA = endOfNumber(a, i), endB = endOfNumber(b, j);
    if (endA > i && endB > j) {
      const std::string ofA = a.substr(i, endA - i), ofB = b.substr(j, endB - j);
      const double x = std::strtod(ofA.c_str(), nullptr), y = std::strtod(ofB.c_str(), nullptr);
      const bool isNear = isDeviation && std::fabs(x) <= tolerance && std::fabs(y) <= tolerance;
      double& by = out.numbers.emplace_back(0);
      if (isWhole(ofA) && isWhole(ofB))
        by = digitsOf(ofA) != digitsOf(ofB) ? infinite : 0;
      else if (!std::isfinite(x) || !std::isfinite(y))
        by = ofA != ofB ? infinite : 0;
      else if (x != y && !isNear)
        by = std::fabs(x - y) / std::max(std::fabs(x), std::fabs(y));
      isDeviation = false;
      word.clear();
      i = endA;
      j = endB;
      continue;
    }
    if (isLetter(a[i])) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(a[i])));
    } else {
      isDeviation = isDeviation || isDeviationWord(word);
      word.clear();
    }
    // Columns that numbers of other lengths have moved: as many blanks as there may be, but not none.
    const bool isBlankA = a[i] == ' ', isBlankB = b[j] == ' ';
    if (isBlankA || isBlankB) {
      const bool isBesideNumber = (isBlankA ? isDigitBeside(a, i) : isDigitBeside(b, j));
      if (isBlankA != isBlankB && !isBesideNumber) return {false};
      skipBlanks(a, i);
      skipBlanks(b, j);
      continue;
    }
    if (a[i] != b[j]) return {false};
    ++i;
    ++j;
  }
  skipBlanks(a, i);
  skipBlanks(b, j);
  out.sameWords = i == a.size() && j == b.size();
  return out;
}

}  // namespace

OutputComparison compareOutputs(const std::vector<std::string>& originals,
                                const std::vector<std::string>& others, double tolerance) {
  OutputComparison out;
  std::vector<std::vector<std::string>> before, after;
  before.reserve(originals.size());
  after.reserve(others.size());
  for (const std::string& text : originals) before.push_back(linesOf(text));
  for (const std::string& text : others) after.push_back(linesOf(text));
  if (before.empty()) return out;
  const std::vector<std::string>& first = before.front();
  for (const auto& run : before)
    if (run.size() != first.size()) {
      out.isUnsteady = true;
      return out;
    }
  // Numbers that are times are left out of their lines; what else these say is compared.
  std::vector<bool> isTimeAlone(first.size());
  for (auto* runs : {&before, &after})
    for (std::vector<std::string>& run : *runs)
      for (size_t i = 0; i < run.size(); ++i) {
        bool isChanged = false;
        run[i] = withoutTimes(run[i], isChanged);
        if (&run != &before.front() || !isChanged) continue;
        ++out.withTimes;
        isTimeAlone[i] = std::none_of(run[i].begin(), run[i].end(), isDigit);
      }
  // What varies from run to run of the original is left out: numbers, or whole lines.
  std::vector<bool> isLeftOut(first.size());
  std::vector<std::set<size_t>> numbersLeftOut(first.size());
  for (size_t i = 0; i < first.size(); ++i) {
    for (const auto& run : before) {
      const LineDifference d = difference(first[i], run[i], tolerance);
      if (!d.sameWords) isLeftOut[i] = true;
      for (size_t n = 0; n < d.numbers.size(); ++n)
        if (d.numbers[n] > tolerance) numbersLeftOut[i].insert(n);
    }
    const bool isUnsteady = isLeftOut[i] || !numbersLeftOut[i].empty();
    out.unsteady += isUnsteady;
    out.compared += !isUnsteady && !isTimeAlone[i];
  }
  for (const auto& run : after) {
    for (size_t i = 0; i < std::min(run.size(), first.size()); ++i) {
      if (isLeftOut[i]) continue;
      const LineDifference d = difference(first[i], run[i], tolerance);
      double largest = 0;
      for (size_t n = 0; n < d.numbers.size(); ++n)
        if (!numbersLeftOut[i].contains(n)) largest = std::max(largest, d.numbers[n]);
      if (d.sameWords && largest <= tolerance) {
        out.largest = std::max(out.largest, largest);
        continue;
      }
      out.isSame = false;
      if (out.difference.empty())
        out.difference = "line " + std::to_string(i + 1) + ": `" + run[i] + "`, was `" + first[i] + "`";
    }
    if (run.size() == first.size()) continue;
    out.isSame = false;
    if (out.difference.empty())
      out.difference = std::to_string(run.size()) + " lines, were " + std::to_string(first.size());
  }
  return out;
}

}  // namespace hone::worker
