#include "tune/SizeClasses.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace hone::tune {

namespace {

using Numbers = std::map<std::string, int64_t>;

constexpr double kNever = std::numeric_limits<double>::infinity();
// A variant may be so much slower than the original, however far the measurements scatter.
constexpr double kMostTolerance = 0.02;
// Products that launches are told apart by fit 64 bits with room to spare.
constexpr double kMostProduct = 1e17;

double productOf(const std::vector<std::string>& factors, const Numbers& numbers) {
  double product = 1;
  for (const std::string& name : factors) product *= static_cast<double>(numbers.at(name));
  return product;
}

class Classifier {
 public:
  Classifier(const std::vector<TimedSize>& measured, const ClassOptions& wanted)
      : sizes(measured), options(wanted) {
    for (const TimedSize& one : sizes) {
      double least = kNever;
      for (double time : one.times)
        if (time > 0) least = std::min(least, time);
      best.push_back(least);
    }
    // Names that change, their products in pairs, and all of them: the work as a whole.
    std::vector<std::string> names;
    for (const auto& [name, value] : sizes.front().numbers) {
      std::set<int64_t> values;
      for (const TimedSize& one : sizes) values.insert(one.numbers.at(name));
      if (values.size() > 1 && *values.begin() > 0) names.push_back(name);
    }
    if (names.size() > 2) features.push_back(names);
    for (size_t i = 0; i < names.size(); ++i)
      for (size_t j = i + 1; j < names.size(); ++j) features.push_back({names[i], names[j]});
    for (const std::string& name : names) features.push_back({name});
    std::erase_if(features, [&](const std::vector<std::string>& feature) {
      return std::any_of(sizes.begin(), sizes.end(), [&](const TimedSize& one) {
        return productOf(feature, one.numbers) > kMostProduct;
      });
    });
    std::map<size_t, std::vector<std::vector<std::string>>> order;
    for (const auto& feature : features) order[strangers(feature)].push_back(feature);
    features.clear();
    for (const auto& [count, list] : order) features.insert(features.end(), list.begin(), list.end());
  }

  std::unique_ptr<SizeTree> run() {
    std::vector<size_t> all(sizes.size());
    std::iota(all.begin(), all.end(), 0);
    auto tree = grown(all);
    while (prune(*tree, options.worthIt)) {}
    for (double least = options.worthIt * 1.5; tree->leaves() > options.mostLeaves; least *= 1.5)
      while (prune(*tree, least)) {}
    place(*tree);
    return withoutGuesses(ascending(std::move(tree)));
  }

 private:
  // Names that only one of the product and the grid has: of what a size has too few, threads, decides what
  // may be merged.
  size_t strangers(const std::vector<std::string>& feature) const {
    if (options.gridNames.empty()) return 0;
    size_t shared = 0;
    for (const std::string& name : feature) shared += options.gridNames.contains(name);
    return feature.size() + options.gridNames.size() - 2 * shared;
  }

  double spreadAt(size_t size, size_t variant) const {
    const std::vector<double>& spreads = sizes[size].spreads;
    return variant < spreads.size() ? spreads[variant] : 0;
  }

  bool mayServe(size_t variant, const std::vector<size_t>& in) const {
    return std::all_of(in.begin(), in.end(), [&](size_t size) {
      const std::vector<double>& times = sizes[size].times;
      if (variant >= times.size() || times[variant] <= 0) return false;
      const double tolerance = std::min(kMostTolerance, spreadAt(size, variant) + spreadAt(size, 0));
      return variant == 0 || times[variant] <= times[0] * (1 + tolerance);
    });
  }

  double lossAt(size_t variant, size_t size) const {
    return std::log(sizes[size].times[variant] / best[size]);
  }

  // The sum of the logarithms of the slowdowns.
  double lossOf(size_t variant, const std::vector<size_t>& in) const {
    double sum = 0;
    for (size_t size : in) sum += lossAt(variant, size);
    return sum;
  }

  std::pair<size_t, double> bestFor(const std::vector<size_t>& in) const {
    size_t chosen = 0;
    double least = kNever;
    const size_t variants = sizes[in.front()].times.size();
    for (size_t v = 0; v < variants; ++v) {
      if (!mayServe(v, in)) continue;
      if (const double loss = lossOf(v, in); loss < least) least = loss, chosen = v;
    }
    return {chosen, least};
  }

  static double lossOf(const SizeTree& tree, const Classifier& of) {
    return tree.isLeaf() ? of.lossOf(tree.variant, tree.sizes)
                         : lossOf(*tree.small, of) + lossOf(*tree.large, of);
  }

  std::unique_ptr<SizeTree> grown(const std::vector<size_t>& in) {
    auto tree = std::make_unique<SizeTree>();
    tree->sizes = in;
    double whole = 0;
    std::tie(tree->variant, whole) = bestFor(in);
    if (in.size() < 2 || whole <= 0) return tree;
    double least = kNever;
    std::vector<size_t> below, above;
    for (const std::vector<std::string>& feature : features) {
      std::vector<double> values;
      values.reserve(in.size());
      for (size_t size : in) values.push_back(productOf(feature, sizes[size].numbers));
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
      for (size_t i = 0; i + 1 < values.size(); ++i) {
        std::vector<size_t> low, high;
        for (size_t size : in)
          (productOf(feature, sizes[size].numbers) <= values[i] ? low : high).push_back(size);
        const double loss = bestFor(low).second + bestFor(high).second;
        if (loss >= least - 1e-12) continue;
        least = loss;
        tree->test.factors = feature;
        below = std::move(low);
        above = std::move(high);
      }
    }
    if (below.empty()) return tree;
    tree->small = grown(below);
    tree->large = grown(above);
    return tree;
  }

  // Gives up the test that brings least, where that is too little. False: all of them pay.
  bool prune(SizeTree& tree, double worthIt) {
    if (tree.isLeaf()) return false;
    if (prune(*tree.small, worthIt) || prune(*tree.large, worthIt)) return true;
    double spread = 0;
    for (size_t size : tree.sizes)
      for (const SizeTree* side : {tree.small.get(), tree.large.get()})
        if (side->isLeaf()) spread = std::max(spread, spreadAt(size, side->variant));
    const double gain = lossOf(tree.variant, tree.sizes) - lossOf(tree, *this);
    const auto more = static_cast<double>(tree.leaves() - 1);
    if (gain > more * std::max(worthIt, 2 * spread)) return false;
    tree.small.reset();
    tree.large.reset();
    return true;
  }

  // Tests of one product from small to large, so that each rules out what lies below it.
  static std::unique_ptr<SizeTree> ascending(std::unique_ptr<SizeTree> tree) {
    if (tree->isLeaf()) return tree;
    while (!tree->small->isLeaf() && tree->small->test.factors == tree->test.factors) {
      std::unique_ptr<SizeTree> first = std::move(tree->small);
      tree->small = std::move(first->large);
      tree->sizes = tree->small->sizes;
      tree->sizes.insert(tree->sizes.end(), tree->large->sizes.begin(), tree->large->sizes.end());
      first->sizes.insert(first->sizes.end(), tree->large->sizes.begin(), tree->large->sizes.end());
      first->large = std::move(tree);
      tree = std::move(first);
    }
    tree->small = ascending(std::move(tree->small));
    tree->large = ascending(std::move(tree->large));
    return tree;
  }

  // Small launches tend towards the time of a launch alone, where nothing can be gained: below the smallest
  // size a variant must not be taken that gains little there.
  std::unique_ptr<SizeTree> withoutGuesses(std::unique_ptr<SizeTree> tree) const {
    if (features.empty()) return tree;
    const std::vector<std::string>& factors = tree->isLeaf() ? features.front() : tree->test.factors;
    const TimedSize& least = *std::min_element(sizes.begin(), sizes.end(), [&](const auto& a, const auto& b) {
      return productOf(factors, a.numbers) < productOf(factors, b.numbers);
    });
    const size_t variant = tree->leafOf(least.numbers).variant;
    if (variant == 0 || least.times[0] >= options.sureGain * least.times[variant]) return tree;
    auto out = std::make_unique<SizeTree>();
    out->sizes = tree->sizes;
    out->test = {factors, static_cast<int64_t>(productOf(factors, least.numbers)) - 1};
    out->small = std::make_unique<SizeTree>();
    out->large = std::move(tree);
    return out;
  }

  // Numbers that people can read, so long as they stay between the two.
  static int64_t rounded(double value, double low, double high) {
    int64_t out = std::llround(value);
    for (int64_t unit = 1000; static_cast<double>(unit) * 100 <= value; unit *= 10) {
      const int64_t nearest = (out + unit / 2) / unit * unit;
      if (static_cast<double>(nearest) >= low && static_cast<double>(nearest) < high) out = nearest;
    }
    return std::clamp(out, static_cast<int64_t>(low), static_cast<int64_t>(high) - 1);
  }

  void place(SizeTree& tree) {
    if (tree.isLeaf()) return;
    place(*tree.small);
    place(*tree.large);
    size_t under = tree.small->sizes.front(), over = tree.large->sizes.front();
    auto at = [&](size_t size) { return productOf(tree.test.factors, sizes[size].numbers); };
    for (size_t size : tree.small->sizes)
      if (at(size) > at(under)) under = size;
    for (size_t size : tree.large->sizes)
      if (at(size) < at(over)) over = size;
    const double low = std::log(at(under)), high = std::log(at(over));
    double share = 0.5;  // of the way from low to high
    const size_t a = tree.small->leafOf(sizes[under].numbers).variant,
                 b = tree.large->leafOf(sizes[over].numbers).variant;
    // How far the variant is behind the original at either end; beyond the zero between them it would lose.
    auto behind = [&](size_t variant, size_t size) {
      const std::vector<double>& times = sizes[size].times;
      return times[variant] > 0 ? std::log(times[variant] / times[0]) : 1.0;
    };
    if ((a == 0) != (b == 0)) {
      const size_t variant = a == 0 ? b : a;
      const double left = behind(variant, under), right = behind(variant, over);
      if (left > 0 != right > 0) {
        const double zero = left / (left - right);
        share = a == 0 ? std::max(share, zero) : std::min(share, zero);
      }
    }
    tree.test.most = rounded(std::exp(low + share * (high - low)), at(under), at(over));
  }

  const std::vector<TimedSize>& sizes;
  const ClassOptions& options;
  std::vector<double> best;
  std::vector<std::vector<std::string>> features;
};

// Sizes on the way from one to the other, in steps that are the same part of each.
Numbers between(const Numbers& a, const Numbers& b, double share) {
  Numbers out;
  for (const auto& [name, from] : a) {
    const int64_t to = b.at(name);
    out[name] = from > 0 && to > 0 && from != to
                    ? std::llround(std::exp(std::log(static_cast<double>(from)) * (1 - share) +
                                            std::log(static_cast<double>(to)) * share))
                    : from;
  }
  return out;
}

void collectSides(const SizeTree& tree, const std::vector<TimedSize>& sizes, std::vector<TestSides>& out) {
  if (tree.isLeaf()) return;
  const auto at = [&](size_t size) { return productOf(tree.test.factors, sizes[size].numbers); };
  const auto less = [&](size_t x, size_t y) { return at(x) < at(y); };
  const Numbers& high =
      sizes[*std::min_element(tree.large->sizes.begin(), tree.large->sizes.end(), less)].numbers;
  Numbers low = high;
  if (!tree.small->sizes.empty())
    low = sizes[*std::max_element(tree.small->sizes.begin(), tree.small->sizes.end(), less)].numbers;
  else
    for (const std::string& name : tree.test.factors) low[name] = std::max<int64_t>(1, low[name] / 2);
  double from = 0, to = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (from + to) / 2;
    (tree.test.holds(between(low, high, middle)) ? from : to) = middle;
  }
  out.push_back({tree.test, between(low, high, from), between(low, high, to)});
  collectSides(*tree.small, sizes, out);
  collectSides(*tree.large, sizes, out);
}

}  // namespace

bool SizeTest::holds(const Numbers& numbers) const {
  return productOf(factors, numbers) <= static_cast<double>(most);
}

std::string SizeTest::product() const {
  std::string out;
  for (const std::string& name : factors) out += (out.empty() ? "" : " * ") + name;
  return out;
}

const SizeTree& SizeTree::leafOf(const Numbers& numbers) const {
  return isLeaf() ? *this : (test.holds(numbers) ? small : large)->leafOf(numbers);
}

std::unique_ptr<SizeTree> classesOf(const std::vector<TimedSize>& sizes, const ClassOptions& options) {
  return Classifier(sizes, options).run();
}

std::vector<TestSides> sidesOf(const SizeTree& tree, const std::vector<TimedSize>& sizes) {
  std::vector<TestSides> out;
  collectSides(tree, sizes, out);
  return out;
}

}  // namespace hone::tune
