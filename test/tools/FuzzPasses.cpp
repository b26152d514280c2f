// fuzz_passes TARGETS [--seed N] [--count M] [--only-pass P] [--recipe R] [--minutes T] [--shrink]
// [--least-two PERCENT] [--show] [--write DIR] Random kernels under random recipes, original against result
// on the embedded device with all checks, bit for bit; with --write kernels and recipes go to a folder
// instead. Ends with what the passes applied to and why they refused.
#include <fmt/core.h>

#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>

#include "FuzzSubject.h"
#include "ir/Error.h"
#include "passes/recipe/ParseRecipe.h"
#include "passes/recipe/Registry.h"

namespace hone::test {
namespace {

struct Options {
  std::string targets, onlyPass, recipe, write;
  unsigned seed = 1, count = 100, mostFailures = 10, leastFound = 0;
  double minutes = 0, leastTwo = 0;
  bool shrinks = false, shows = false, mistakes = false;
};

double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// For a crash: what was being done.
char nowDoing[2048];

void onCrash(int signal) {
  const char text[] = "\nfuzz_passes: crashed at ";
  (void)!write(2, text, sizeof text - 1);
  (void)!write(2, nowDoing, std::char_traits<char>::length(nowDoing));
  const char recipe[] = " by ";
  (void)!write(2, recipe, sizeof recipe - 1);
  (void)!write(2, tried.data(), tried.size());
  (void)!write(2, "\n", 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

class Fuzzing {
 public:
  explicit Fuzzing(Options given)
      : options(std::move(given)), targets(target::loadTargets(options.targets)) {}

  int run() {
#ifdef HONE_SEEDED_MISTAKES
    // Of mistakes whose name holds what is asked for.
    if (options.mistakes)
      return findMistakes(options.seed, options.count, options.leastFound, options.onlyPass, targets);
#endif
    if (!options.onlyPass.empty() && !passes::findPass(options.onlyPass))
      throw Error("there is no pass '" + options.onlyPass + "'");
    if (!options.recipe.empty()) passes::parseRecipe(options.recipe);
    constexpr unsigned each = 50;
    const auto begin = std::chrono::steady_clock::now();
    const auto isLate = [&] {
      return options.minutes > 0 &&
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() >
                 options.minutes * 60;
    };
    for (unsigned done = 0; options.minutes > 0 ? !isLate() : done < options.count; done += each) {
      const unsigned some = options.minutes > 0 ? each : std::min(each, options.count - done);
      const double before = cpuSeconds();
      std::vector<FuzzSubject> subjects = makeSubjects(options.seed + done, some, targets);
      importing += cpuSeconds() - before;
      for (FuzzSubject& subject : subjects) {
        one(subject);
        if (failures >= options.mostFailures) return report();
      }
    }
    return report();
  }

 private:
  void one(FuzzSubject& subject) {
    ++kernels;
    if (options.shows) fmt::print("{}", subject.naive.source);
    if (!subject.kernel) return fail(subject, {}, {"not imported: " + subject.problem, {}});
    std::snprintf(nowDoing, sizeof nowDoing, "seed %u", subject.seed);
    tried.clear();
    double before = cpuSeconds();
    analysis::FactsCache facts(*subject.setup.target);
    passes::PassContext context = contextOf(subject, facts);
    std::mt19937_64 engine = recipeEngine(subject.seed, 0);
    const ir::PlanPtr original = ir::originalPlan(subject.kernel);
    DrawnRecipe recipe =
        options.recipe.empty()
            ? drawRecipe(engine, original, context, options.onlyPass, subject.naive.sizes, tally)
            : applyCalls(original, passes::parseRecipe(options.recipe).calls, context, tally);
    transforming += cpuSeconds() - before;
    ++distribution[std::min<size_t>(recipe.calls.size(), 4)];
    if (recipe.calls.empty() && recipe.broken.empty()) return;
    if (options.shows) fmt::print("// {}\n", recipe.text());
    if (!options.write.empty()) {
      if (recipe.broken.empty() && !subject.naive.isOpenCl) writePair(subject, recipe.calls, options.write);
      return;
    }
    std::snprintf(nowDoing, sizeof nowDoing, "seed %u, running %s", subject.seed, recipe.text().c_str());
    before = cpuSeconds();
    FuzzVerdict verdict;
    try {
      FuzzRun run(subject.naive, subject.kernel, *subject.setup.target, subject.setup.run);
      for (const std::string& fault : run.faults()) {
        ++faulty;
        if (options.shows) fmt::print("the original: {}\n", fault);
      }
      verdict = judge(run, recipe, &subject);
      runs += run.allRuns();
      fast += run.fastRuns();
      unused += run.launches() == 0;
    } catch (const Error& error) {
      verdict.text = std::string("the original cannot be run: ") + error.what();
    }
    running += cpuSeconds() - before;
    if (verdict.isWrong()) fail(subject, recipe.calls, verdict);
  }

  void fail(FuzzSubject& subject, std::vector<passes::PassCall> calls, FuzzVerdict verdict) {
    ++failures;
    fmt::print("FAIL {}\n", describe(subject, calls, verdict));
    std::fflush(stdout);
    if (!options.shrinks || !subject.kernel || calls.empty()) return;
    shrink(subject, calls, verdict);
    fmt::print("SMALLER {}\n", describe(subject, calls, verdict));
    std::fflush(stdout);
  }

  int report() {
    const auto percent = [](double part, double of) { return of > 0 ? 100 * part / of : 0.0; };
    fmt::print("{} kernels from seed {}: {} wrong\n", kernels, options.seed, failures);
    fmt::print("passes applied: none {}, one {}, two {}, three {}, more {}\n", distribution[0],
               distribution[1], distribution[2], distribution[3], distribution[4]);
    fmt::print("{} launches compared, {} of them by the fast branch; {} launches and {} kernels of no use\n",
               runs, fast, faulty, unused);
    fmt::print("CPU seconds: import {:.1f}, passes {:.1f}, runs {:.1f}\n", importing, transforming, running);
    for (const auto& [name, mine] : tally) {
      fmt::print("{:16} applied {:5}, refused {:5}; mean {:.1f} ms, slowest {:.0f} ms at {}\n", name,
                 mine.applied, mine.refused, 1000 * mine.seconds / (mine.applied + mine.refused),
                 1000 * mine.slowest, mine.slowestAt);
      std::vector<std::pair<unsigned, std::string>> reasons;
      for (const auto& [reason, count] : mine.reasons) reasons.emplace_back(count, reason);
      std::sort(reasons.rbegin(), reasons.rend());
      for (size_t i = 0; i < std::min<size_t>(reasons.size(), options.onlyPass == name ? 20 : 4); ++i)
        fmt::print("    {:5} {}\n", reasons[i].first, reasons[i].second);
    }
    const unsigned two = distribution[2] + distribution[3] + distribution[4];
    fmt::print("{:.1f} % apply two passes or more\n", percent(two, kernels));
    const bool isUseful = percent(faulty, runs + faulty) <= 10;
    if (!isUseful) fmt::print("FAIL: too many kernels are wrong themselves\n");
    const bool isEnough = percent(two, kernels) >= options.leastTwo;
    if (!isEnough) fmt::print("FAIL: fewer than {} % apply two passes\n", options.leastTwo);
    return failures == 0 && isUseful && isEnough && kernels > 0 ? 0 : 1;
  }

  Options options;
  std::vector<target::Target> targets;
  Tally tally;
  unsigned kernels = 0, failures = 0, distribution[5] = {};
  size_t runs = 0, fast = 0, faulty = 0, unused = 0;
  double importing = 0, transforming = 0, running = 0;
};

Options readArguments(int argc, char** argv) {
  Options out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&]() -> std::string {
      if (i + 1 >= argc) throw Error(word + " wants a value");
      return argv[++i];
    };
    if (word == "--seed")
      out.seed = static_cast<unsigned>(std::stoul(next()));
    else if (word == "--count")
      out.count = static_cast<unsigned>(std::stoul(next()));
    else if (word == "--most-failures")
      out.mostFailures = static_cast<unsigned>(std::stoul(next()));
    else if (word == "--least-found")
      out.leastFound = static_cast<unsigned>(std::stoul(next()));
    else if (word == "--only-pass")
      out.onlyPass = next();
    else if (word == "--recipe")
      out.recipe = next();
    else if (word == "--write")
      out.write = next();
    else if (word == "--minutes")
      out.minutes = std::stod(next());
    else if (word == "--least-two")
      out.leastTwo = std::stod(next());
    else if (word == "--shrink")
      out.shrinks = true;
    else if (word == "--show")
      out.shows = true;
    else if (word == "--mistakes")
      out.mistakes = true;
    else if (out.targets.empty() && !word.starts_with('-'))
      out.targets = word;
    else
      throw Error("what is " + word + "?");
  }
  if (out.targets.empty()) throw Error("usage: fuzz_passes TARGETS [--seed N] [--count M] …");
  return out;
}

}  // namespace
}  // namespace hone::test

int main(int argc, char** argv) {
  std::signal(SIGSEGV, hone::test::onCrash);
  std::signal(SIGABRT, hone::test::onCrash);
  std::signal(SIGFPE, hone::test::onCrash);
  try {
    return hone::test::Fuzzing(hone::test::readArguments(argc, argv)).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_passes: %s\n", error.what());
    return 2;
  }
}
