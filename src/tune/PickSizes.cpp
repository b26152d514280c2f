#include "tune/PickSizes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "ir/Error.h"
#include "tune/DispatchPlan.h"

namespace hone::tune {

namespace {

// Products of sizes up to which the embedded device runs a kernel in a second or two.
constexpr double kMostWork = 1 << 21;

// By product of sizes: more than, and at most; 0: no bound.
using Bounds = std::map<std::string, std::pair<int64_t, int64_t>>;

std::string boundsText(const Bounds& bounds) {
  std::string out;
  for (const auto& [product, bound] : bounds) {
    const auto [low, high] = bound;
    out += out.empty() ? "" : " and ";
    out += low && high ? fmt::format("{} < {} <= {}", low, product, high)
           : high      ? fmt::format("{} <= {}", product, high)
                       : fmt::format("{} > {}", product, low);
  }
  return out.empty() ? "all sizes" : out;
}

std::string rangeText(const std::vector<TimedSize>& sizes) {
  std::string below, above;
  for (const auto& [name, value] : sizes.front().numbers) {
    int64_t least = value, most = value;
    for (const TimedSize& one : sizes) {
      least = std::min(least, one.numbers.at(name));
      most = std::max(most, one.numbers.at(name));
    }
    if (least == most) continue;
    below += fmt::format("{}{}={}", below.empty() ? "" : ", ", name, least);
    above += fmt::format("{}{}={}", above.empty() ? "" : ", ", name, most);
  }
  return fmt::format("not measured: below {} and above {}, where the class at that end is taken", below,
                     above);
}

// At every size and on both sides of every test the dispatch must come to what its class says; where the
// embedded device can afford it both are run.
std::string checkDispatch(const SizedKernel& sized, const SizeTree& tree, const std::vector<TimedSize>& sizes,
                          const std::vector<ir::PlanPtr>& plans, const ir::Plan& dispatch,
                          const MakerAt& makerAt, const sim::RunOptions& run, const TuneListener& listener) {
  const TuneListener quiet{[](const std::string&) {}, listener.warn};
  std::set<std::map<std::string, int64_t>> all;
  for (const TimedSize& one : sizes) all.insert(one.numbers);
  for (const TestSides& sides : sidesOf(tree, sizes)) {
    all.insert(sides.small);
    all.insert(sides.large);
  }
  size_t ran = 0;
  const auto whole = std::make_shared<ir::Plan>(dispatch);
  for (const auto& numbers : all) {
    SizePoint point;
    double work = 1;
    for (const auto& [name, value] : sizes.front().numbers)
      if (std::any_of(sizes.begin(), sizes.end(),
                      [&, &n = name, v = value](const TimedSize& s) { return s.numbers.at(n) != v; })) {
        point[name] = std::to_string(numbers.at(name));
        work *= static_cast<double>(numbers.at(name));
      }
    const std::shared_ptr<const device::CaseMaker> maker = makerAt(point);
    const auto at = prepareToTune(sized.context, *maker, sized.kernel, run, quiet);
    const std::string text = device::sizesText(at->c.sizes());
    const size_t v = tree.leafOf(numbersOf(at->c)).variant;
    listener.note(fmt::format("checking the dispatch at {}", text));
    if (sized.jobAt(*at, dispatch) != sized.jobAt(*at, *plans[v]))
      throw Error(fmt::format("internal: the dispatch takes the wrong class at {}; please report", text), 1);
    if (work > kMostWork) continue;
    device::JudgeOptions here = sized.at.front()->judge;
    here.exactSizes = true;
    const device::Judgement judged = device::verify(at->maker, sized.variants.front().plan, whole, here);
    if (!judged.equal || judged.errors() > 0)
      throw Error(fmt::format("internal: the dispatch is wrong at {}; please report", text), 1);
    ++ran;
  }
  return fmt::format(
      "dispatch checked at {} sizes, among them both sides of every threshold; {} of them run on "
      "the embedded device",
      all.size(), ran);
}

}  // namespace

PickedSizes pickSizes(const SizedKernel& sized, const MakerAt& makerAt, const sim::RunOptions& run,
                      const TuneListener& listener) {
  PickedSizes out;
  const device::JudgeOptions& judge = sized.at.front()->judge;
  std::set<size_t> wrong, right = {0};
  std::vector<TimedSize> sizes;
  std::unique_ptr<SizeTree> tree;
  ClassOptions classes;
  for (const device::Guard& guard : sized.at.front()->c.facts->guards)
    if (guard.coords.block != 0) classes.gridNames.insert(guard.params.begin(), guard.params.end());
  for (bool isRight = false; !isRight;) {
    sizes = sized.times(wrong);
    tree = classesOf(sizes, classes);
    isRight = true;
    std::set<size_t> used;
    for (const TimedSize& one : sizes) used.insert(tree->leafOf(one.numbers).variant);
    for (size_t v : used) {
      if (right.contains(v)) continue;
      const std::string recipe = passes::str(sized.variants[v].recipe);
      listener.note(fmt::format("verifying {}", recipe));
      const device::Judgement judged =
          device::verify(sized.maker, sized.variants.front().plan, sized.variants[v].plan, judge);
      if (judged.passed()) {
        right.insert(v);
        continue;
      }
      out.rejected.push_back(recipe);
      wrong.insert(v);
      isRight = false;
    }
  }
  std::vector<ir::PlanPtr> plans;
  plans.reserve(sized.variants.size());
  for (const Variant& variant : sized.variants) plans.push_back(variant.plan);
  const Dispatch dispatch = dispatchPlan(*tree, plans);
  auto nameOf = [&](size_t v) {
    const auto named = dispatch.names.find(v);
    return v == 0 ? std::string("the original") : named == dispatch.names.end() ? "optimized" : named->second;
  };
  double gain = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const size_t v = tree->leafOf(sizes[i].numbers).variant;
    size_t best = 0;
    for (size_t other = 0; other < sizes[i].times.size(); ++other)
      if (sizes[i].times[other] > 0 && sizes[i].times[other] < sizes[i].times[best]) best = other;
    out.rows.push_back({device::sizesText(sized.at[i]->c.sizes()), sizes[i].times[0], sizes[i].spreads[0],
                        sizes[i].times[v], sizes[i].times[best], nameOf(v),
                        passes::str(sized.variants[best].recipe), v});
    gain += std::log(sizes[i].times[0] / sizes[i].times[v]);
  }
  if (tree->isLeaf() && tree->variant == 0) {
    out.reason = "nothing that was measured is faster than the original at any of the sizes";
    return out;
  }
  std::function<void(const SizeTree&, const Bounds&)> describe = [&](const SizeTree& node,
                                                                     const Bounds& where) {
    if (!node.isLeaf()) {
      Bounds below = where, above = where;
      below[node.test.product()].second = node.test.most;
      above[node.test.product()].first = node.test.most;
      describe(*node.small, below);
      describe(*node.large, above);
      return;
    }
    const std::string recipe = passes::str(sized.variants[node.variant].recipe);
    out.classes.push_back(fmt::format("{}, {}: {}", nameOf(node.variant), boundsText(where),
                                      recipe.empty() ? "as it is" : recipe));
    if (node.variant != 0)
      for (const passes::Remark& remark : sized.variants[node.variant].remarks) out.remarks.push_back(remark);
  };
  describe(*tree, {});
  out.checked = checkDispatch(sized, *tree, sizes, plans, *dispatch.plan, makerAt, run, listener);
  out.range = rangeText(sizes);
  out.plan = dispatch.plan;
  out.speedup = std::exp(gain / static_cast<double>(sizes.size()));
  return out;
}

}  // namespace hone::tune
