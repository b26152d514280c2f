#include "tune/PayingRegion.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace hone::tune {

namespace {

// Products that launches are told apart by fit 64 bits with room to spare.
constexpr double mostProduct = 1e17;
// Values nearer to each other than this are one: shapes that are alike in a product are not told apart by it.
constexpr double leastStep = 1.05;
// What a bound more must bring, as the logarithm of a gain.
constexpr double costOfBound = 0.05, costOfFactor = 0.005;

using Sizes = std::map<std::string, int64_t>;
using Mask = uint64_t;  // of the sizes that are known

// A product of sizes, and the places between its values at which it can be cut.
struct Feature {
  std::vector<std::string> factors;
  std::vector<double> values;  // by known size
  double cost = 0;
};

struct Cut {
  const Feature* feature = nullptr;
  double low = 0, high = 0;  // neighbouring values, between which it lies
  bool isSmall = true;
  Mask inside = 0;
};

class RegionFinder {
 public:
  RegionFinder(const std::vector<GainAt>& estimates, const std::set<std::string>& grid)
      : known(estimates), gridNames(grid) {
    for (size_t i = 0; i < known.size(); ++i) {
      all |= Mask(1) << i;
      if (known[i].gain < 1) losing |= Mask(1) << i;
    }
  }

  PayingRegion run() {
    if (losing & 1) return {true, {}};
    findFeatures();
    findCuts();
    if (!(losing & all)) return {};
    std::vector<const Cut*> best;
    double most = 0;
    const auto consider = [&](const std::vector<const Cut*>& some) {
      Mask mask = all;
      double worth = 0;
      for (const Cut* cut : some) mask &= cut->inside, worth -= costOfBound + cut->feature->cost;
      if (!(mask & 1) || (mask & losing)) return;
      for (size_t i = 0; i < known.size(); ++i)
        if (mask >> i & 1) worth += std::log(known[i].gain);
      if (best.empty() || worth > most + 1e-9) best = some, most = worth;
    };
    for (const Cut& one : cuts) consider({&one});
    for (size_t i = 0; i < cuts.size(); ++i)
      for (size_t k = i + 1; k < cuts.size(); ++k) consider({&cuts[i], &cuts[k]});
    if (best.empty()) return {true, {}};
    PayingRegion out;
    for (size_t i = 0; i < best.size(); ++i) {
      Mask others = all;
      for (size_t k = 0; k < best.size(); ++k)
        if (k != i) others &= best[k]->inside;
      out.bounds.push_back({{best[i]->feature->factors, placeOf(*best[i], others)}, best[i]->isSmall});
    }
    return out;
  }

 private:
  static double productOf(const std::vector<std::string>& factors, const Sizes& sizes) {
    double product = 1;
    for (const std::string& name : factors) product *= static_cast<double>(sizes.at(name));
    return product;
  }

  // Names that change, their products in pairs, and the product of those that decide about threads.
  void findFeatures() {
    std::vector<std::string> names, ofGrid;
    for (const auto& [name, value] : known.front().sizes)
      if (std::any_of(known.begin(), known.end(),
                      [&, &n = name, v = value](const GainAt& one) { return one.sizes.at(n) != v; })) {
        names.push_back(name);
        if (gridNames.contains(name)) ofGrid.push_back(name);
      }
    std::vector<std::vector<std::string>> products;
    for (const std::string& name : names) products.push_back({name});
    for (size_t i = 0; i < names.size(); ++i)
      for (size_t k = i + 1; k < names.size(); ++k) products.push_back({names[i], names[k]});
    if (ofGrid.size() > 2) products.push_back(ofGrid);
    for (std::vector<std::string>& factors : products) {
      Feature feature;
      for (const GainAt& one : known) feature.values.push_back(productOf(factors, one.sizes));
      if (*std::max_element(feature.values.begin(), feature.values.end()) > mostProduct) continue;
      if (*std::min_element(feature.values.begin(), feature.values.end()) <= 0) continue;
      size_t shared = 0;
      for (const std::string& name : factors) shared += gridNames.contains(name);
      const bool isGrid = shared == factors.size() && shared == gridNames.size();
      feature.cost = isGrid ? 0 : costOfFactor * static_cast<double>(factors.size());
      feature.factors = std::move(factors);
      features.push_back(std::move(feature));
    }
  }

  void findCuts() {
    for (const Feature& feature : features) {
      std::vector<double> values = feature.values;
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
      for (size_t i = 0; i + 1 < values.size(); ++i) {
        if (values[i + 1] < leastStep * values[i]) continue;
        for (const bool isSmall : {true, false}) {
          Cut cut{&feature, values[i], values[i + 1], isSmall, 0};
          for (size_t at = 0; at < known.size(); ++at)
            if ((feature.values[at] <= values[i]) == isSmall) cut.inside |= Mask(1) << at;
          cuts.push_back(cut);
        }
      }
    }
  }

  // Numbers that people can read, so long as they stay between the two.
  static int64_t rounded(double value, double low, double high) {
    auto out = static_cast<int64_t>(value);
    for (int64_t unit = 1000; static_cast<double>(unit) * 100 <= value; unit *= 10) {
      const int64_t nearest = (out + unit / 2) / unit * unit;
      if (static_cast<double>(nearest) >= low && static_cast<double>(nearest) < high) out = nearest;
    }
    return std::clamp(out, static_cast<int64_t>(low), static_cast<int64_t>(high) - 1);
  }

  // `others`: the sizes that the other bounds leave, of which this one cuts off those that lose.
  int64_t placeOf(const Cut& cut, Mask others) const {
    const double inner = cut.isSmall ? cut.low : cut.high, outer = cut.isSmall ? cut.high : cut.low;
    // The least gain next to the cut inside, and the worst loss next to it outside.
    std::optional<double> within, beyond;
    for (size_t i = 0; i < known.size(); ++i) {
      if (!(others >> i & 1)) continue;
      if (cut.feature->values[i] == inner) within = std::min(within.value_or(known[i].gain), known[i].gain);
      if (cut.feature->values[i] == outer) beyond = std::min(beyond.value_or(known[i].gain), known[i].gain);
    }
    double share = 0.5;  // of the way from what is inside
    if (within && beyond && *within > 1 && *beyond < 1)
      share = std::min(share, std::log(*within) / (std::log(*within) - std::log(*beyond)));
    const double low = cut.low, high = cut.high;
    const double from = std::log(inner), to = std::log(outer);
    return rounded(std::exp(from + share * (to - from)), low, high);
  }

  const std::vector<GainAt>& known;
  const std::set<std::string>& gridNames;
  Mask all = 0, losing = 0;
  std::vector<Feature> features;
  std::vector<Cut> cuts;
};

}  // namespace

PayingRegion payingRegion(const std::vector<GainAt>& known, const std::set<std::string>& gridNames) {
  return RegionFinder(known, gridNames).run();
}

}  // namespace hone::tune
