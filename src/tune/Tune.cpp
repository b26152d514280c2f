#include "tune/Tune.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "ir/Compare.h"
#include "tune/UniformDraws.h"

namespace hone::tune {

const char* str(Strategy strategy) {
  switch (strategy) {
    case Strategy::Model: return "model";
    case Strategy::Exhaustive: return "exhaustive";
    case Strategy::Random: return "random";
    case Strategy::Greedy: return "greedy";
    case Strategy::Climb: return "climb";
  }
  return "";
}

std::optional<Strategy> strategyNamed(const std::string& name) {
  for (Strategy one : allStrategies)
    if (name == str(one)) return one;
  return std::nullopt;
}

double TuneOutcome::speedup() const {
  if (best < 0) return 1;
  return original.result.timing.median / tried[static_cast<size_t>(best)].measurement.result.timing.median;
}

namespace {

class Tuning {
 public:
  Tuning(Space& ofSpace, Meter& by, const std::function<void(Variant&)>& estimator, const TuneOptions& wanted)
      : space(ofSpace), measurer(by), estimate(estimator), options(wanted) {
    out.original = measurer.original();
    seen.insert(ir::hash(*space.original().plan));
  }

  TuneOutcome out;

  void run(const std::vector<Variant>& ranked) {
    for (const Variant& variant : options.given) timed(variant);
    switch (options.strategy) {
      case Strategy::Model: return model(ranked);
      case Strategy::Exhaustive: return exhaustive();
      case Strategy::Random: return random();
      case Strategy::Greedy: return greedy();
      case Strategy::Climb: return climb(space.original());
    }
  }

 private:
  bool mayGoOn() {
    if (!out.stopped.empty()) return false;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (out.tried.size() >= options.mostVariants + options.given.size())
      out.stopped = fmt::format("{} variants", out.tried.size());
    if (seconds > options.mostSeconds) out.stopped = fmt::format("{:.0f} s", seconds);
    return out.stopped.empty();
  }
  void note(const std::string& what) const {
    if (options.note) options.note(what);
  }

  double timeOf(int index) const {
    return (index < 0 ? out.original : out.tried[static_cast<size_t>(index)].measurement)
        .result.timing.median;
  }

  // The time of a variant, measured or known; nothing when it is not right, or there is no budget left.
  std::optional<double> timed(const Variant& variant) {
    const uint64_t hash = ir::hash(*variant.plan);
    if (auto known = times.find(hash); known != times.end()) return known->second;
    if (!seen.insert(hash).second || !mayGoOn()) return std::nullopt;
    Tried one{variant, measurer.measure(variant)};
    const bool isOk = one.measurement.isOk();
    const double time = one.measurement.result.timing.median;
    out.tried.push_back(std::move(one));
    if (isOk) times[hash] = time;
    if (isOk && time < timeOf(out.best)) out.best = static_cast<int>(out.tried.size()) - 1;
    if (options.progress)
      options.progress(out.tried.back().measurement, out.tried.size(),
                       out.best < 0 ? out.original : out.tried[static_cast<size_t>(out.best)].measurement);
    return isOk ? std::optional(time) : std::nullopt;
  }

  void exhaustive() {
    note("making all variants");
    const std::vector<Variant> all = space.all(options.mostVariants + 1, [&](size_t made) {
      note(fmt::format("making all variants: {}", made));
      return mayGoOn();
    });
    for (const Variant& variant : all)
      if (mayGoOn()) timed(variant);
    if (out.stopped.empty()) out.stopped = "all were measured";
  }

  void random() {
    UniformDraws draws(space, options.seed);
    while (mayGoOn()) {
      const std::optional<Variant> variant = draws.next([&] {
        note(fmt::format("drawing from about {:.0f} variants", draws.ways()));
        return mayGoOn();
      });
      if (!variant) break;
      timed(*variant);
    }
    if (out.stopped.empty()) out.stopped = "nothing new was drawn";
  }

  void greedy() {
    Variant at = space.original();
    double time = out.original.result.timing.median;
    for (Level level : allLevels) {
      std::vector<Variant> choices = space.choices(at, level);
      const Variant* better = nullptr;
      for (size_t i = 1; i < choices.size() && mayGoOn(); ++i)
        if (auto one = timed(choices[i]); one && *one < time) time = *one, better = &choices[i];
      if (better) at = *better;
    }
    if (out.stopped.empty()) out.stopped = "every level was tried";
  }

  void climb(const Variant& from) {
    Variant at = from;
    double time = timeOf(out.best);
    for (bool better = true; better && mayGoOn();) {
      better = false;
      note("making neighbours of the best");
      std::vector<Variant> around = space.neighbours(at);
      for (Variant& variant : around) estimate(variant);
      // The model says in which order; a neighbour that it takes for much worse is not worth a measurement.
      std::sort(around.begin(), around.end(), [](const Variant& a, const Variant& b) {
        return a.estimate.isKnown() && (!b.estimate.isKnown() || a.estimate.seconds < b.estimate.seconds);
      });
      for (const Variant& variant : around) {
        if (!mayGoOn()) break;
        if (auto one = timed(variant); one && *one < time) {
          time = *one;
          at = variant;
          better = true;
          break;
        }
      }
    }
    if (out.stopped.empty()) out.stopped = "no neighbour of the best is faster";
  }

  void model(const std::vector<Variant>& ranked) {
    // Most of the budget goes to the model's own order, the rest to what it may have missed around the best.
    const size_t first = options.given.size() + std::max<size_t>(1, options.mostVariants * 2 / 3);
    for (size_t i = 0; i < ranked.size() && out.tried.size() < first && mayGoOn(); ++i) timed(ranked[i]);
    if (mayGoOn()) climb(out.best < 0 ? space.original() : out.tried[static_cast<size_t>(out.best)].variant);
  }

  Space& space;
  Meter& measurer;
  const std::function<void(Variant&)>& estimate;
  const TuneOptions& options;
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::set<uint64_t> seen;
  std::map<uint64_t, double> times;
};

}  // namespace

TuneOutcome tune(Space& space, Meter& measurer, const std::vector<Variant>& ranked,
                 const std::function<void(Variant&)>& estimate, const TuneOptions& options) {
  Tuning tuning(space, measurer, estimate, options);
  tuning.run(ranked);
  return std::move(tuning.out);
}

}  // namespace hone::tune
