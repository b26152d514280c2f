#include "ir/Nearest.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace hone {

namespace {

// Edit distance with transpositions of neighbours.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> beforeLast, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
    beforeLast = last;
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  size_t bestDistance = std::max<size_t>(1, name.size() / 3) + 1;
  std::string wanted = folded(name);
  for (const std::string& candidate : candidates) {
    std::string other = folded(candidate);
    size_t far = distance(wanted, other);
    // One that begins with what was typed, or ends with it (a namespace left out), is the nearest.
    if (wanted.size() >= 3 && (other.starts_with(wanted) || other.ends_with(wanted))) far = 0;
    if (far < bestDistance) {
      bestDistance = far;
      best = candidate;
    }
  }
  return best;
}

std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates) {
  std::string near = nearest(name, candidates);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

}  // namespace hone
