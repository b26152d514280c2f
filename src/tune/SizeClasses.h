// Classes of sizes with one variant each: a regression tree over what was measured at a few sizes, whose
// leaves lose to the original at none of them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hone::tune {

struct TimedSize {
  std::map<std::string, int64_t> numbers;  // sizes by parameter
  std::vector<double> times;    // by variant, the original first; 0: not right, not measured or given up
  std::vector<double> spreads;  // by variant: half the interval that holds the median, as a part of it
};

// The product of some of the numbers is at most so much.
struct SizeTest {
  std::vector<std::string> factors;
  int64_t most = 0;
  bool holds(const std::map<std::string, int64_t>& numbers) const;
  std::string product() const;  // "m * n"
};

// A leaf, or a test and what it chooses between.
struct SizeTree {
  size_t variant = 0;         // of a leaf; 0: the original
  std::vector<size_t> sizes;  // that were measured and fall here
  SizeTest test;
  std::unique_ptr<SizeTree> small, large;  // where the test holds, where not; null: a leaf
  bool isLeaf() const { return !small; }
  size_t leaves() const { return isLeaf() ? 1 : small->leaves() + large->leaves(); }
  const SizeTree& leafOf(const std::map<std::string, int64_t>& numbers) const;
};

struct ClassOptions {
  double worthIt = 0.03;  // what a class more must bring: so much of the time of one size, or twice the
                          // spread where that is more
  size_t mostLeaves = 4;
  double sureGain = 1.25;  // at the smallest size; with less, sizes below it keep the original
  std::set<std::string> gridNames =
      {};  // that bound the grid; of tests that part the sizes alike, that of their product is taken
};

// Every leaf has the variant with the least mean slowdown against the best at each of its sizes, of those
// that are at none of them slower than the original beyond the spread of both. Between two sizes a threshold
// lies in the geometric middle; next to a class of the original it lies no nearer to that than where the
// other variant would be as fast as the original. There is at least one size.
std::unique_ptr<SizeTree> classesOf(const std::vector<TimedSize>& sizes, const ClassOptions& options = {});

// Sizes on both sides of a tree's tests, between sizes that were measured: the last where the test holds and
// the first where it does not.
struct TestSides {
  SizeTest test;
  std::map<std::string, int64_t> small, large;
};
std::vector<TestSides> sidesOf(const SizeTree& tree, const std::vector<TimedSize>& sizes);

}  // namespace hone::tune
