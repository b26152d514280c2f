// The part of SizesTuner that makes classes of what was measured, and a dispatch of these.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/choose/TuneSizes.h"
#include "ir/Error.h"
#include "tune/DispatchPlan.h"

namespace hone::cli {

namespace {

// What the host pays for a temporary buffer of a plan, in microseconds; measurements are made with buffers
// that are there already.
constexpr double kBufferMicroseconds = 3;
// Products of sizes up to which the embedded device runs a kernel in a second or two.
constexpr double kMostWork = 1 << 21;

size_t buffersIn(const ir::Plan& plan) {
  size_t count = 0;
  for (const ir::Step& step : plan.steps) {
    count += std::holds_alternative<ir::BufferStep>(step);
    if (const auto* choice = std::get_if<ir::ChoiceStep>(&step))
      count += std::max(buffersIn(*choice->then), buffersIn(*choice->otherwise));
    if (const auto* loop = std::get_if<ir::LoopStep>(&step)) count += buffersIn(*loop->body);
  }
  return count;
}

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

std::string rangeText(const std::vector<tune::TimedSize>& sizes) {
  std::string below, above;
  for (const auto& [name, value] : sizes.front().numbers) {
    int64_t least = value, most = value;
    for (const tune::TimedSize& one : sizes) {
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

}  // namespace

std::map<std::string, int64_t> numbersOf(const device::Case& c) {
  std::map<std::string, int64_t> out;
  for (const ir::VarPtr& param : c.kernel->params)
    if (param->type->is(ir::TypeKind::Int))
      if (auto number = c.numbers.find(param->name); number != c.numbers.end())
        out[param->name] = number->second.value.asWhole();
  return out;
}

// What a plan comes to at a point: source, launches and buffers as one text.
std::string SizesTuner::jobAt(const SizedKernel& sized, const TunedKernel& at, const ir::Plan& plan) {
  return tune::variantKey(tune::planJob(plan, sized.file.import.module, at.c, at.data).variant);
}

std::vector<tune::TimedSize> SizesTuner::times(const SizedKernel& sized,
                                               const std::set<size_t>& without) const {
  std::vector<tune::TimedSize> out;
  for (size_t i = 0; i < points.size(); ++i) {
    tune::TimedSize one;
    one.numbers = numbersOf(sized.at[i]->c);
    const std::string original = jobAt(sized, *sized.at[i], *sized.variants.front().plan);
    for (size_t v = 0; v < sized.variants.size(); ++v) {
      const bool isThere = v < sized.isMeasured[i].size() && sized.isMeasured[i][v];
      size_t from = v;
      // Conditions that do not hold there make it the original.
      if (v > 0 && !(isThere && sized.measured[i][v].isOk())) {
        try {
          if (jobAt(sized, *sized.at[i], *sized.variants[v].plan) == original) from = 0;
        } catch (const Error&) {}
      }
      const bool isOk = from == 0 || (isThere && sized.measured[i][v].isOk());
      const worker::Timing& timing = sized.measured[i][from].result.timing;
      if (!isOk || timing.median <= 0 || without.contains(v)) {
        one.times.push_back(0);
        one.spreads.push_back(0);
        continue;
      }
      const double more =
          from == 0 ? 0 : static_cast<double>(buffersIn(*sized.variants[v].plan)) * kBufferMicroseconds;
      one.times.push_back(timing.median + more);
      one.spreads.push_back((timing.high - timing.low) / 2 / timing.median);
    }
    out.push_back(std::move(one));
  }
  return out;
}

void SizesTuner::pick(SizedKernel& sized, report::SizesReport& about, MadePlan& out, const TuneNote& note) {
  about.variants = sized.variants.size() - 1;
  for (const auto& row : sized.measured)
    for (const tune::Measurement& one : row) about.known += one.isKnown;
  device::JudgeOptions judge = sized.at.front()->judge;
  std::set<size_t> wrong, right = {0};
  std::vector<tune::TimedSize> sizes;
  std::unique_ptr<tune::SizeTree> tree;
  tune::ClassOptions classes;
  for (const device::Guard& guard : sized.at.front()->c.facts->guards)
    if (guard.coords.block != 0) classes.gridNames.insert(guard.params.begin(), guard.params.end());
  for (bool isRight = false; !isRight;) {
    sizes = times(sized, wrong);
    tree = tune::classesOf(sizes, classes);
    isRight = true;
    std::set<size_t> used;
    for (const tune::TimedSize& one : sizes) used.insert(tree->leafOf(one.numbers).variant);
    for (size_t v : used) {
      if (right.contains(v)) continue;
      const std::string recipe = passes::str(sized.variants[v].recipe);
      note(fmt::format("verifying {}", recipe));
      const device::Judgement judged =
          device::verify(sized.maker, sized.variants.front().plan, sized.variants[v].plan, judge);
      if (judged.equal && judged.errors() == 0) {
        right.insert(v);
        continue;
      }
      about.rejected.push_back(recipe);
      wrong.insert(v);
      isRight = false;
    }
  }
  std::vector<ir::PlanPtr> plans;
  plans.reserve(sized.variants.size());
  for (const tune::Variant& variant : sized.variants) plans.push_back(variant.plan);
  const tune::Dispatch dispatch = tune::dispatchPlan(*tree, plans);
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
    about.rows.push_back({device::sizesText(sized.at[i]->c.sizes()), sizes[i].times[0], sizes[i].spreads[0],
                          sizes[i].times[v], sizes[i].times[best], nameOf(v),
                          passes::str(sized.variants[best].recipe), v});
    gain += std::log(sizes[i].times[0] / sizes[i].times[v]);
  }
  if (tree->isLeaf() && tree->variant == 0) {
    about.reason = "nothing that was measured is faster than the original at any of the sizes";
    return;
  }
  std::function<void(const tune::SizeTree&, const Bounds&)> describe = [&](const tune::SizeTree& node,
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
    about.classes.push_back(fmt::format("{}, {}: {}", nameOf(node.variant), boundsText(where),
                                        recipe.empty() ? "as it is" : recipe));
    if (node.variant != 0)
      for (const passes::Remark& remark : sized.variants[node.variant].remarks)
        out.result.remarks.push_back(remark);
  };
  describe(*tree, {});
  about.checked = checkDispatch(sized, *tree, sizes, plans, *dispatch.plan, judge, note);
  out.recipe = fmt::format("by size, measured on {} at {} sizes", about.device.name, sizes.size());
  for (const std::string& line : about.classes) out.recipe += "\n  " + line;
  out.recipe += "\n  " + rangeText(sizes);
  out.result.plan = dispatch.plan;
  out.verified = true;
  out.speedup = std::exp(gain / static_cast<double>(sizes.size()));
}

// At every size and on both sides of every test the dispatch must come to what its class says; where the
// embedded device can afford it both are run.
std::string SizesTuner::checkDispatch(const SizedKernel& sized, const tune::SizeTree& tree,
                                      const std::vector<tune::TimedSize>& sizes,
                                      const std::vector<ir::PlanPtr>& plans, const ir::Plan& dispatch,
                                      const device::JudgeOptions& judge, const TuneNote& note) {
  std::set<std::map<std::string, int64_t>> all;
  for (const tune::TimedSize& one : sizes) all.insert(one.numbers);
  for (const tune::TestSides& sides : tune::sidesOf(tree, sizes)) {
    all.insert(sides.small);
    all.insert(sides.large);
  }
  size_t ran = 0;
  const auto whole = std::make_shared<ir::Plan>(dispatch);
  for (const auto& numbers : all) {
    tune::SizePoint point;
    double work = 1;
    for (const auto& [name, value] : sizes.front().numbers)
      if (std::any_of(sizes.begin(), sizes.end(),
                      [&, &n = name, v = value](const tune::TimedSize& s) { return s.numbers.at(n) != v; })) {
        point[name] = std::to_string(numbers.at(name));
        work *= static_cast<double>(numbers.at(name));
      }
    const auto setup = setupAt(point);
    const auto at = prepareToTune(sized.context, setup->makerOf(sized.file, sized.kernel),
                                  sized.kernel.kernel, request.run, [](const std::string&) {});
    const std::string text = device::sizesText(at->c.sizes());
    const size_t v = tree.leafOf(numbersOf(at->c)).variant;
    note(fmt::format("checking the dispatch at {}", text));
    if (jobAt(sized, *at, dispatch) != jobAt(sized, *at, *plans[v]))
      throw Error(fmt::format("internal: the dispatch takes the wrong class at {}; please report", text), 1);
    if (work > kMostWork) continue;
    device::JudgeOptions here = judge;
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

}  // namespace hone::cli
