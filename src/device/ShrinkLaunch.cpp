#include "device/ShrinkLaunch.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace hone::device {

namespace {

constexpr int64_t leastRelated = 16;    // smaller numbers are alike by chance
constexpr uint32_t fewestCovering = 8;  // so are fewer blocks
constexpr int64_t mostApart = 4, mostTimes = 16, mostMerged = 32, mostKeptUnit = 64;
constexpr int mostSteps = 200;

int64_t roundedUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

// A value that one or more sizes have, and how it follows from smaller ones.
struct Value {
  int64_t before, now = 0;
  int64_t divided = 1;          // of those that follow from nothing
  int64_t unit = 1;             // stays a divisor
  std::vector<size_t> factors;  // it is their product, times `times`, and `plus` more
  int64_t times = 1, plus = 0;
};

class Shrinking {
 public:
  Shrinking(const CapturedCase& launch, const std::set<std::string>& sizes)
      : grid(launch.grid), block(launch.block) {
    std::set<int64_t> seen;
    for (const auto& [path, number] : launch.numbers)
      if (sizes.contains(path) && number.asWhole() > 1 && number.asWhole() <= INT32_MAX)
        seen.insert(number.asWhole());
    for (const int64_t value : seen) values.push_back({.before = value, .now = value, .factors = {}});
    for (unsigned axis = 0; axis < 3; ++axis) cover(axis);
    for (size_t i = 0; i < values.size(); ++i) relate(i);
  }

  void shrink(const SmallLaunch& most) {
    for (int step = 0; step < mostSteps && threads() > most.threads; ++step)
      if (!halveAxis()) break;
    for (int step = 0; step < mostSteps && !values.empty(); ++step) {
      const auto largest = std::max_element(values.begin(), values.end(),
                                            [](const Value& a, const Value& b) { return a.now < b.now; });
      if (largest->now <= most.size || !halve(static_cast<size_t>(largest - values.begin()))) break;
    }
  }

  int64_t valueNow(int64_t before) const {
    for (const Value& value : values)
      if (value.before == before) return value.now;
    return before;
  }

  std::array<uint32_t, 3> gridNow() const {
    std::array<uint32_t, 3> out = grid;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const Cover& by = covers[axis];
      const int64_t extent = by.values.empty() ? grid[axis] : roundedUp(productNow(by.values), by.threads);
      out[axis] = static_cast<uint32_t>(std::clamp<int64_t>(roundedUp(extent, by.leftOut), 1, grid[axis]));
    }
    return out;
  }

 private:
  // What the blocks along an axis are as many as: the product of values, by so many threads each.
  struct Cover {
    std::vector<size_t> values;
    int64_t threads = 1;
    int64_t leftOut = 1;  // but one of so many blocks
  };

  int64_t productNow(const std::vector<size_t>& of) const {
    return std::accumulate(of.begin(), of.end(), int64_t{1},
                           [this](int64_t product, size_t i) { return product * values[i].now; });
  }

  uint64_t threads() const {
    uint64_t out = 1;
    const std::array<uint32_t, 3> now = gridNow();
    for (unsigned axis = 0; axis < 3; ++axis) out *= uint64_t{now[axis]} * block[axis];
    return out;
  }

  // Values come in rising order, so that what one follows from stands before it.
  void relate(size_t i) {
    Value& mine = values[i];
    mine.unit = std::min(mine.before & -mine.before, mostKeptUnit);
    for (size_t a = 0; a < i; ++a)
      if (mine.before % values[a].before == 0)
        if (const int64_t both = std::lcm(mine.unit, values[a].before); both <= mostKeptUnit)
          mine.unit = both;
    // What blocks cover follows from nothing else.
    if (std::any_of(covers.begin(), covers.end(),
                    [&](const Cover& by) { return by.values.size() == 1 && by.values.front() == i; }))
      return;
    for (size_t a = 0; a < i; ++a)
      for (size_t b = a; b < i; ++b)
        if (values[b].before >= leastRelated && mine.before % values[b].before == 0 &&
            mine.before / values[b].before == values[a].before) {
          mine.factors = {a, b};
          return;
        }
    for (size_t a = i; a-- > 0;) {
      const int64_t apart = mine.before - values[a].before;
      if (values[a].before >= leastRelated && apart <= mostApart) {
        mine.factors = {a};
        mine.plus = apart;
        return;
      }
    }
    for (size_t a = i; a-- > 0;)
      if (const int64_t times = mine.before / values[a].before;
          values[a].before >= leastRelated && mine.before % values[a].before == 0 && times <= mostTimes) {
        mine.factors = {a};
        mine.times = times;
        return;
      }
  }

  static int64_t divided(const Value& value) {
    const int64_t least = roundedUp(value.before, value.divided);
    if (value.unit == 1) return least + (value.before - least) % 2;  // odd, as it was
    return roundedUp(least, value.unit) * value.unit;
  }

  bool isCovered(unsigned axis, int64_t extent, int64_t by) const {
    return roundedUp(extent, by) == int64_t{grid[axis]};
  }

  void cover(unsigned axis) {
    if (grid[axis] < 2) return;
    Cover& out = covers[axis];
    const auto take = [&](std::vector<size_t> of, int64_t by) {
      out.values = std::move(of);
      out.threads = by;
    };
    for (const int64_t by : {int64_t{block[axis]}, int64_t{1}})
      for (size_t i = values.size(); i-- > 0;)
        if (isCovered(axis, values[i].before, by)) return take({i}, by);
    if (grid[axis] < fewestCovering) return;
    for (const int64_t by : {int64_t{block[axis]}, int64_t{1}}) {
      for (size_t i = 0; i < values.size(); ++i)
        for (size_t j = i; j < values.size(); ++j) {
          if (isCovered(axis, values[i].before * values[j].before, by)) return take({i, j}, by);
          for (size_t k = j; k < values.size() && values[i].before * values[j].before < INT32_MAX; ++k)
            if (isCovered(axis, values[i].before * values[j].before * values[k].before, by))
              return take({i, j, k}, by);
        }
    }
    for (int64_t merged = 2; merged <= mostMerged; merged *= 2)
      for (size_t i = values.size(); i-- > 0;)
        if (isCovered(axis, values[i].before, block[axis] * merged)) return take({i}, block[axis] * merged);
  }

  // The axis with the most blocks that can have fewer.
  bool halveAxis() {
    const std::array<uint32_t, 3> now = gridNow();
    std::array<unsigned, 3> order{0, 1, 2};
    std::sort(order.begin(), order.end(),
              [&](unsigned a, unsigned b) { return now[a] != now[b] ? now[a] > now[b] : a < b; });
    for (const unsigned axis : order) {
      if (now[axis] < 2) break;
      Cover& by = covers[axis];
      std::vector<size_t> largestFirst = by.values;
      std::sort(largestFirst.begin(), largestFirst.end(),
                [&](size_t a, size_t b) { return values[a].now > values[b].now; });
      if (std::any_of(largestFirst.begin(), largestFirst.end(), [&](size_t i) { return halve(i); }))
        return true;
      by.leftOut *= 2;
      return true;
    }
    return false;
  }

  // Makes a value about half as large; false: it cannot be.
  bool halve(size_t i) {
    Value& mine = values[i];
    const int64_t before = mine.now;
    if (mine.factors.empty()) {
      if (mine.now <= mine.unit || mine.divided > mine.before) return false;
      mine.divided *= 2;
    } else {
      std::vector<size_t> largestFirst = mine.factors;
      std::sort(largestFirst.begin(), largestFirst.end(),
                [&](size_t a, size_t b) { return values[a].now > values[b].now; });
      if (std::none_of(largestFirst.begin(), largestFirst.end(), [&](size_t f) { return halve(f); }))
        return false;
    }
    for (Value& value : values)
      value.now =
          value.factors.empty() ? divided(value) : productNow(value.factors) * value.times + value.plus;
    return values[i].now < before;
  }

  std::array<uint32_t, 3> grid, block;
  std::vector<Value> values;
  std::array<Cover, 3> covers;
};

}  // namespace

CapturedCase smallerLaunch(const CapturedCase& launch, const std::set<std::string>& sizes,
                           const SmallLaunch& most) {
  Shrinking shrinking(launch, sizes);
  shrinking.shrink(most);
  CapturedCase out = launch;
  out.grid = shrinking.gridNow();
  for (auto& [path, number] : out.numbers)
    if (sizes.contains(path)) number = wholeNumber(shrinking.valueNow(number.asWhole()));
  return out;
}

}  // namespace hone::device
