#include "worker/CompareOutputs.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

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

// Whether a line tells how long something took, or how fast it was.
bool hasTime(const std::string& line) {
  if (std::none_of(line.begin(), line.end(), isDigit)) return false;
  std::string low;
  for (const char c : line) low += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* part :
       {"time", "second", "elapsed", "duration", "latency", "bandwidth", "throughput", "flop", "gb/s", "mb/s",
        "gib/s", "speedup", "per sec", "/sec", "perf", "runtime", "clock", "cycles", "fps"})
    if (low.find(part) != std::string::npos) return true;
  // Units behind a number: "12.5 ms", "3us".
  for (size_t at = 0; at < low.size(); ++at) {
    if (!isLetter(low[at]) || (at > 0 && isLetter(low[at - 1]))) continue;
    size_t end = at;
    while (end < low.size() && isLetter(low[end])) ++end;
    const std::string word = low.substr(at, end - at);
    size_t before = at;
    while (before > 0 && low[before - 1] == ' ') --before;
    const bool isBehind = before > 0 && isDigit(low[before - 1]);
    if ((isBehind || (at > 0 && (low[at - 1] == '(' || low[at - 1] == '['))) &&
        (word == "s" || word == "ms" || word == "us" || word == "ns" || word == "sec" || word == "secs" ||
         word == "msec" || word == "usec" || word == "min"))
      return true;
    at = end - 1;
  }
  return false;
}

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

// The relative difference of the numbers in two lines; negative where something else differs.
double difference(const std::string& a, const std::string& b) {
  double largest = 0;
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const size_t endA = endOfNumber(a, i), endB = endOfNumber(b, j);
    if (endA > i && endB > j) {
      const double x = std::strtod(a.substr(i, endA - i).c_str(), nullptr);
      const double y = std::strtod(b.substr(j, endB - j).c_str(), nullptr);
      if (x != y) largest = std::max(largest, std::fabs(x - y) / std::max(std::fabs(x), std::fabs(y)));
      i = endA;
      j = endB;
      continue;
    }
    // Columns that numbers of other lengths have moved.
    if (a[i] == ' ' || b[j] == ' ') {
      if (a[i] != ' ' && b[j] != ' ') return -1;
      while (i < a.size() && a[i] == ' ') ++i;
      while (j < b.size() && b[j] == ' ') ++j;
      continue;
    }
    if (a[i] != b[j]) return -1;
    ++i;
    ++j;
  }
  while (i < a.size() && a[i] == ' ') ++i;
  while (j < b.size() && b[j] == ' ') ++j;
  return i == a.size() && j == b.size() ? largest : -1;
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
  std::vector<bool> isLeftOut(first.size());
  for (size_t i = 0; i < first.size(); ++i) {
    if (hasTime(first[i])) {
      isLeftOut[i] = true;
      ++out.withTimes;
      continue;
    }
    for (const auto& run : before)
      if (const double d = difference(first[i], run[i]); d < 0 || d > tolerance) isLeftOut[i] = true;
    out.unsteady += isLeftOut[i];
    out.compared += !isLeftOut[i];
  }
  for (const auto& run : after) {
    for (size_t i = 0; i < std::min(run.size(), first.size()); ++i) {
      if (isLeftOut[i]) continue;
      const double d = difference(first[i], run[i]);
      if (d >= 0 && d <= tolerance) {
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
