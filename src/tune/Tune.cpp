#include "tune/Tune.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <set>
#include <span>

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

Breadth breadthFor(Strategy strategy) {
  return strategy == Strategy::Random ? Breadth::All : Breadth::Proposed;
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

// Times the best: what another kind of variant may be slower and still be refined.
constexpr double kNear = 1.1;

class Tuning {
 public:
  Tuning(Space& ofSpace, Meter& by, const std::function<void(Variant&)>& estimator, const TuneOptions& wanted)
      : space(ofSpace), measurer(by), estimate(estimator), options(wanted) {
    out.original = measurer.original();
    seen.insert(ir::hash(*space.original().plan));
  }

  TuneOutcome out;

  void run(const std::vector<Variant>& ranked) {
    each(options.given);
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
    if (underWay == 0 && out.tried.size() >= options.mostVariants + options.given.size())
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

  // Measures what `next` gives, several at once where there are workers for it, until it gives null or the
  // budget is spent. Plans that were seen before are left out.
  void measure(const Meter::Next& next) {
    measurer.measureAll(
        [&]() -> const Variant* {
          for (;;) {
            const bool hasRoom =
                out.tried.size() + underWay < options.mostVariants + options.given.size() && mayGoOn();
            const Variant* variant = hasRoom ? next() : nullptr;
            if (!variant || seen.insert(ir::hash(*variant->plan)).second) {
              underWay += variant != nullptr;
              return variant;
            }
          }
        },
        [&](const Variant& variant, const Measurement& measurement) {
          --underWay;
          record({variant, measurement});
        });
  }

  void record(Tried one) {
    const bool isOk = one.measurement.isOk();
    const double time = one.measurement.result.timing.median;
    if (isOk) times[ir::hash(*one.variant.plan)] = time;
    out.tried.push_back(std::move(one));
    if (isOk && time < timeOf(out.best)) out.best = static_cast<int>(out.tried.size()) - 1;
    if (options.progress)
      options.progress(out.tried.back().measurement, out.tried.size(),
                       out.best < 0 ? out.original : out.tried[static_cast<size_t>(out.best)].measurement);
  }

  // Measures these in order, as far as the budget goes or `most` of them.
  void each(std::span<const Variant> variants, size_t most = SIZE_MAX) {
    size_t at = 0;
    const size_t before = out.tried.size();
    measure([&]() -> const Variant* {
      return at < variants.size() && out.tried.size() + underWay - before < most ? &variants[at++] : nullptr;
    });
  }

  // The time of a variant that was measured; nothing when it was not, or is not right.
  std::optional<double> timed(const Variant& variant) const {
    const auto known = times.find(ir::hash(*variant.plan));
    return known == times.end() ? std::nullopt : std::optional(known->second);
  }

  void exhaustive() {
    note("making all variants");
    const std::vector<Variant> all = space.all(options.mostVariants + 1, [&](size_t made) {
      note(fmt::format("making all variants: {}", made));
      return mayGoOn();
    });
    each(all);
    mayGoOn();
    if (out.stopped.empty()) out.stopped = "all were measured";
  }

  void random() {
    UniformDraws draws(space, options.seed);
    std::deque<Variant> drawn;
    measure([&]() -> const Variant* {
      std::optional<Variant> variant = draws.next([&] {
        note(fmt::format("drawing from about {:.0f} variants", draws.ways()));
        return mayGoOn();
      });
      if (!variant) return nullptr;
      drawn.push_back(std::move(*variant));
      return &drawn.back();
    });
    mayGoOn();
    if (out.stopped.empty()) out.stopped = "nothing new was drawn";
  }

  void greedy() {
    Variant at = space.original();
    double time = out.original.result.timing.median;
    for (Level level : allLevels) {
      std::vector<Variant> choices = space.choices(at, level);
      const Variant* better = nullptr;
      each(std::span(choices).subspan(1));
      for (const Variant& choice : choices)
        if (auto one = timed(choice); one && *one < time) time = *one, better = &choice;
      if (better) at = *better;
    }
    if (out.stopped.empty()) out.stopped = "every level was tried";
  }

  // In the model's order.
  std::vector<Variant> neighbours(const Variant& of) {
    std::vector<Variant> around = space.neighbours(of);
    for (Variant& variant : around) estimate(variant);
    std::sort(around.begin(), around.end(), [](const Variant& a, const Variant& b) {
      return a.estimate.isKnown() && (!b.estimate.isKnown() || a.estimate.seconds < b.estimate.seconds);
    });
    return around;
  }

  void climb(const Variant& from) {
    Variant at = from;
    double time = timeOf(out.best);
    for (bool better = true; better && mayGoOn();) {
      better = false;
      note("making neighbours of the best");
      const std::vector<Variant> around = neighbours(at);
      // In steps as large as the workers take at once; the best of the first step that has a better one is
      // gone to.
      for (size_t i = 0; i < around.size() && !better && mayGoOn();) {
        const auto step = std::span(around).subspan(i, std::min(measurer.room(), around.size() - i));
        i += step.size();
        each(step);
        for (const Variant& variant : step)
          if (auto one = timed(variant); one && *one < time) {
            time = *one;
            at = variant;
            better = true;
          }
      }
    }
    if (out.stopped.empty()) out.stopped = "no neighbour of the best is faster";
  }

  // Variants of one kind differ in numbers alone: the same passes, in the same way.
  static std::string kindOf(const Variant& variant) {
    std::string kind;
    for (char c : passes::str(variant.recipe)) {
      const bool isDigit = c >= '0' && c <= '9';
      if (!isDigit || kind.empty() || kind.back() != '#') kind += isDigit ? '#' : c;
    }
    return kind;
  }

  // What the model ranks first is often many of one kind, which it can hardly tell apart: the best of each
  // kind come first, then the second of each.
  static std::vector<Variant> byTurns(const std::vector<Variant>& ranked) {
    std::map<std::string, size_t> ofKind;
    std::vector<std::pair<size_t, size_t>> turns;
    for (size_t i = 0; i < ranked.size(); ++i) turns.emplace_back(ofKind[kindOf(ranked[i])]++, i);
    std::sort(turns.begin(), turns.end());
    std::vector<Variant> out;
    for (const auto& [turn, index] : turns) out.push_back(ranked[index]);
    return out;
  }

  // The best of each kind that comes near to the best of all, at most two; the original is a kind of its own.
  std::vector<Variant> bestOfKinds() const {
    std::map<std::string, int> best{{"", -1}};
    for (int i = 0; i < static_cast<int>(out.tried.size()); ++i) {
      const Tried& one = out.tried[static_cast<size_t>(i)];
      if (!one.measurement.isOk()) continue;
      const auto [at, isNew] = best.try_emplace(kindOf(one.variant), i);
      if (!isNew && timeOf(i) < timeOf(at->second)) at->second = i;
    }
    std::vector<int> order;
    for (const auto& [kind, index] : best) order.push_back(index);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return timeOf(a) < timeOf(b); });
    std::vector<Variant> kinds;
    for (int index : order)
      if (kinds.size() < 2 && timeOf(index) <= kNear * timeOf(out.best))
        kinds.push_back(index < 0 ? space.original() : out.tried[static_cast<size_t>(index)].variant);
    return kinds;
  }

  // Neighbours of the best, and by turns of the best of another kind that may yet pass it: numbers change
  // times as much as kinds do.
  void refine() {
    std::map<uint64_t, std::deque<Variant>> around;
    for (bool isAny = true; isAny && mayGoOn();) {
      isAny = false;
      for (const Variant& one : bestOfKinds()) {
        const auto [at, isNew] = around.try_emplace(ir::hash(*one.plan));
        if (isNew) {
          note("making neighbours of the best");
          for (Variant& variant : neighbours(one)) at->second.push_back(std::move(variant));
        }
        std::vector<Variant> step;
        for (; step.size() < measurer.room() && !at->second.empty(); at->second.pop_front())
          if (!seen.contains(ir::hash(*at->second.front().plan))) step.push_back(at->second.front());
        isAny = isAny || !step.empty();
        each(step);
      }
    }
    if (out.stopped.empty()) out.stopped = "no neighbour of the best is left";
  }

  void model(const std::vector<Variant>& ranked) {
    // Half of the budget goes to the model's own order, the rest to what it may have missed around the best.
    const size_t first = options.given.size() + std::max<size_t>(1, options.mostVariants / 2);
    if (out.tried.size() < first) each(byTurns(ranked), first - out.tried.size());
    refine();
  }

  Space& space;
  Meter& measurer;
  const std::function<void(Variant&)>& estimate;
  const TuneOptions& options;
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  size_t underWay = 0;
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
