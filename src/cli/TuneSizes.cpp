#include "cli/TuneSizes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/Command.h"
#include "ir/Compare.h"
#include "ir/Error.h"
#include "report/Progress.h"
#include "tune/DispatchPlan.h"
#include "tune/EmbeddedMeter.h"
#include "tune/UniformDraws.h"

namespace hone::cli {

namespace {

// What the host pays for a temporary buffer of a plan, in microseconds; measurements are made with buffers that are there already.
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

// The whole numbers among the parameters.
std::map<std::string, int64_t> numbersOf(const device::Case& c) {
  std::map<std::string, int64_t> out;
  for (const ir::VarPtr& param : c.kernel->params)
    if (param->type->is(ir::TypeKind::Int))
      if (auto number = c.numbers.find(param->name); number != c.numbers.end())
        out[param->name] = number->second.value.asWhole();
  return out;
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

// A kernel at every point.
struct SizesTuner::Sized {
  const GivenFile& file;
  const frontend::ImportedKernel& kernel;
  passes::PassContext context;
  const device::CaseMaker& maker;                     // without the sizes
  std::vector<std::unique_ptr<TunedKernel>> at = {};  // by point
  std::vector<tune::Variant> variants = {};           // the original first
  std::map<std::string, size_t> byRecipe = {};
  std::vector<std::vector<tune::Measurement>> measured = {};  // by point and variant
  std::vector<std::vector<bool>> isMeasured = {};

  // The number of the variant.
  size_t add(const tune::Variant& variant) {
    const auto [found, isNew] = byRecipe.emplace(passes::str(variant.recipe), variants.size());
    if (isNew) variants.push_back(variant);
    return found->second;
  }
  void put(size_t point, size_t variant, tune::Measurement measurement) {
    for (auto& row : measured) row.resize(variants.size());
    for (auto& row : isMeasured) row.resize(variants.size());
    measured[point][variant] = std::move(measurement);
    isMeasured[point][variant] = true;
  }
};

SizesTuner::SizesTuner(const PassOptions& passOptions, const device::Settings& settings,
                       std::vector<tune::SizePoint> sizePoints, DisplayNames& displayNames,
                       TuneRequest tuneRequest)
    : options(passOptions),
      commandLine(settings),
      points(std::move(sizePoints)),
      names(displayNames),
      request(std::move(tuneRequest)),
      address(device::workerAddress(request.device)),
      base(passOptions, settings) {
  if (!request.store.empty()) store = std::make_unique<tune::Store>(request.store);
  request.run.print = [](const std::string&) {};
  own.resize(points.size());
  for (const auto& [name, value] : points.front())
    if (commandLine.set.contains(name)) throw Error(fmt::format("'{}' stands in --set and in --sizes", name));
}

std::unique_ptr<PassSetup> SizesTuner::setupAt(const tune::SizePoint& point) const {
  device::Settings settings = commandLine;
  for (const auto& [name, value] : point) settings.set[name] = {value, "--sizes " + name};
  return std::make_unique<PassSetup>(options, settings);
}

std::unique_ptr<SizesTuner::Sized> SizesTuner::prepare(const GivenFile& file,
                                                       const frontend::ImportedKernel& kernel,
                                                       const TuneNote& note) {
  auto out =
      std::make_unique<Sized>(Sized{file, kernel, base.contextFor(file, kernel), base.makerOf(file, kernel)});
  std::set<std::map<std::string, int64_t>> different;
  for (size_t i = 0; i < points.size(); ++i) {
    if (!own[i]) own[i] = setupAt(points[i]);
    out->at.push_back(
        prepareToTune(out->context, own[i]->makerOf(file, kernel), kernel.kernel, request.run, note));
    const device::Case& c = out->at.back()->c;
    different.insert(numbersOf(c));
    if (c.block != out->context.block)
      throw Error(fmt::format("its block is {} at {} and {} elsewhere; give one with --block",
                              device::extentsText(c.block), device::sizesText(c.sizes()),
                              device::extentsText(out->context.block)),
                  1);
  }
  if (different.size() < points.size())
    throw Error("two of the sizes are the same for it: --sizes must name whole numbers among its parameters",
                1);
  tune::Variant original;
  original.plan = ir::originalPlan(kernel.kernel);
  out->measured.resize(points.size());
  out->isMeasured.resize(points.size());
  out->add(original);
  return out;
}

MadePlan SizesTuner::made(const frontend::ImportedKernel& kernel,
                          const std::function<void(report::SizesReport&, MadePlan&, const TuneNote&)>& make) {
  report::SizesReport about;
  about.kernel = withArguments(kernel.name, kernel.templateArgs);
  about.place = placeOf(kernel.loc, names);
  MadePlan out;
  out.isShown = true;
  {
    report::Progress progress(0);
    const TuneNote note = [&](const std::string& what) {
      progress.step(fmt::format("{}: {}", about.kernel, what));
    };
    try {
      make(about, out, note);
    } catch (const Error& error) {
      if (error.status == exitCommand) throw;
      about.reason = error.what();
    }
  }
  fmt::print(stderr, "{}", report::toText(about));
  if (!out.result.plan)
    out.result.remarks.push_back({passes::RemarkKind::LeftAlone, kernel.loc, kernel.name, about.reason, {}});
  return out;
}

void SizesTuner::addGiven(Sized& sized) {
  for (const std::string& text : request.recipes) {
    tune::Variant variant;
    variant.recipe = passes::parseRecipe(text);
    passes::PassResult applied =
        passes::applyRecipe(sized.variants.front().plan, variant.recipe, sized.context);
    if (!applied.plan) {
      fmt::print(stderr, "{}: recipe '{}' does not apply: {}\n", sized.kernel.name, text,
                 applied.remarks.empty() ? "nothing to do" : applied.remarks.back().text);
      continue;
    }
    variant.plan = applied.plan;
    variant.remarks = std::move(applied.remarks);
    sized.add(variant);
  }
}

// The model's best at some of the sizes in turn, then variants that it did not look at.
void SizesTuner::propose(Sized& sized, size_t most, const TuneNote& note) {
  addGiven(sized);
  most += sized.variants.size() - 1;
  if (request.tune.strategy == tune::Strategy::Exhaustive) {
    tune::Space space(sized.variants.front().plan, sized.context);
    for (const tune::Variant& variant : space.all(most + 1)) sized.add(variant);
    return;
  }
  std::set<uint64_t> seen = {ir::hash(*sized.variants.front().plan)};
  auto add = [&](const tune::Variant& variant) {
    if (!seen.insert(ir::hash(*variant.plan)).second) return false;
    sized.add(variant);
    return true;
  };
  if (request.tune.strategy != tune::Strategy::Random) {
    std::vector<tune::Choice> choices;
    std::set<size_t> at = {0, points.size() / 2, points.size() - 1};
    for (size_t i : at) {
      note(fmt::format("ranking at size {} of {}", i + 1, points.size()));
      choices.push_back(rankVariants(*sized.at[i], note));
    }
    for (size_t rank = 0; sized.variants.size() <= (most + 1) / 2; ++rank) {
      bool isAny = false;
      for (const tune::Choice& choice : choices)
        if (rank < choice.ranked.size()) isAny = true, add(choice.ranked[rank]);
      if (!isAny) break;
    }
  }
  tune::Space space(sized.variants.front().plan, sized.context);
  tune::UniformDraws draws(space, request.tune.seed);
  while (sized.variants.size() <= most) {
    note(fmt::format("{} of {} variants", sized.variants.size() - 1, most));
    const std::optional<tune::Variant> variant = draws.next();
    if (!variant) break;
    add(*variant);
  }
}

void SizesTuner::bundle(const GivenFile& file, const frontend::ImportedKernel& kernel,
                        tune::BundleWriter& into) {
  if (isEmbedded()) throw Error("a bundle is for a real device; leave --device out or name one", exitCommand);
  const std::string name = withArguments(kernel.name, kernel.templateArgs);
  report::Progress progress(0);
  const TuneNote note = [&](const std::string& what) { progress.step(fmt::format("{}: {}", name, what)); };
  try {
    const auto sized = prepare(file, kernel, note);
    propose(*sized, request.tune.mostVariants, note);
    for (size_t i = 0; i < points.size(); ++i) {
      const TunedKernel& at = *sized->at[i];
      worker::CaseSpec spec = tune::caseSpecOf(at.c, at.data, tune::MeasurerOptions().operations);
      const bool isOpenCL = kernel.kernel->language == ir::Language::OpenCL;
      spec.device = !address.device.empty() ? address.device : isOpenCL ? "opencl:0:0" : "cuda:0";
      const std::string sizes = device::sizesText(at.c.sizes());
      const size_t before = into.size();
      into.addCase(spec, name, sizes, at.original, file.import.module, at.c, at.data,
                   tune::MeasurerOptions().isExact);
      for (size_t v = 1; v < sized->variants.size(); ++v) {
        note(fmt::format("writing variants at {}", sizes));
        into.add(sized->variants[v]);
      }
      fmt::print(stderr, "{}: {}: {} variants at {}\n", placeOf(kernel.loc, names), name,
                 into.size() - before - 1, sizes);
    }
  } catch (const Error& error) {
    if (error.status == exitCommand) throw;
    fmt::print(stderr, "{}: {}: left out: {}\n", placeOf(kernel.loc, names), name, error.what());
  }
}

std::unique_ptr<tune::Meter> SizesTuner::meterFor(const GivenFile& file, const TunedKernel& at,
                                                  tune::PlanEstimator& estimator) {
  if (isEmbedded()) return std::make_unique<tune::EmbeddedMeter>(estimator, at.original, at.context.target);
  if (!client) client = std::make_unique<device::WorkerClient>(address);
  tune::MeasurerOptions wanted;
  wanted.device = address.device;
  return std::make_unique<tune::Measurer>(*client, store.get(), file.import.module, at.c, at.data,
                                          at.original, wanted);
}

MadePlan SizesTuner::tune(const GivenFile& file, const frontend::ImportedKernel& kernel) {
  return made(kernel, [&](report::SizesReport& about, MadePlan& out, const TuneNote& note) {
    const auto sized = prepare(file, kernel, note);
    addGiven(*sized);
    std::vector<std::unique_ptr<tune::PlanEstimator>> estimators(points.size());
    std::vector<std::unique_ptr<tune::Meter>> meters(points.size());
    // A worker holds one case at a time.
    auto turnTo = [&](size_t point) {
      for (const auto& other : meters)
        if (auto* measurer = dynamic_cast<tune::Measurer*>(other.get())) measurer->leave();
      if (meters[point]) return;
      const TunedKernel& at = *sized->at[point];
      estimators[point] = std::make_unique<tune::PlanEstimator>(at.maker, at.original, at.context.target);
      meters[point] = meterFor(file, at, *estimators[point]);
      sized->put(point, 0, meters[point]->original());
      about.device = meters[point]->device();
    };
    tune::TuneOptions search = request.tune;
    search.mostVariants = std::max<size_t>(1, request.tune.mostVariants / points.size());
    search.mostSeconds = request.tune.mostSeconds / 2 / static_cast<double>(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
      TunedKernel& at = *sized->at[i];
      const std::string sizes = device::sizesText(at.c.sizes());
      const tune::Choice choice = rankVariants(at, note);
      turnTo(i);
      tune::Space space(at.original, at.context);
      search.note = note;
      search.progress = [&](const tune::Measurement&, size_t count, const tune::Measurement& best) {
        note(fmt::format("{}: {} of {} measured, best {:.2f} us", sizes, count, search.mostVariants,
                         best.result.timing.median));
      };
      const tune::TuneOutcome outcome = tune::tune(
          space, *meters[i], choice.ranked,
          [&](tune::Variant& variant) { variant.estimate = estimators[i]->of(variant.plan); }, search);
      for (const tune::Tried& one : outcome.tried) sized->put(i, sized->add(one.variant), one.measurement);
    }
    for (size_t i = 0; i < points.size(); ++i) {
      turnTo(i);
      for (size_t v = 1; v < sized->variants.size(); ++v) {
        note(fmt::format("{}: variant {} of {}", device::sizesText(sized->at[i]->c.sizes()), v,
                         sized->variants.size() - 1));
        if (sized->isMeasured[i].size() <= v || !sized->isMeasured[i][v])
          sized->put(i, v, meters[i]->measure(sized->variants[v]));
      }
    }
    pick(*sized, about, out, note);
  });
}

MadePlan SizesTuner::fromBundle(const GivenFile& file, const frontend::ImportedKernel& kernel,
                                const tune::BundleResults& results) {
  return made(kernel, [&](report::SizesReport& about, MadePlan& out, const TuneNote& note) {
    const auto sized = prepare(file, kernel, note);
    std::map<std::string, size_t> caseIds, before;
    for (size_t i = 0; i < points.size(); ++i) {
      const std::string key = tune::caseKey(
          tune::caseSpecOf(sized->at[i]->c, sized->at[i]->data, tune::MeasurerOptions().operations));
      caseIds[tune::bundleCase(key, before[key]++)] = i;
    }
    note("applying the recipes again");
    std::set<std::string> gone;
    for (const tune::BundleResults::One& one : results.all) {
      const auto found = caseIds.find(one.variant.caseId);
      if (found == caseIds.end() || gone.contains(one.variant.recipe)) continue;
      about.device = results.devices.at(one.variant.caseId);
      if (!sized->byRecipe.contains(one.variant.recipe)) {
        tune::Variant variant;
        variant.recipe = passes::parseRecipe(one.variant.recipe);
        passes::PassResult again =
            passes::applyRecipe(sized->variants.front().plan, variant.recipe, sized->context);
        if (!again.plan) {
          gone.insert(one.variant.recipe);
          continue;
        }
        variant.plan = again.plan;
        variant.remarks = std::move(again.remarks);
        sized->add(variant);
      }
      sized->put(found->second, sized->byRecipe.at(one.variant.recipe),
                 {one.variant.recipe, one.result, one.variant.predicted, false});
    }
    for (size_t i = 0; i < points.size(); ++i)
      if (sized->measured[i].empty() || !sized->measured[i][0].isOk() ||
          sized->measured[i][0].result.timing.median <= 0)
        throw Error(fmt::format("the bundle has no results for it at {}; give the sizes and flags that the "
                                "bundle was made with",
                                device::sizesText(sized->at[i]->c.sizes())),
                    1);
    pick(*sized, about, out, note);
  });
}

// What a plan comes to at a point: source, launches and buffers as one text.
std::string SizesTuner::jobAt(const Sized& sized, const TunedKernel& at, const ir::Plan& plan) {
  return tune::variantKey(tune::planJob(plan, sized.file.import.module, at.c, at.data).variant);
}

std::vector<tune::TimedSize> SizesTuner::times(const Sized& sized, const std::set<size_t>& without) const {
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

void SizesTuner::pick(Sized& sized, report::SizesReport& about, MadePlan& out, const TuneNote& note) {
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
                          passes::str(sized.variants[best].recipe)});
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

// At every size and on both sides of every test the dispatch must come to what its class says; where the embedded device can afford it both are run.
std::string SizesTuner::checkDispatch(const Sized& sized, const tune::SizeTree& tree,
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
