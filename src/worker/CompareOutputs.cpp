#include "worker/CompareOutputs.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

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

// Words after which the next number tells how long something took, or how fast it was.
bool isTimeWord(const std::string& word) {
  for (const char* part : {"time", "second", "elapsed", "duration", "latency", "bandwidth", "throughput",
                           "flop", "speedup", "perf", "clock", "cycle", "fps", "dof"})
    if (word.find(part) != std::string::npos) return true;
  return false;
}

// Units behind a number, or in brackets: "12.5 ms", "GB/s".
bool isTimeUnit(const std::string& word) {
  for (const char* unit :
       {"s", "ms", "us", "ns", "sec", "secs", "msec", "usec", "nsec", "min", "cycles", "fps"})
    if (word == unit) return true;
  return word.ends_with("/s") || word.ends_with("/sec") || word.ends_with("ps") || word.find("second") == 0 ||
         word.find("flop") != std::string::npos;
}

// What a line says without numbers that are times or speeds: those with such a unit behind them, and the
// first behind such a word. `isChanged`: there was one.
std::string withoutTimes(const std::string& line, bool& isChanged) {
  std::string out;
  bool isNext = false;  // a time word came, and no number since
  for (size_t at = 0; at < line.size();) {
    if (const size_t end = endOfNumber(line, at); end > at) {
      size_t unit = end;
      while (unit < line.size() && (line[unit] == ' ' || line[unit] == '(' || line[unit] == '[')) ++unit;
      size_t behind = unit;
      while (behind < line.size() && (isLetter(line[behind]) || line[behind] == '/')) ++behind;
      std::string word;
      for (size_t i = unit; i < behind; ++i)
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(line[i])));
      if (isNext || isTimeUnit(word)) {
        out += '#';
        isChanged = true;
      } else {
        out += line.substr(at, end - at);
      }
      isNext = false;
      at = end;
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
      isNext = isNext || isTimeWord(word) || isUnitAhead || word.ends_with("/s");
      continue;
    }
    out += line[at++];
  }
  return out;
}

bool isWhole(const std::string& number) { return number.find_first_of(".eE") == std::string::npos; }

constexpr double otherWords = -1;

// Words before numbers that tell how far a result is from what it should be.
bool isDeviationWord(const std::string& word) {
  for (const char* part : {"diff", "err", "resid", "deviation"})
    if (word.find(part) != std::string::npos) return true;
  return false;
}

// The relative difference of the numbers in two lines, infinite for whole ones, which are not rounded;
// `otherWords` where something else differs. Deviations are the same where both are within the tolerance.
double difference(const std::string& a, const std::string& b, double tolerance) {
  double largest = 0;
  std::string word;
  bool isDeviation = false;  // since the last number
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const size_t endA = endOfNumber(a, i), endB = endOfNumber(b, j);
    if (endA > i && endB > j) {
      const std::string ofA = a.substr(i, endA - i), ofB = b.substr(j, endB - j);
      const double x = std::strtod(ofA.c_str(), nullptr), y = std::strtod(ofB.c_str(), nullptr);
      const bool isNear = isDeviation && std::fabs(x) <= tolerance && std::fabs(y) <= tolerance;
      if (isWhole(ofA) && isWhole(ofB) && x != y) largest = std::numeric_limits<double>::infinity();
      if (x != y && !isNear)
        largest = std::max(largest, std::fabs(x - y) / std::max(std::fabs(x), std::fabs(y)));
      isDeviation = false;
      i = endA;
      j = endB;
      continue;
    }
    if (isLetter(a[i]))
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(a[i])));
    else
      word.clear();
    isDeviation = isDeviation || isDeviationWord(word);
    // Columns that numbers of other lengths have moved.
    if (a[i] == ' ' || b[j] == ' ') {
      if (a[i] != ' ' && b[j] != ' ') return otherWords;
      while (i < a.size() && a[i] == ' ') ++i;
      while (j < b.size() && b[j] == ' ') ++j;
      continue;
    }
    if (a[i] != b[j]) return otherWords;
    ++i;
    ++j;
  }
  while (i < a.size() && a[i] == ' ') ++i;
  while (j < b.size() && b[j] == ' ') ++j;
  return i == a.size() && j == b.size() ? largest : otherWords;
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
  std::vector<bool> isLeftOut(first.size()), hasNumbersLeftOut(first.size());
  for (size_t i = 0; i < first.size(); ++i) {
    for (const auto& run : before) {
      const double d = difference(first[i], run[i], tolerance);
      if (d == otherWords) isLeftOut[i] = true;
      if (d > tolerance) hasNumbersLeftOut[i] = true;
    }
    const bool isUnsteady = isLeftOut[i] || hasNumbersLeftOut[i];
    out.unsteady += isUnsteady;
    out.compared += !isUnsteady && !isTimeAlone[i];
  }
  for (const auto& run : after) {
    for (size_t i = 0; i < std::min(run.size(), first.size()); ++i) {
      if (isLeftOut[i]) continue;
      const double d = difference(first[i], run[i], tolerance);
      if (d != otherWords && hasNumbersLeftOut[i]) continue;
      if (d != otherWords && d <= tolerance) {
        out.largest = std::max(out.largest, d);
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
