#include "cli/inputs/Glob.h"

#include <string_view>

namespace hone::cli {

namespace {

// The end of the set that begins with `[` at the front; npos: it has none.
size_t endOfSet(std::string_view pattern) {
  size_t at = 1;
  if (at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^')) ++at;
  return pattern.find(']', at + 1);  // a `]` right at the front is one of the set
}

bool isInSet(std::string_view set, char c) {
  const bool isNegated = !set.empty() && (set[0] == '!' || set[0] == '^');
  if (isNegated) set.remove_prefix(1);
  bool found = false;
  for (size_t i = 0; i < set.size(); ++i) {
    if (i + 2 < set.size() && set[i + 1] == '-') {
      found = found || (set[i] <= c && c <= set[i + 2]);
      i += 2;
    } else {
      found = found || set[i] == c;
    }
  }
  return found != isNegated;
}

bool matchesFrom(std::string_view pattern, std::string_view name) {
  while (!pattern.empty()) {
    if (pattern.starts_with("**")) {
      std::string_view rest = pattern.substr(2);
      if (rest.starts_with('/') && matchesFrom(rest.substr(1), name)) return true;
      for (size_t i = 0; i <= name.size(); ++i)
        if (matchesFrom(rest, name.substr(i))) return true;
      return false;
    }
    if (pattern[0] == '*') {
      for (size_t i = 0; i <= name.size(); ++i) {
        if (matchesFrom(pattern.substr(1), name.substr(i))) return true;
        if (i < name.size() && name[i] == '/') return false;
      }
      return false;
    }
    if (name.empty()) return false;
    if (pattern[0] == '[') {
      const size_t end = endOfSet(pattern);
      if (end == std::string_view::npos || name[0] == '/' || !isInSet(pattern.substr(1, end - 1), name[0]))
        return false;
      pattern.remove_prefix(end + 1);
    } else {
      const bool isSame = pattern[0] == '?' ? name[0] != '/' : pattern[0] == name[0];
      if (!isSame) return false;
      pattern.remove_prefix(1);
    }
    name.remove_prefix(1);
  }
  return name.empty();
}

}  // namespace

std::string globProblem(const std::string& pattern) {
  if (pattern.empty()) return "it is empty";
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '[') continue;
    const size_t end = endOfSet(std::string_view(pattern).substr(i));
    if (end == std::string_view::npos) return "a `[` has no `]`";
    i += end;
  }
  constexpr size_t mostStars = 8;  // each multiplies the ways to match
  size_t stars = 0;
  for (size_t i = 0; i < pattern.size(); ++i) stars += pattern[i] == '*' && (i == 0 || pattern[i - 1] != '*');
  return stars > mostStars ? "it has more than eight `*`" : "";
}

bool globMatches(const std::string& pattern, const std::string& name) {
  return matchesFrom(pattern.ends_with('/') ? pattern + "**" : pattern, name);
}

}  // namespace hone::cli
