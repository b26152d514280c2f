// Looks for the fastest variant of a kernel by measuring.
#pragma once

#include <chrono>

#include "tune/Measurer.h"
#include "tune/Space.h"

namespace hone::tune {

enum class Strategy : uint8_t {
  Model,  // those that the model ranks best, kind by kind, then what differs little from the best of them
  Exhaustive,  // all
  Random,      // drawn from the space
  Greedy,      // level by level in the order of the passes; the first level without a gain ends it
  Climb  // from the original, and from where it got stuck: the best neighbour, as long as there is a better
         // one
};
const char* str(Strategy strategy);
// Samples are drawn from all there is; strategies that estimate or measure whole levels keep to what is
// proposed.
Breadth breadthFor(Strategy strategy);
std::optional<Strategy> strategyNamed(const std::string& name);
inline constexpr std::array allStrategies = {Strategy::Model, Strategy::Exhaustive, Strategy::Random,
                                             Strategy::Greedy, Strategy::Climb};

struct TuneOptions {
  Strategy strategy = Strategy::Model;
  size_t mostVariants = 40;    // measured, those that the store knew included
  std::vector<Variant> given;  // measured first, whatever the strategy; not counted
  double mostSeconds = 600;
  uint64_t seed = 1;
  // After each measurement: what it gave, how many there were, the best so far.
  std::function<void(const Measurement& last, size_t count, const Measurement& best)> progress;
  std::function<void(const std::string&)> note;  // what is being done between measurements
};

struct Tried {
  Variant variant;
  Measurement measurement;
};

struct TuneOutcome {
  Measurement original;
  std::vector<Tried> tried;  // in order, each plan once
  int best = -1;             // into tried; -1: nothing is faster than the original
  std::string stopped;       // why it ended: "40 variants", "600 s", "all were measured"
  double speedup() const;
};

// `ranked` are variants by estimated time, the fastest first, for Strategy::Model. `estimate` gives a variant
// its estimate.
TuneOutcome tune(Space& space, Meter& measurer, const std::vector<Variant>& ranked,
                 const std::function<void(Variant&)>& estimate, const TuneOptions& options);

}  // namespace hone::tune
