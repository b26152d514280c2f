#include "tune/ChooseRecipe.h"
#include "tune/LargerGuess.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <set>
#include <thread>
#include <tuple>

#include "ir/Compare.h"
#include "ir/Error.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/host/Candidate.h"
#include "passes/host/PlanEdit.h"
#include "passes/merge/MergeBlocks.h"
#include "passes/merge/MergeThreads.h"
#include "sim/execute/TimeLimit.h"
#include "target/CoalescingRules.h"
#include "tune/Bets.h"
#include "tune/CaseLengths.h"
#include "tune/Proposals.h"
#include "tune/WhyLeft.h"

namespace hone::tune {

using passes::PassContext;

namespace {

// Every pass has to pay for what it adds to the source; estimates tell no smaller differences anyway.
constexpr double leastGainOfPass = 0.01;

bool isBetter(const Variant& a, const Variant& b) {
  const auto cost = [](const Variant& v) {
    return v.estimate.seconds * (1 + leastGainOfPass * static_cast<double>(v.recipe.calls.size()));
  };
  return cost(a) != cost(b) ? cost(a) < cost(b) : passes::str(a.recipe) < passes::str(b.recipe);
}

constexpr size_t workers = 2;  // cores that are worth using

// Of the time that is left for runs: other sizes and verification come after them.
constexpr double partForEstimates = 0.4;

// Launches with findings besides the first guess, from which on these are the kernel's own rather than the
// guess's.
constexpr size_t enoughGuesses = 3;

// Each of `count` things done by one of the workers, always by the same one: what they remember makes no
// difference from run to run.
template <class Work>
void inParallel(size_t count, unsigned jobs, const Work& work) {
  std::array<std::exception_ptr, workers> failures;
  if (jobs == 1) {
    for (size_t i = 0; i < count; ++i) work(i % workers, i);
    return;
  }
  std::vector<std::thread> threads;
  for (size_t w = 0; w < std::min(workers, count); ++w)
    threads.emplace_back([&, w] {
      try {
        for (size_t i = w; i < count; i += workers) work(w, i);
      } catch (...) {
        failures[w] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

// A variable outside of functions that holds pointers, of which hone knows no more than that they are null.
const ir::Variable* pointersSetByHost(const ir::Kernel& kernel) {
  const ir::Variable* found = nullptr;
  ir::walkExprs(kernel.body, [&](const ir::Expr& e) {
    const auto* var = e.as<ir::VarRef>();
    if (var && var->var->storage == ir::Storage::Global && ir::holdsPointer(*var->var->type))
      found = var->var.get();
  });
  return found;
}

class Search {
 public:
  Search(const device::CaseMaker& caseMaker, const ir::PlanPtr& start, PassContext& passContext,
         const ChooseOptions& chooseOptions)
      : maker(caseMaker),
        original(start),
        context(passContext),
        options(chooseOptions),
        ownFacts(passContext.target),
        ownContext{passContext.target,        ownFacts,
                   passContext.block,         passContext.reassociate,
                   passContext.assumeNoalias, passContext.outputs,
                   passContext.byLaunch,      passContext.registers},
        contexts{&context, &ownContext},
        judge(chooseOptions.judge) {
    judge.run.mostWork = shareOf(options.mostWorkOfRun);
    judge.mostWorkInAll = shareOf(options.mostWorkOfVerification);
    judge.mayChooseData = true;
  }

  Choice run() {
    if (maker.settings().keep && maker.settings().keep->isOn)
      return left(fmt::format("{} says to keep it", maker.settings().keep->from));
    if (!isClean()) return std::move(choice);
    if (const ir::SourceLoc* where = retriedAtomic())
      return left(
          fmt::format("an atomic is tried again until it takes (line {}); how often depends on how "
                      "threads meet, which no estimate says",
                      where->line));
    choice.original.plan = original;
    report("estimating the original");
    estimators[0] = std::make_unique<PlanEstimator>(maker, original, context.target, options.share);
    if (auto smaller = atSmallerGuesses(maker, original, context.target, context.facts, *estimators[0]))
      estimators[0] = std::move(smaller);
    LargerGuess larger = atLargerGuesses(maker, original, context.target, context.facts, *estimators[0]);
    choice.isAlwaysShort = larger.isAlwaysShort;
    if (larger.estimator) estimators[0] = std::move(larger.estimator);
    for (size_t i = 1; i < estimators.size(); ++i)
      estimators[i] = std::make_unique<PlanEstimator>(*estimators[0]);
    choice.original.estimate = estimators[0]->of(original);
    bets = std::make_unique<Bets>(maker, original, context, options, *estimators[0]);
    choice.guessed = bets->guesses();
    choice.setSizes(*estimators[0]);
    if (!choice.original.estimate.isKnown())
      return left(
          atGuesses(fmt::format("its time cannot be estimated: {}", choice.original.estimate.problem)));
    const bool doesNothing = isIdle(choice.original.estimate);
    if (doesNothing && choice.isCaptured)
      return left(
          atGuesses("its time cannot be estimated: no block that was looked at touches global memory"));
    if (doesNothing && maker.captured())
      return left(
          fmt::format("its time cannot be estimated: a thread of its captured launches runs for too long to "
                      "be tried here, "
                      "and at smaller sizes ({}) no block that was looked at touches global memory",
                      device::sizesText(choice.sizes)));
    if (doesNothing)
      return left(
          atGuesses("its time cannot be estimated: no block that was looked at touches global memory"));
    if (options.share < 1 && mostGain(choice.original.estimate) < options.worthIt && !mayFuse())
      return left(atGuesses(whyNotTried(choice.original.estimate, options.worthIt,
                                        !estimators[0]->usedCase().knowsWhatSteers())));
    search();
    std::sort(choice.ranked.begin(), choice.ranked.end(), isBetter);
    pick();
    choice.isCutShort = isCutShort;
    return std::move(choice);
  }

 private:
  Choice left(std::string reason) {
    choice.reason = std::move(reason);
    return std::move(choice);
  }
  // What was found at sizes that were guessed begins with these.
  std::string atGuesses(const std::string& what) const {
    const std::string guesses = choice.guessesText();
    if (guesses.empty()) return what;
    if (choice.isCaptured) return fmt::format("at {}, as captured: {}", guesses, what);
    if (choice.isSmaller)
      return fmt::format("at {}, with less to do than captured launches have: {}", guesses, what);
    if (choice.isRead) return fmt::format("at {}, as read off one of its launches: {}", guesses, what);
    if (choice.isAlwaysShort)
      return fmt::format("at {}, and at larger sizes whose arrays a GPU holds: {}", guesses, what);
    // Some of what is found says itself which sizes to give.
    const std::string advice =
        what.find("--set") == std::string::npos ? "; " + choice.howToGiveGuesses() : "";
    return fmt::format("at the guessed {}: {}{}", guesses, what, advice);
  }
  // Launches that become fewer gain more than one alone can.
  bool mayFuse() const { return original->original->iteration != nullptr; }
  // A swap in a loop that does not count.
  const ir::SourceLoc* retriedAtomic() const {
    const ir::SourceLoc* found = nullptr;
    ir::walkStmts(maker.facts().inlined->body, [&](const ir::Stmt& s) {
      const auto* loop = s.as<ir::For>();
      if (!s.is<ir::While>() && !s.is<ir::DoWhile>() && !(loop && !ir::counted(*loop))) return;
      ir::forEachChild(s, [&](const ir::StmtPtr& body) {
        ir::walkExprs(body, [&](const ir::Expr& e) {
          const auto* call = e.as<ir::Call>();
          if (call && call->intrinsic && call->intrinsic->traits.atomic == ir::AtomicKind::CompareExchange)
            found = &e.loc;
        });
      });
    });
    return found;
  }
  uint64_t shareOf(uint64_t work) const {
    return static_cast<uint64_t>(options.share * static_cast<double>(work));
  }
  void report(const std::string& what) const {
    if (options.progress) options.progress(what);
  }

  // Sizes that were given, smaller where arrays would fill the memory of this machine.
  device::CaseWish sizesToCheck() {
    constexpr uint64_t mostElements = uint64_t(1) << 26;
    constexpr int64_t smallestSize = 1024;
    device::CaseWish wish;
    for (bool isSmaller = true; isSmaller;) {
      const device::Case c = maker.make(wish);
      double product = 1;
      for (const auto& [name, size] : c.sizes()) product *= static_cast<double>(size);
      if (product < mostElements) break;
      uint64_t elements = 0;
      for (const auto& [name, length] : lengthsOf(c, context.facts.of(original->original, c.block)).elements)
        elements += length;
      if (elements <= mostElements) break;
      isSmaller = false;
      for (const auto& [name, size] : c.sizes())
        if (size >= 2 * smallestSize) wish.sizes[name] = size / 2, isSmaller = true;
    }
    return wish;
  }

  // A captured launch has rules of its own for how it is made smaller.
  device::Judgement judgedOriginal() {
    const device::CaseWish wish = sizesToCheck();
    try {
      return device::check(maker, original->original, judge, wish);
    } catch (const Error& error) {
      if (error.status == 2 || !maker.captured() || wish.sizes.empty()) throw;
    }
    return device::check(maker, original->original, judge, {});
  }

  // Races and bad accesses of the original are the user's to mend first: what it computes is no measure.
  bool isClean() {
    report("checking the original");
    device::Judgement found = judgedOriginal();
    if (found.guess) {
      maker = maker.withGuess(*found.guess);
      for (PassContext* one : contexts) one->block = found.runs.front().block;
    }
    if (found.errors() == 0) return true;
    for (const device::JudgedFinding& one : found.findings)
      if (one.finding.cls != sim::FindingClass::SameValue) choice.findings.push_back(one);
    const bool isLost = std::any_of(
        choice.findings.begin(), choice.findings.end(),
        [](const device::JudgedFinding& one) { return one.finding.kind == sim::FindingKind::NullPointer; });
    if (const ir::Variable* holder = isLost ? pointersSetByHost(*maker.facts().inlined) : nullptr) {
      choice.findings.clear();
      choice.reason = fmt::format(
          "it reaches memory by pointers in `{}`, which the program sets before the launch: where they point "
          "cannot be read off",
          holder->name);
      return false;
    }
    const std::string count = found.errors() == 1 ? "a finding" : fmt::format("{} findings", found.errors());
    const std::string idle = idleAxis();
    const bool isLaunchAtFault = !idle.empty() && maker.make().blockOrigin != device::Origin::Guess;
    if (found.guesses.empty() || isLaunchAtFault) {
      choice.reason = fmt::format("the original has {} that must be mended first", count);
    } else {
      const std::string others = found.guessesTried == 0 ? ""
                                 : found.guessesTried == 1
                                     ? ", and at another guess too"
                                     : fmt::format(", and at {} others too", found.guessesTried);
      const std::string byData = madeUpData();
      const bool isSeen = maker.captured() && found.guessesTried > 0 && byData.empty();
      choice.reason =
          isSeen ? fmt::format(
                       "the original has {} in captured launches, whole or made smaller ({}), that must "
                       "be mended first",
                       count, found.guesses)
          : found.guessesTried >= enoughGuesses && byData.empty()
              ? fmt::format(
                    "the original has {} at the guessed {}{}; mend it, or give what it is launched with",
                    count, found.guesses, others)
              : fmt::format(
                    "no valid launch found: {} at the guessed {}{}{}; give what it is launched with, or "
                    "mend it where that is so",
                    count, found.guesses, others, byData);
    }
    choice.reason += idle;
    return false;
  }

  // Data decide what a kernel touches as sizes do, and are made up as well.
  std::string madeUpData() {
    const affine::KernelModel& model = context.facts.of(original->original, context.block).model();
    const auto& arrays = maker.facts().arrays;
    const bool isByData =
        loopByData(model) ||
        !std::all_of(model.accesses.begin(), model.accesses.end(),
                     [](const affine::Access& access) { return access.isResolved(); }) ||
        std::any_of(arrays.begin(), arrays.end(), [](const auto& array) { return array.second.steers; });
    return isByData && maker.settings().input.empty() &&
                   !(maker.captured() && maker.make({.anySize = true}).knowsWhatSteers())
               ? ", with contents of its arrays that are made up (--input)"
               : "";
  }

  // A kernel for a list under blocks for an image is the commonest cause of races: every element has several
  // threads.
  std::string idleAxis() {
    const bool races = std::any_of(
        choice.findings.begin(), choice.findings.end(),
        [](const device::JudgedFinding& one) { return one.finding.cls == sim::FindingClass::Race; });
    const affine::KernelModel& model = context.facts.of(original->original, context.block).model();
    const bool isWhole = std::all_of(model.accesses.begin(), model.accesses.end(),
                                     [](const affine::Access& access) { return access.isResolved(); });
    if (!races || !isWhole) return "";
    for (unsigned axis = 0; axis < 3; ++axis)
      if (context.block[axis] > 1 && !(passes::usedAxes(model) >> axis & 1))
        return fmt::format(
            "; its blocks of {} have {} threads along {} that the kernel does not tell apart: they all do "
            "the same to the same elements",
            device::extentsText(context.block), context.block[axis], "xyz"[axis]);
    return "";
  }

  bool isLate() {
    const bool late = sim::secondsLeft() < leastLeft;
    if (late) isCutShort = true;
    return late;
  }

  void search() {
    leastLeft = sim::secondsLeft() * (1 - partForEstimates);
    std::vector<Variant> beam = {choice.original};
    for (Level level : allLevels) {
      std::vector<Variant> made = extended(level, beam);
      if (made.empty()) continue;
      if (estimates + made.size() > options.mostEstimates) made.resize(options.mostEstimates - estimates);
      if (made.empty()) break;
      report(fmt::format("{}: {} variant{}", str(level), made.size(), made.size() == 1 ? "" : "s"));
      estimate(made);
      if (choice.leftOut > 0 && made.empty()) break;
      for (Variant& variant : made) {
        if (!variant.estimate.isKnown()) {
          note({variant.recipe.calls.back().pass, {variant.estimate.problem, original->original->loc}});
          continue;
        }
        if (variant.estimate.missesMeant)
          note({variant.recipe.calls.back().pass,
                {"at the sizes that it is launched with its conditions do not hold, so that the original "
                 "would run",
                 original->original->loc}});
        if (variant.estimate.fellBack || variant.estimate.missesMeant) continue;
        beam.push_back(variant);
        choice.ranked.push_back(std::move(variant));
      }
      std::sort(beam.begin(), beam.end(), isBetter);
      const bool isShaping = level == Level::Shape || level == Level::Stage || level == Level::MergeBlocks;
      if (isShaping) keepOneOfEachShape(beam);
      if (isShaping && !target::worksByHalfWarps(context.target)) keepSomeOfEachKind(beam);
      const size_t kept = isShaping ? options.shapes : options.beam;
      if (beam.size() > kept) beam.resize(kept);
      // Shapes and tiles are tried on the kernel as it is, too, whatever was done to its sums.
      const bool hasOriginal = std::any_of(
          beam.begin(), beam.end(), [](const Variant& variant) { return variant.recipe.calls.empty(); });
      if (level == Level::Prepare && !hasOriginal) beam.push_back(choice.original);
    }
  }

  static bool hasTiles(const Variant& variant) {
    return std::any_of(variant.recipe.calls.begin(), variant.recipe.calls.end(),
                       [](const passes::PassCall& call) { return call.pass->traits.addsTiles; });
  }

  static bool isMerged(const Variant& variant) {
    return variant.recipe.has(passes::mergeThreadsPass()) || variant.recipe.has(passes::mergeBlocksPass());
  }

  // With tiles and without, no more of one than the other may leave room for. Of those with tiles one that
  // nothing was merged for goes on: threads may gain more by being merged than blocks.
  void keepSomeOfEachKind(std::vector<Variant>& beam) const {
    const bool hasBoth = std::any_of(beam.begin(), beam.end(), hasTiles);
    const bool hasPlainTiles = std::any_of(beam.begin(), beam.end(), [](const Variant& variant) {
      return hasTiles(variant) && !isMerged(variant);
    });
    std::array<unsigned, 2> kept{};
    unsigned mergedTiles = 0;
    std::erase_if(beam, [&](const Variant& variant) {
      if (hasPlainTiles && hasTiles(variant) && isMerged(variant) && ++mergedTiles > 1) return true;
      return ++kept[hasTiles(variant)] > (hasBoth ? 2 : options.beam);
    });
  }

  // Which block is best shows only once threads are merged, so several shapes go on until then, with tiles
  // and without: these gain most by merging. What was merged at once stands for itself: arrays that may be
  // staged for single threads need not be for merged ones.
  void keepOneOfEachShape(std::vector<Variant>& beam) const {
    std::set<std::tuple<std::array<unsigned, 3>, bool, bool>> shapes;
    std::erase_if(beam, [&](const Variant& variant) {
      const auto launches = ir::launchesOf(*variant.plan);
      const auto fixed = launches.empty() ? std::nullopt : passes::fixedBlock(*launches.front());
      const std::array<unsigned, 3> block = fixed.value_or(context.block);
      return !shapes.insert({block, hasTiles(variant), isMerged(variant)}).second;
    });
  }

  void note(const Refused& one) {
    if (known.insert({one.pass, one.refusal.reason}).second) choice.refused.push_back(one);
  }

  struct Extensions {
    std::vector<Variant> made;
    std::vector<Refused> refused;
  };

  // What the passes of a level make of the variants, each plan once.
  std::vector<Variant> extended(Level level, const std::vector<Variant>& beam) {
    std::vector<Extensions> of(beam.size());
    inParallel(beam.size(), judge.run.jobs, [&](size_t worker, size_t i) {
      for (const passes::Recipe& proposal : proposals(level, beam[i], *contexts[worker])) {
        if (isLate()) break;
        if (!estimators[0]->hasGivenLoops() && isForSizes(proposal)) continue;
        if (auto one = tune::extended(beam[i], proposal, *contexts[worker],
                                      [&](const Refused& refused) { of[i].refused.push_back(refused); }))
          of[i].made.push_back(std::move(*one));
      }
    });
    std::vector<Variant> made;
    for (Extensions& one : of) {
      for (const Refused& refused : one.refused) note(refused);
      for (Variant& variant : one.made)
        if (seen.insert(ir::hash(*variant.plan)).second) made.push_back(std::move(variant));
    }
    return made;
  }

  void estimate(std::vector<Variant>& made) {
    estimates += made.size();
    const double most = options.mostWork * options.share / workers;
    std::vector<char> isLeftOut(made.size());
    inParallel(made.size(), judge.run.jobs, [&](size_t worker, size_t i) {
      isLeftOut[i] = estimators[worker]->spent() > most || isLate();
      if (!isLeftOut[i]) made[i].estimate = estimators[worker]->of(made[i].plan);
    });
    size_t kept = 0;
    for (size_t i = 0; i < made.size(); ++i)
      if (!isLeftOut[i]) std::swap(made[kept++], made[i]);
    choice.leftOut += made.size() - kept;
    made.resize(kept);
  }

  // With what makes so little difference in estimates that recipes would not be told apart by it, but pays:
  // pointers that move along where that is not estimated to cost anything, and what helps compilers, which no
  // estimate sees.
  Variant finished(Variant variant) {
    forEachFinish(variant, context, [&](const passes::Recipe& more, bool isUnseen) {
      std::optional<Variant> made = tune::extended(variant, more, context);
      if (!made) return;
      made->estimate = isUnseen ? variant.estimate : estimators[0]->of(made->plan);
      if (isUnseen || (made->estimate.isKnown() && made->estimate.seconds <= variant.estimate.seconds))
        variant = std::move(*made);
    });
    return variant;
  }

  // The fastest that is worth it, pays at more than one size and is right.
  void pick() {
    for (size_t i = 0; i < choice.ranked.size(); ++i) {
      const double gain = choice.original.estimate.seconds / choice.ranked[i].estimate.seconds;
      if (gain < options.worthIt) break;
      if (!bets->allow(choice.ranked[i], choice)) continue;
      const Variant& variant = choice.ranked[i] = finished(choice.ranked[i]);
      if (!options.verify) {
        take(i);
        return;
      }
      report(fmt::format("verifying {}", passes::str(variant.recipe)));
      for (const auto& estimator : estimators) estimator->release();
      device::Judgement judged;
      try {
        device::JudgeOptions how = judge;
        how.compare.reassociate = passes::changesOrder(original, variant.recipe, *variant.plan, context);
        judged = device::verify(maker, original, variant.plan, how);
      } catch (const Error& error) {
        judged.uncompared = error.what();
      }
      if (judged.equal && judged.errors() == 0 && !judged.uncompared.empty()) {
        if (notCompared.empty()) notCompared = judged.uncompared;
        if (++uncompared == mostUncompared) break;
        continue;
      }
      if (judged.passed()) {
        take(i);
        choice.verification = std::move(judged);
        return;
      }
      std::string what = "it differs from the original";
      for (const device::JudgedFinding& one : judged.findings)
        if (!one.inOriginal) {
          what = one.finding.message + (one.sizes.empty() ? "" : " at " + one.sizes);
          break;
        }
      choice.rejected.push_back(fmt::format("{}: {}", passes::str(variant.recipe), what));
    }
    choice.pays.reset();
    if (!bets->whyNot().empty() && choice.rejected.empty())
      choice.reason = bets->whyNot();
    else if (!notCompared.empty() && choice.rejected.empty())
      choice.reason = fmt::format("not verified, so that only --no-verify writes it: {}", notCompared),
      choice.isUncompared = true;
    else if (!choice.rejected.empty())
      choice.reason = "internal: no faster variant passed verification; please report";
    else
      choice.reason = atGuesses(whyLeft(choice.original.estimate, choice.ranked.size(), options.worthIt,
                                        !estimators[0]->usedCase().knowsWhatSteers()));
  }

  // What was verified, where it pays.
  void take(size_t i) {
    choice.chosen = static_cast<int>(i);
    if (choice.pays) choice.ranked[i].plan = wherePays(choice.ranked[i].plan, choice.pays->bounds);
  }

  static constexpr unsigned mostUncompared = 3;  // variants of which verification may say nothing

  device::CaseMaker maker;
  ir::PlanPtr original;
  PassContext& context;
  const ChooseOptions& options;
  Choice choice;
  std::unique_ptr<Bets> bets;
  unsigned uncompared = 0;
  std::string notCompared;  // why verification said nothing about the best
  // Each worker has facts and a device of its own.
  analysis::FactsCache ownFacts;
  PassContext ownContext;
  std::array<PassContext*, workers> contexts;
  device::JudgeOptions judge;
  std::array<std::unique_ptr<PlanEstimator>, workers> estimators;
  std::set<uint64_t> seen;
  std::set<std::pair<const passes::Pass*, std::string>> known;
  size_t estimates = 0;
  double leastLeft = 0;  // of the seconds for runs, with which estimates end
  std::atomic<bool> isCutShort{false};
};

}  // namespace

Choice chooseRecipe(const device::CaseMaker& maker, const ir::PlanPtr& original, PassContext& context,
                    const ChooseOptions& options) {
  return Search(maker, original, context, options).run();
}

}  // namespace hone::tune
