// unifiedDiff: Myers' algorithm in linear space ("An O(ND) Difference Algorithm and Its Variations", 1986)
// over lines.
#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "emit/Patch.h"

namespace hone::emit {

namespace {

using Ids = std::vector<int>;

// Lines with their newline; the last one may lack it.
std::vector<std::string_view> splitLines(const std::string& text) {
  std::vector<std::string_view> lines;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = text.find('\n', at);
    end = end == std::string::npos ? text.size() : end + 1;
    lines.emplace_back(text.data() + at, end - at);
    at = end;
  }
  return lines;
}

class Differ {
 public:
  Differ(const Ids& before, const Ids& after) : a(before), b(after), removed(a.size()), added(b.size()) {}

  void run() { solve(0, static_cast<int>(a.size()), 0, static_cast<int>(b.size())); }

  const Ids &a, &b;
  std::vector<bool> removed, added;

 private:
  // Beyond this many differences in one stretch the shortest script is not worth its quadratic time.
  static constexpr int costLimit = 4000;

  struct Snake {
    int x = 0, y = 0;
    bool found = false;
  };

  void solve(int aBegin, int aEnd, int bBegin, int bEnd) {
    while (aBegin < aEnd && bBegin < bEnd && a[aBegin] == b[bBegin]) ++aBegin, ++bBegin;
    while (aBegin < aEnd && bBegin < bEnd && a[aEnd - 1] == b[bEnd - 1]) --aEnd, --bEnd;
    Snake middle;
    if (aBegin < aEnd && bBegin < bEnd) middle = findMiddle(aBegin, aEnd, bBegin, bEnd);
    if (!middle.found) {
      std::fill(removed.begin() + aBegin, removed.begin() + aEnd, true);
      std::fill(added.begin() + bBegin, added.begin() + bEnd, true);
      return;
    }
    solve(aBegin, middle.x, bBegin, middle.y);
    solve(middle.x, aEnd, middle.y, bEnd);
  }

  // A point on a shortest path, where the searches from both ends meet.
  Snake findMiddle(int aBegin, int aEnd, int bBegin, int bEnd) {
    const int n = aEnd - aBegin, m = bEnd - bBegin, delta = n - m;
    const int limit = std::min((n + m + 1) / 2, costLimit);
    const int offset = limit + 1;
    Ids forward(2 * offset + 1, 0), backward(2 * offset + 1, 0);
    for (int d = 0; d <= limit; ++d) {
      for (int k = -d; k <= d; k += 2) {
        int x = k == -d || (k != d && forward[offset + k - 1] < forward[offset + k + 1])
                    ? forward[offset + k + 1]
                    : forward[offset + k - 1] + 1;
        int y = x - k;
        while (x < n && y < m && x >= 0 && y >= 0 && a[aBegin + x] == b[bBegin + y]) ++x, ++y;
        forward[offset + k] = x;
        int other = delta - k;  // the same diagonal seen from the end
        if (delta % 2 != 0 && other >= -(d - 1) && other <= d - 1 && x + backward[offset + other] >= n)
          return within(x, y, n, m, aBegin, bBegin);
      }
      for (int k = -d; k <= d; k += 2) {
        int x = k == -d || (k != d && backward[offset + k - 1] < backward[offset + k + 1])
                    ? backward[offset + k + 1]
                    : backward[offset + k - 1] + 1;
        int y = x - k;
        while (x < n && y < m && x >= 0 && y >= 0 && a[aEnd - 1 - x] == b[bEnd - 1 - y]) ++x, ++y;
        backward[offset + k] = x;
        int other = delta - k;
        if (delta % 2 == 0 && other >= -d && other <= d && x + forward[offset + other] >= n)
          return within(n - x, m - y, n, m, aBegin, bBegin);
      }
    }
    return {};
  }

  // A corner as meeting point would leave the problem as large as it was: then everything differs.
  static Snake within(int x, int y, int n, int m, int aBegin, int bBegin) {
    bool inside = x >= 0 && y >= 0 && x <= n && y <= m && x + y > 0 && x + y < n + m;
    return {aBegin + x, bBegin + y, inside};
  }
};

struct Hunk {
  size_t aBegin, aEnd, bBegin, bEnd;  // with context
};

constexpr size_t context = 3;

std::vector<Hunk> findHunks(const Differ& diff) {
  std::vector<Hunk> hunks;
  const size_t n = diff.a.size(), m = diff.b.size();
  size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && !diff.removed[i] && !diff.added[j]) {
      ++i, ++j;
      continue;
    }
    size_t iEnd = i, jEnd = j;
    while (iEnd < n && diff.removed[iEnd]) ++iEnd;
    while (jEnd < m && diff.added[jEnd]) ++jEnd;
    size_t before = std::min({context, i, j}), after = std::min({context, n - iEnd, m - jEnd});
    Hunk hunk{i - before, iEnd + after, j - before, jEnd + after};
    if (!hunks.empty() && hunk.aBegin <= hunks.back().aEnd) {
      hunks.back().aEnd = hunk.aEnd;
      hunks.back().bEnd = hunk.bEnd;
    } else {
      hunks.push_back(hunk);
    }
    i = iEnd, j = jEnd;
  }
  return hunks;
}

std::string hunkRange(size_t begin, size_t end) {
  size_t count = end - begin;
  size_t first = count == 0 ? begin : begin + 1;
  return count == 1 ? fmt::format("{}", first) : fmt::format("{},{}", first, count);
}

void appendLine(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (line.empty() || line.back() != '\n') out += "\n\\ No newline at end of file\n";
}

}  // namespace

std::string unifiedDiff(const std::string& name, const std::string& before, const std::string& after) {
  if (before == after) return "";
  auto oldLines = splitLines(before), newLines = splitLines(after);
  std::unordered_map<std::string_view, int> numbers;
  auto number = [&](const std::vector<std::string_view>& lines) {
    Ids ids;
    ids.reserve(lines.size());
    for (auto line : lines)
      ids.push_back(numbers.try_emplace(line, static_cast<int>(numbers.size())).first->second);
    return ids;
  };
  Ids a = number(oldLines), b = number(newLines);
  Differ diff(a, b);
  diff.run();

  bool relative = !name.empty() && name[0] != '/';
  std::string out =
      fmt::format("--- {}{}\n+++ {}{}\n", relative ? "a/" : "", name, relative ? "b/" : "", name);
  for (const Hunk& hunk : findHunks(diff)) {
    out +=
        fmt::format("@@ -{} +{} @@\n", hunkRange(hunk.aBegin, hunk.aEnd), hunkRange(hunk.bBegin, hunk.bEnd));
    size_t i = hunk.aBegin, j = hunk.bBegin;
    while (i < hunk.aEnd || j < hunk.bEnd) {
      if (i < hunk.aEnd && diff.removed[i]) {
        appendLine(out, '-', oldLines[i++]);
      } else if (j < hunk.bEnd && diff.added[j]) {
        appendLine(out, '+', newLines[j++]);
      } else {
        appendLine(out, ' ', oldLines[i]);
        ++i, ++j;
      }
    }
  }
  return out;
}

}  // namespace hone::emit
