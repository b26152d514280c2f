#include "tune/SizeSet.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "device/SizeExpr.h"
#include "ir/Error.h"

namespace hone::tune {

namespace {

constexpr size_t kMostPoints = 64;

std::optional<int64_t> wholeOf(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

std::vector<std::string> parts(const std::string& text, char separator) {
  std::vector<std::string> out;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    out.push_back(device::trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

std::vector<std::string> valuesOf(const std::string& name, const std::string& list) {
  std::vector<std::string> out;
  for (const std::string& one : device::splitArguments(list)) {
    const size_t dots = one.find("..");
    if (dots == std::string::npos) {
      if (one.empty()) throw Error(fmt::format("--sizes: a value of '{}' is missing in '{}'", name, list));
      out.push_back(one);
      continue;
    }
    const auto first = wholeOf(device::trimmed(one.substr(0, dots))),
               last = wholeOf(device::trimmed(one.substr(dots + 2)));
    if (!first || !last || *first > *last)
      throw Error(
          fmt::format("--sizes: '{}' is no range; 256..4096 stands for 256, 512, 1024, 2048, 4096", one));
    for (int64_t value = *first; value <= *last; value *= 2) out.push_back(std::to_string(value));
  }
  return out;
}

}  // namespace

std::vector<SizePoint> parseSizes(const std::vector<std::string>& texts) {
  std::vector<SizePoint> all;
  for (const std::string& text : texts) {
    std::vector<SizePoint> points(1);
    for (const std::string& list : parts(text, ';')) {
      if (list.empty()) continue;
      const size_t equals = list.find('=');
      const std::string name = device::trimmed(list.substr(0, equals));
      std::vector<std::string> values;
      if (equals != std::string::npos && !name.empty()) values = valuesOf(name, list.substr(equals + 1));
      if (values.empty() || points.front().contains(name))
        throw Error(
            fmt::format("--sizes takes 'NAME=VALUE,VALUE,…; NAME=…', each name once, not '{}'", text));
      std::vector<SizePoint> more;
      for (const SizePoint& point : points)
        for (const std::string& value : values) {
          more.push_back(point);
          more.back()[name] = value;
        }
      points = std::move(more);
      if (points.size() > kMostPoints)
        throw Error(
            fmt::format("--sizes: more than {} sizes; several --sizes name single ones", kMostPoints));
    }
    if (points.front().empty())
      throw Error(fmt::format("--sizes takes 'NAME=VALUE,VALUE,…; NAME=…', each name once, not '{}'", text));
    for (SizePoint& point : points)
      if (std::find(all.begin(), all.end(), point) == all.end()) all.push_back(std::move(point));
  }
  if (all.size() > kMostPoints)
    throw Error(fmt::format("--sizes: {} sizes are more than {}", all.size(), kMostPoints));
  return all;
}

}  // namespace hone::tune
