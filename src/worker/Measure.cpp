#include "worker/Measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "worker/CompareArrays.h"

namespace hone::worker {

namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kFewestSamples = 7, kMostSamples = 200;
// A sample takes at least so long, so that neither the clock's grain nor the gap before the first launch
// counts.
constexpr double kSampleMs = 0.4;
constexpr size_t kMostLaunches = 256;  // of one sample

struct Stopped {
  Status status;
  std::string message;
};

class Measuring {
 public:
  Measuring(Device& on, CaseOnDevice& data, const VariantSpec& what, Reference& original)
      : device(on), onDevice(data), variant(what), reference(original) {
    result.id = variant.id;
  }
  ~Measuring() {
    for (const auto& [name, memory] : buffers) device.release(memory);
  }
  Measuring(const Measuring&) = delete;
  Measuring& operator=(const Measuring&) = delete;

  Result result;

  void all() {
    checkJob();
    const auto begin = Clock::now();
    program = device.build(variant);
    result.buildMs =
        variant.imageMs + std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    result.kernels = device.figures(*program, variant);
    for (const BufferSpec& buffer : variant.buffers) buffers[buffer.name] = device.allocate(buffer.bytes);
    for (size_t set = 0; set < onDevice.sets(); ++set) bind(set);
    onDevice.restore(0);
    const double firstMs = device.run(*program, bound[0]);
    compare(0);
    if (!variant.timeIt) return;
    if (variant.giveUpAbove > 0 && firstMs * 1000 > variant.giveUpAbove) giveUp();
    time(firstMs);
    // What the timed runs left must be right as well: a race shows in one of many runs.
    compare(lastSet);
  }

 private:
  void checkJob() {
    if (variant.launches.empty()) throw Stopped{Status::Invalid, "the variant has no launches"};
    if (!variant.isReference && reference.empty())
      throw Stopped{Status::Invalid, "the original has not been run on this case"};
    for (const LaunchSpec& launch : variant.launches)
      for (unsigned axis = 0; axis < 3; ++axis)
        if (launch.grid[axis] == 0 || launch.block[axis] == 0)
          throw Stopped{Status::Invalid,
                        "kernel '" + launch.kernel + "' would be launched with an empty grid or block"};
  }

  void bind(size_t set) {
    std::vector<BoundLaunch> launches;
    for (const LaunchSpec& launch : variant.launches) {
      BoundLaunch one;
      one.spec = &launch;
      for (const ArgumentSpec& spec : launch.arguments) {
        Argument argument{0, spec.offset, spec.bytes, spec.localBytes};
        if (!spec.array.empty()) {
          auto buffer = buffers.find(spec.array);
          argument.memory = buffer != buffers.end() ? buffer->second : onDevice.at(set, spec.array);
          if (!argument.memory)
            throw Stopped{Status::Invalid,
                          "there is no array '" + spec.array + "' in case '" + variant.caseId + "'"};
        }
        one.arguments.push_back(argument);
      }
      launches.push_back(std::move(one));
    }
    for (const BufferSpec& buffer : variant.buffers) launches.front().asksFor.push_back(buffer.bytes);
    launches.back().endsRun = true;
    bound.push_back(std::move(launches));
  }

  void compare(size_t set) {
    const CaseSpec& spec = onDevice.spec();
    const bool isFirst = variant.isReference && reference.empty();
    for (size_t i = 0; i < spec.arrays.size(); ++i) {
      const ArraySpec& array = spec.arrays[i];
      if (isFirst) reference.emplace_back();
      if (!array.isCompared) continue;
      const std::span<const uint8_t> now = onDevice.contents(set, i);
      // An array that the original only reads must come back as it was.
      if (isFirst) reference.back().assign(now.begin(), now.end());
      const Tolerance tolerance{!variant.isExact || array.isSummed, spec.operations, array.isUnordered};
      const ArrayComparison one = compareArrays({array.elements, array.elementBytes, array.leaves},
                                                onDevice.initial(i), reference[i], now, tolerance);
      result.maxError = std::max(result.maxError, one.maxError);
      const auto place = [&](uint64_t index) { return array.name + "[" + std::to_string(index) + "]"; };
      if (one.notNumbers > 0 && (!one.difference || one.firstNotNumber < one.difference->index))
        throw Stopped{Status::NotANumber,
                      place(one.firstNotNumber) + " is not a number, in the original also"};
      if (!one.difference) continue;
      const std::string where = place(one.difference->index);
      throw Stopped{std::isinf(result.maxError) ? Status::NotANumber : Status::Wrong,
                    where + " differs from the original's: " + one.difference->message + ", and " +
                        std::to_string(one.difference->count - 1) + " more elements of " + array.name};
    }
  }

  void giveUp() {
    // The first run pays for things that later ones do not; a second one decides.
    onDevice.restore(0);
    const double ms = device.run(*program, bound[0]);
    if (ms * 1000 <= variant.giveUpAbove) return;
    result.timing = {ms * 1000, ms * 1000, ms * 1000, 1, 1, 1};
    throw Stopped{Status::GivenUp, "slower than asked for in two runs"};
  }

  // Milliseconds for one run of the variant, over so many runs that start from restored data.
  double sample(size_t runs) {
    std::vector<BoundLaunch> launches;
    for (size_t set = 0; set < onDevice.sets(); ++set) onDevice.restore(set);
    for (size_t run = 0; run < runs; ++run) {
      lastSet = run % onDevice.sets();
      launches.insert(launches.end(), bound[lastSet].begin(), bound[lastSet].end());
    }
    return device.run(*program, launches) / static_cast<double>(runs);
  }

  void time(double firstMs) {
    // With data that a run changes, each set serves once before it is restored.
    const size_t mostRuns = onDevice.needsRestoring() ? onDevice.sets() : kMostLaunches;
    const double once = std::max(1e-4, std::min(firstMs, sample(1)));
    const size_t runs = std::clamp<size_t>(static_cast<size_t>(std::ceil(kSampleMs / once)), 1, mostRuns);
    sample(runs);  // warm-up
    std::vector<double> samples;
    const auto begin = Clock::now();
    for (;;) {
      samples.push_back(sample(runs) * 1000);
      if (samples.size() < kFewestSamples) continue;
      result.timing = timingOf(samples);
      const double width = (result.timing.high - result.timing.low) / 2;
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      if (width <= variant.wantedError * result.timing.median || samples.size() >= kMostSamples ||
          seconds > variant.secondsAtMost)
        break;
    }
    result.timing.launchesPerSample = static_cast<unsigned>(runs);
    result.timing.sets = static_cast<unsigned>(onDevice.sets());
    result.conditions = device.conditions();
    if (!(result.timing.median > 0)) throw Stopped{Status::Invalid, "the clock says that it took no time"};
  }

  Device& device;
  CaseOnDevice& onDevice;
  const VariantSpec& variant;
  Reference& reference;
  std::unique_ptr<Program> program;
  std::map<std::string, Memory> buffers;
  std::vector<std::vector<BoundLaunch>> bound;  // by set
  size_t lastSet = 0;                           // of the last run
};

}  // namespace

Timing timingOf(std::vector<double> samples) {
  Timing out;
  if (samples.empty()) return out;
  std::sort(samples.begin(), samples.end());
  const size_t n = samples.size();
  out.samples = static_cast<unsigned>(n);
  out.median = n % 2 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
  // The median lies between the order statistics n/2 ± 0.98 · sqrt(n) with 95 %.
  const double half = 0.98 * std::sqrt(static_cast<double>(n));
  const double low = std::floor(static_cast<double>(n) / 2 - half),
               high = std::ceil(static_cast<double>(n) / 2 + half);
  out.low = samples[static_cast<size_t>(std::max(0.0, low))];
  out.high = samples[static_cast<size_t>(std::min(static_cast<double>(n - 1), high))];
  return out;
}

Result measure(Device& device, CaseOnDevice& onDevice, const VariantSpec& variant, Reference& reference) {
  Measuring measuring(device, onDevice, variant, reference);
  try {
    measuring.all();
  } catch (const Stopped& stopped) {
    measuring.result.status = stopped.status;
    measuring.result.message = stopped.message;
    if (stopped.status == Status::Wrong || stopped.status == Status::NotANumber) onDevice.renewInputs();
  } catch (const BuildError& error) {
    measuring.result.status = Status::BuildFailed;
    measuring.result.message = error.what();
  } catch (const LaunchError& error) {
    measuring.result.status = Status::LaunchFailed;
    measuring.result.message = error.what();
  }
  return std::move(measuring.result);
}

}  // namespace hone::worker
