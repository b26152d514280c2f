#include "tune/WherePays.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "affine/ToExpr.h"
#include "device/Judge.h"
#include "ir/Build.h"
#include "ir/Error.h"
#include "ir/SafeTests.h"
#include "passes/edit/LoopEdit.h"
#include "passes/host/PlanEdit.h"
#include "sim/execute/TimeLimit.h"
#include "tune/CaseLengths.h"
#include "tune/SizeProduct.h"

namespace hone::tune {

using namespace ir;

namespace {

// Estimates of two variants of a kernel at one size are seldom further from the truth than this
// (docs/results/choosing.md).
constexpr double errorOfModel = 1.1, smallGain = 1.03;
// Below this a launch alone takes most of the time, and small differences say nothing.
constexpr double timeOfLaunch = 4e-6;
constexpr size_t mostScales = 14;
constexpr size_t mostSeen = 6;  // captured launches, the costliest of them
constexpr unsigned mostBoundsTried = 3;
// What estimates at other sizes may take (sim::RunResult::work).
constexpr double mostWorkBesides = 30e6;
// Of the time that is left for runs.
constexpr double partForVerification = 0.25;
constexpr int64_t largestSize = int64_t(1) << 26;
// The short side of what is long and narrow (channels of an image, vectors of few elements), and the
// iterations of a loop over a few things.
constexpr int64_t narrow = 3, shortLoop = 5;
// A block as a size: the fewest blocks are as few as the fewest threads.
constexpr int64_t threadsOfBlock = 64;
constexpr int64_t fewBlocks = 264;
// As many as keep any GPU busy for long.
constexpr double manyThreads = 1 << 21;

using Sizes = std::map<std::string, int64_t>;

// Whether two times are so near to each other that it says nothing for or against the second.
bool isUndecided(double before, double after) {
  const double gain = before / after;
  return gain < errorOfModel && gain > (before < timeOfLaunch ? 1 / errorOfModel : smallGain);
}

// The sizes of a base case with some of them changed, each set once and none like the base.
class ScaleSets {
 public:
  explicit ScaleSets(const Sizes& guessed) : base(guessed) {}
  std::vector<Sizes> sets;

  void add(const Sizes& changed) {
    Sizes set = base;
    for (const auto& [name, value] : changed) set[name] = std::clamp<int64_t>(value, 1, largestSize);
    if (set != base && std::find(sets.begin(), sets.end(), set) == sets.end() && sets.size() < mostScales)
      sets.push_back(std::move(set));
  }

 private:
  Sizes base;
};

// Small, middle and large: of what decides how many threads there are (`threads` at the guesses), and of what
// decides how long each works.
std::vector<Sizes> scaleSets(const Sizes& guessed, const std::set<std::string>& ofGrid, double threads) {
  ScaleSets out(guessed);
  const auto changed = [&](bool isGrid, auto valueOf) {
    Sizes set;
    for (const auto& [name, value] : guessed)
      if (ofGrid.contains(name) == isGrid)
        set[name] = device::axisOfBlocks(name)
                        ? std::max<int64_t>(1, valueOf(value * threadsOfBlock) / threadsOfBlock)
                        : valueOf(value);
    return set;
  };
  const auto tiny = [](int64_t value) { return std::min(value, std::max<int64_t>(32, value / 64)); };
  const auto small = [](int64_t value) { return std::min(value, std::max<int64_t>(64, value / 8)); };
  const double more =
      std::pow(manyThreads / std::max(1.0, threads), 1.0 / double(std::max<size_t>(1, ofGrid.size())));
  const int64_t most = std::max<int64_t>(4, std::llround(more)), between = std::llround(std::sqrt(most));
  const auto larger = [](int64_t by) { return [by](int64_t value) { return value * by; }; };
  const auto trips = [](int64_t count) { return [count](int64_t) { return count; }; };
  const auto both = [&](auto grid, int64_t count) {
    Sizes set = changed(true, grid);
    set.merge(changed(false, trips(count)));
    return set;
  };
  // Loops over the whole grid are launched with a few blocks for each multiprocessor, however much there is.
  for (const auto& [name, value] : guessed)
    if (device::axisOfBlocks(name))
      for (const int64_t few : {fewBlocks, fewBlocks / 8}) out.add({{name, std::min(value, few)}});
  out.add(changed(true, small));
  out.add(changed(false, trips(1)));
  out.add(changed(false, trips(4096)));
  out.add(changed(true, larger(most)));
  out.add(both(larger(most), 4096));
  // One of them alone large: `n - m` threads are many for a large n, not where both are large.
  const int64_t alone = std::max<int64_t>(4, std::llround(manyThreads / std::max(1.0, threads)));
  if (ofGrid.size() > 1)
    for (const std::string& name : ofGrid) out.add({{name, guessed.at(name) * alone}});
  // One side short and another as much longer: the shape decides, not how much there is.
  if (ofGrid.size() > 1)
    for (auto name = ofGrid.begin(); name != ofGrid.end(); ++name) {
      const std::string& other = std::next(name) == ofGrid.end() ? *ofGrid.begin() : *std::next(name);
      const int64_t side = guessed.at(*name), least = std::min(side, narrow);
      out.add({{*name, least}, {other, guessed.at(other) * std::max<int64_t>(1, side / least)}});
    }
  // Of several loops one short: what threads do in all may hang on each of them.
  if (guessed.size() > ofGrid.size() + 1)
    for (const auto& [name, value] : guessed) {
      if (ofGrid.contains(name)) continue;
      Sizes set = changed(true, larger(between));
      set[name] = shortLoop;
      out.add(set);
    }
  if (between >= 4) out.add(changed(true, larger(between)));
  out.add(changed(true, tiny));
  out.add(both(larger(most), 32));
  out.add(changed(false, trips(32)));
  out.add(both(tiny, 4096));
  return std::move(out.sets);
}

constexpr int64_t roundTo = 32;

// Sizes just within a bound: those of the nearest gain inside, moved towards it by the sizes that the bound
// is about. None: they would be no others.
std::optional<Sizes> edgeOf(const SizeBound& bound, const std::vector<GainAt>& known) {
  const auto productAt = [&](const Sizes& sizes) {
    double product = 1;
    for (const std::string& name : bound.test.factors) product *= double(sizes.at(name));
    return product;
  };
  const GainAt* nearest = nullptr;
  for (const GainAt& one : known)
    if (bound.holds(one.sizes) && one.gain >= 1 &&
        (!nearest || std::abs(std::log(productAt(one.sizes) / double(bound.test.most))) <
                         std::abs(std::log(productAt(nearest->sizes) / double(bound.test.most)))))
      nearest = &one;
  if (!nearest) return std::nullopt;
  Sizes edge = nearest->sizes;
  const double factor =
      std::pow(double(bound.test.most) / productAt(edge), 1.0 / double(bound.test.factors.size()));
  for (const std::string& name : bound.test.factors) {
    const double moved = double(edge.at(name)) * factor;
    auto size = std::max<int64_t>(1, int64_t(bound.isSmall ? std::floor(moved) : std::floor(moved) + 1));
    // A multiple of what threads take together, so that conditions of the variant's own let it run.
    if (size >= 2 * roundTo) size = (size + (bound.isSmall ? 0 : roundTo - 1)) / roundTo * roundTo;
    edge[name] = size;
  }
  return bound.holds(edge) && edge != nearest->sizes ? std::optional(edge) : std::nullopt;
}

// A size as an expression of the original's parameters; null: it is none of them.
ExprPtr sizeExpr(const Kernel& kernel, const std::string& path) {
  if (const std::optional<unsigned> axis = device::axisOfBlocks(path))
    return coord(CoordKind::GridDim, *axis, uint32());
  for (const VarPtr& param : kernel.params) {
    if (param->name.empty() || !path.starts_with(param->name)) continue;
    const ExprPtr value = affine::fieldAt(ref(param), std::string_view(path).substr(param->name.size()));
    if (value && value->type->is(TypeKind::Int)) return value;
  }
  return nullptr;
}

// `isSmall`: the product is at most the test's number, else more.
ExprPtr testOf(const Kernel& kernel, const SizeTest& test, bool isSmall) {
  std::vector<ExprPtr> factors;
  for (const std::string& name : test.factors) {
    factors.push_back(sizeExpr(kernel, name));
    if (!factors.back()) return nullptr;
  }
  ExprPtr product = sizeProduct(factors);
  if (product->type->is(TypeKind::Int)) product = convert(product, int64());
  const ExprPtr most = convert(named(test.most, {RoleKind::Threshold}, int64()), product->type);
  return binary(isSmall ? BinaryOp::Le : BinaryOp::Gt, product, most);
}

}  // namespace

std::string WherePays::text() const {
  std::string out;
  for (const SizeBound& bound : bounds)
    out += fmt::format("{}{} {} {}", out.empty() ? "" : " and ", bound.test.product(),
                       bound.isSmall ? "<=" : ">", bound.test.most);
  return out;
}

std::string howToGive(const std::map<std::string, int64_t>& guessed) {
  const auto blocks = std::count_if(guessed.begin(), guessed.end(), [](const auto& one) {
    return device::axisOfBlocks(one.first).has_value();
  });
  if (blocks == 0) return "give sizes with --set";
  return size_t(blocks) == guessed.size() ? "give --grid" : "give sizes with --set and --grid";
}

PlanPtr wherePays(const PlanPtr& plan, const std::vector<SizeBound>& bounds) {
  ExprPtr condition;
  for (const SizeBound& bound : bounds) {
    const ExprPtr test = testOf(*plan->original, bound.test, bound.isSmall);
    if (!test) return nullptr;
    condition = andAlso(condition, test);
  }
  return condition ? withSafeTests(passes::onlyWhere(plan, condition)) : plan;
}

const SourceLoc* loopByData(const affine::KernelModel& model, bool areContentsKnown) {
  const affine::Atoms& atoms = *model.atoms;
  std::function<bool(const affine::Poly&)> isOpaque;
  std::function<bool(const affine::CondPtr&)> isUnknown = [&](const affine::CondPtr& cond) {
    if (!cond) return true;
    if (cond->kind == affine::CondKind::Unknown) return true;
    if (isOpaque(cond->value)) return true;
    return std::any_of(cond->parts.begin(), cond->parts.end(), isUnknown);
  };
  isOpaque = [&](const affine::Poly& value) {
    for (const affine::AtomId id : value.atoms()) {
      const affine::Atom& atom = atoms[id];
      if (atom.kind == affine::AtomKind::Opaque) return true;
      if (atom.kind == affine::AtomKind::Choice &&
          (isUnknown(atom.cond) || isOpaque(atom.yes) || isOpaque(atom.no)))
        return true;
      if ((atom.kind == affine::AtomKind::Div || atom.kind == affine::AtomKind::Bits) &&
          (isOpaque(atom.value) || isOpaque(atom.divisor)))
        return true;
    }
    return false;
  };
  for (const affine::Loop& loop : model.loops) {
    if (!loop.values.empty()) continue;
    // Contents that are known tell how often a loop that counts up to them runs.
    const auto* counting = loop.stmt->as<For>();
    const passes::Exits exits = counting ? passes::exitsOf(counting->body) : passes::Exits{};
    if (areContentsKnown && counting && counted(*counting) && !exits.breaks && !exits.returns) continue;
    if (loop.exactness == affine::Exactness::Unknown || isUnknown(loop.runs) || isOpaque(loop.first))
      return &loop.stmt->loc;
  }
  return nullptr;
}

ScaleEstimates::ScaleEstimates(const device::CaseMaker& caseMaker, const PlanPtr& plan,
                               const target::Target& target, analysis::FactsCache& cache,
                               const PlanEstimator& atBase)
    : maker(caseMaker),
      original(plan),
      machine(target),
      facts(cache),
      wish(atBase.usedWish()),
      base(atBase),
      mostWork(mostWorkBesides),
      leastLeft(partForVerification * sim::secondsLeft()) {
  const device::Case& c = base.usedCase();
  const Kernel& kernel = *maker.facts().inlined;
  for (unsigned axis = 0; axis < 3; ++axis) threads *= double(c.grid[axis]) * c.block[axis];
  for (const std::string& name : maker.freeSizes()) {
    const device::CaseNumber& number = c.numbers.at(name);
    const bool isLoop = boundsLoop(kernel, name);
    const bool isGuess = number.origin == device::Origin::Guess || number.mayDiffer;
    if (!isGuess || maker.isStep(name) || (number.value.asWhole() <= 2 && !isLoop)) continue;
    guessed[name] = number.value.asWhole();
    if (!isLoop || base.boundsThreads(maker, name)) ofGrid.insert(name);
  }
  for (const std::string& name : gridNumbers(maker, base.usedWish())) {
    guessed[name] = c.numbers.at(name).value.asWhole();
    ofGrid.insert(name);
  }
  for (unsigned axis = 0; axis < 3; ++axis)
    if (c.gridOrigin == device::Origin::Guess && c.madeUpAxes >> axis & 1) {
      guessed[device::blocksName(axis)] = c.grid[axis];
      ofGrid.insert(device::blocksName(axis));
    }
  isAtCaptured = c.isCaptured;
  if (maker.captured()) addSeen(maker.captured()->cases);
}

std::map<std::string, int64_t> ScaleEstimates::gridGuesses() const {
  Sizes out = guessed;
  std::erase_if(out, [this](const auto& one) { return !ofGrid.contains(one.first); });
  return out;
}

void ScaleEstimates::addSeen(const std::vector<device::CapturedCase>& launches) {
  // Of a program that was cut off the last launches have no times.
  const bool hasTimes = std::any_of(launches.begin(), launches.end(),
                                    [](const device::CapturedCase& one) { return one.microseconds > 0; });
  double all = 0;
  for (const device::CapturedCase& one : launches) {
    const double cost = hasTimes ? one.microseconds : double(one.launches);
    all += cost;
    Sizes sizes = guessed;
    for (auto& [name, value] : sizes) {
      const std::optional<unsigned> axis = device::axisOfBlocks(name);
      const auto number = one.numbers.find(name);
      if (axis || number != one.numbers.end()) value = axis ? one.grid[*axis] : number->second.asWhole();
    }
    const auto same = std::find_if(seen.begin(), seen.end(), [&](const Seen& s) { return s.sizes == sizes; });
    if (same != seen.end())
      same->part += cost;
    else
      seen.push_back({std::move(sizes), cost});
  }
  for (Seen& one : seen) one.part /= std::max(all, 1e-9);
  std::sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) {
    return a.part != b.part ? a.part > b.part : a.sizes < b.sizes;
  });
  if (seen.size() > mostSeen) seen.resize(mostSeen);
}

bool ScaleEstimates::fallsBackAt(const PlanPtr& plan, const Sizes& sizes) const {
  device::CaseWish with = wish;
  for (const auto& [name, value] : sizes) with.sizes[name] = value;
  try {
    return base.fallsBackAt(plan, maker.make(with));
  } catch (const Error&) {
    return false;  // made smaller no launch has these sizes
  }
}

double ScaleEstimates::overallGain(const Variant& variant, const std::vector<SizeBound>& bounds,
                                   double gainAtBase) {
  double after = 1;
  for (const Seen& one : seen) {
    if (!std::all_of(bounds.begin(), bounds.end(), [&](const SizeBound& b) { return b.holds(one.sizes); }))
      continue;
    // With less to do than a launch has each iteration costs the same.
    if (fallsBackAt(variant.plan, one.sizes)) continue;
    double gain = one.sizes == guessed || !isAtCaptured ? gainAtBase : 1;
    for (const Scale& scale : scales)
      if (scale.sizes == one.sizes && one.sizes != guessed) {
        const PlanEstimate estimate = scale.estimator->of(variant.plan);
        scale.estimator->release();
        if (estimate.isKnown() && !estimate.fellBack) gain = scale.original / estimate.seconds;
      }
    after += one.part * (1 / gain - 1);
  }
  return 1 / std::max(after, 1e-9);
}

namespace {

int64_t sizeIn(const device::Case& c, const std::string& name) {
  const std::optional<unsigned> axis = device::axisOfBlocks(name);
  return axis ? c.grid[*axis] : c.numbers.at(name).value.asWhole();
}

}  // namespace

void ScaleEstimates::setUp() {
  if (isSetUp) return;
  isSetUp = true;
  for (const Seen& one : seen)
    if (one.sizes != guessed && !isSpent()) scaleAt(one.sizes);
  for (const Sizes& sizes : scaleSets(guessed, ofGrid, threads)) {
    if (!canBeLaunched(sizes)) continue;
    if (isSpent()) {
      areComplete = false;
      break;
    }
    const std::optional<size_t> at = scaleAt(sizes);
    areComplete &= at.has_value();
    // Where a thread would run for too long its loops are shorter; what an iteration costs stays the same.
    for (const auto& [name, value] : sizes)
      areComplete &= at && sizeIn(scales[*at].estimator->usedCase(), name) == value;
  }
  usualScales = scales.size();
}

bool ScaleEstimates::canBeLaunched(const std::map<std::string, int64_t>& sizes) const {
  device::CaseWish with = wish;
  for (const auto& [name, value] : sizes) with.sizes[name] = value;
  try {
    const device::Case c = maker.make(with);
    return !isBeyondGpus(lengthsOf(c, facts.of(original->original, c.block)), c);
  } catch (const Error&) {
    return false;
  }
}

std::optional<size_t> ScaleEstimates::scaleAt(const std::map<std::string, int64_t>& sizes) {
  for (size_t i = 0; i < scales.size(); ++i)
    if (scales[i].sizes == sizes) return i;
  Scale scale;
  try {
    scale.estimator = std::make_unique<PlanEstimator>(maker, original, machine, sizes);
    const PlanEstimate estimate = scale.estimator->of(original);
    scale.estimator->release();
    if (!estimate.isKnown()) return std::nullopt;
    scale.original = estimate.seconds;
  } catch (const Error&) {
    return std::nullopt;  // no launch has these sizes
  }
  scale.sizes = sizes;
  scales.push_back(std::move(scale));
  return scales.size() - 1;
}

bool ScaleEstimates::isSpent() const {
  double spent = 0;
  for (const Scale& scale : scales) spent += scale.estimator->spent();
  if (sim::secondsLeft() < leastLeft) throw sim::OutOfTime();  // what is not tried is not known to pay
  return spent > mostWork;
}

WherePays ScaleEstimates::of(const Variant& variant, double before, double after) {
  WherePays out;
  out.leastGain = errorOfModel;
  if (!isBet()) return out;
  setUp();
  std::vector<GainAt> known = {{guessed, before / after}};
  double worst = 1;
  const auto look = [&](const Scale& scale) {
    const PlanEstimate estimate = scale.estimator->of(variant.plan);
    scale.estimator->release();
    if (estimate.fellBack || estimate.missesMeant) return;  // conditions of its own keep it from these
    if (estimate.isKnown() && isUndecided(scale.original, estimate.seconds)) return;
    const double gain = estimate.isKnown() ? scale.original / estimate.seconds : 0.001;
    known.push_back({scale.sizes, gain / errorOfModel});
    if (gain < worst) {
      worst = gain;
      out.worst = estimate.isKnown()
                      ? fmt::format("{:.2f} times as fast at {}", gain, device::sizesText(scale.sizes))
                      : fmt::format("not known at {}", device::sizesText(scale.sizes));
    }
  };
  // Sizes next to the bounds of other variants are left out: a bound lies half way to the next loss.
  for (size_t i = 0; i < usualScales; ++i) look(scales[i]);
  PayingRegion region = payingRegion(known, ofGrid);
  // A bound between a gain and a loss is a guess until it is tried.
  for (unsigned tried = 0; tried < mostBoundsTried && !region.isNone && !region.bounds.empty(); ++tried) {
    const std::optional<Sizes> edge = edgeOf(region.bounds[tried % region.bounds.size()], known);
    const size_t count = known.size();
    if (!edge || isSpent() || !canBeLaunched(*edge)) continue;
    if (const std::optional<size_t> at = scaleAt(*edge)) look(scales[*at]);
    if (known.size() > count && known.back().gain < 1) region = payingRegion(known, ofGrid);
  }
  out.sizes = known.size();
  out.isComplete = areComplete;
  // What may cost as much elsewhere as it brings here, by the model's error.
  const bool isLittle = before / after < errorOfModel || before < timeOfLaunch;
  const bool isThin = known.size() <= 2 && !scales.empty();  // undecided at all other sizes, or all but one
  if ((!region.bounds.empty() && before / after < errorOfModel) || (isThin && isLittle))
    region = {.isNone = true};
  if (isThin && region.isNone && out.worst.empty()) out.worst = "estimates tell no difference at most";
  const bool canBeAsked = !region.isNone && wherePays(originalPlan(original->original), region.bounds);
  out.bounds = region.bounds;
  if (canBeAsked && !seen.empty()) out.overall = overallGain(variant, region.bounds, before / after);
  out.verdict = !canBeAsked             ? WherePays::Verdict::Nowhere
                : region.bounds.empty() ? WherePays::Verdict::Everywhere
                                        : WherePays::Verdict::Somewhere;
  return out;
}

}  // namespace hone::tune
