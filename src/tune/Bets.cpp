#include "tune/Bets.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "ir/Walk.h"
#include "passes/edit/LoopEdit.h"
#include "passes/launch/ShapeBlock.h"
#include "passes/merge/MergeThreads.h"
#include "tune/CompilersLoops.h"
#include "tune/TextLines.h"

namespace hone::tune {

namespace {

constexpr unsigned mostBets = 3;   // variants that are looked at for other sizes
constexpr unsigned mostTexts = 8;  // variants that are printed to count their lines
// Seconds that a launch takes more or less from one time to the next.
constexpr double leastOfLaunch = 0.5e-6;
// Times as long as a launch took: an estimate of it says nothing of what is faster.
constexpr double farOff = 3;

// Whether a variable of a loop steps by how many blocks there are.
bool loopsOverGrid(const device::KernelFacts& facts) {
  const std::function<bool(const ir::ExprPtr&, int)> asksForBlocks = [&](const ir::ExprPtr& value,
                                                                         int depth) {
    bool found = false;
    if (!value || depth > 4) return found;
    ir::walkExprs(value, [&](const ir::Expr& e) {
      const auto* coord = e.as<ir::Coord>();
      found |= coord && (coord->kind == ir::CoordKind::GridDim || coord->kind == ir::CoordKind::GlobalSize);
      const auto* var = e.as<ir::VarRef>();
      const auto defined = var ? facts.definitions.find(var->var.get()) : facts.definitions.end();
      if (!found && defined != facts.definitions.end()) found = asksForBlocks(defined->second, depth + 1);
    });
    return found;
  };
  bool found = false;
  ir::walkStmts(facts.inlined->body, [&](const ir::Stmt& s) {
    if (!passes::isLoop(s)) return;
    const auto look = [&](const ir::Stmt& one) {
      const auto* set = one.as<ir::Assign>();
      found |= set && set->place->is<ir::VarRef>() && asksForBlocks(set->value, 0);
    };
    if (const auto* loop = s.as<ir::For>())
      for (const ir::StmtPtr& step : loop->step) look(*step);
    else
      ir::walkStmts(passes::bodyOf(s), look);
  });
  return found;
}

bool isShapeAlone(const passes::Recipe& recipe) {
  return std::all_of(recipe.calls.begin(), recipe.calls.end(),
                     [](const passes::PassCall& call) { return call.pass->traits.isShapeAlone; });
}

}  // namespace

Bets::Bets(const device::CaseMaker& caseMaker, const ir::PlanPtr& plan, passes::PassContext& passContext,
           const ChooseOptions& chooseOptions, PlanEstimator& base)
    : maker(caseMaker),
      original(plan),
      context(passContext),
      options(chooseOptions),
      estimator(base),
      scales(caseMaker, plan, passContext.target, passContext.facts, base),
      later(caseMaker, plan, passContext.target, base) {}

bool Bets::allow(const Variant& variant, Choice& soFar) {
  soFar.pays.reset();
  const double before = soFar.original.estimate.seconds, gain = before / variant.estimate.seconds;
  if (gain < options.worthItAlone && isCompilersToo(variant, soFar)) {
    if (reason.empty())
      reason = fmt::format(
          "all that is estimated to gain is {} ({:.2f} times), which compilers do of their own accord; "
          "--recipe takes it",
          passes::str(variant.recipe), gain);
    return false;
  }
  const LaunchEstimate* const longest = soFar.original.estimate.longest();
  if (longest && longest->time.limiter == sim::Limiter::Launch &&
      before - variant.estimate.seconds < leastOfLaunch) {
    refuse(fmt::format(
        "it is all launch, and the {:.1f} of {:.1f} us that {} is estimated to gain are no more than "
        "launches differ by; --recipe takes it",
        (before - variant.estimate.seconds) * 1e6, before * 1e6, passes::str(variant.recipe)));
    return false;
  }
  if (!isWorthItsLines(variant, gain)) return false;
  if (options.trustSizes) return true;
  const bool isCaptured = estimator.usedCase().isCaptured;
  const bool isTold = !maker.settings().set.empty() || !maker.settings().input.empty();
  const ir::SourceLoc* const loop =
      isTold && !scales.isBet() ? nullptr
                                : loopByData(context.facts.of(original->original, context.block).model(),
                                             isCaptured && estimator.usedCase().knowsWhatSteers());
  if (loop) {
    refuse(fmt::format(
        "what it would gain hangs on how often the loop at line {} runs, which is not seen to follow from "
        "its parameters; "
        "--trust-sizes takes the guess",
        loop->line));
    return false;
  }
  if (const std::optional<double> took =
          isCaptured ? maker.capturedSeconds(estimator.usedWish(), context.target) : std::nullopt;
      took && before > farOff * *took && variant.estimate.seconds > *took) {
    refuse(fmt::format(
        "it took {:.1f} us when it was captured and is estimated at {:.1f} us: estimates of it are "
        "not to be trusted; hone tune measures it",
        *took * 1e6, before * 1e6));
    return false;
  }
  if (const std::string why = whyUnsure(variant); !why.empty() && gain < options.worthItUnsure) {
    refuse(
        fmt::format("{} is estimated to gain {:.2f} times, but {}: estimates of such are off by as much; "
                    "--trust-sizes takes it, hone tune measures it",
                    passes::str(variant.recipe), gain, why));
    return false;
  }
  if (const std::optional<double> overall = later.gain(variant.plan, before, variant.estimate.seconds);
      overall && *overall < options.worthIt) {
    refuse(fmt::format(
        "{} is estimated to gain {:.2f} times in the first turn of the host's loop around the launch, and "
        "{:.2f} times over all of them (up to {}); --trust-sizes takes the first",
        passes::str(variant.recipe), gain, *overall, later.last()));
    return false;
  }
  const bool isBlockAlone = isShapeAlone(variant.recipe);
  if (const Variant* other = isBlockAlone ? nullptr : otherBlock(soFar);
      other && other->estimate.seconds < variant.estimate.seconds * options.worthIt) {
    refuse(fmt::format(
        "{} is estimated to gain {:.2f} times in the guessed blocks, and {:.2f} times over the original in "
        "others ({}), with which it may be launched as well; give --block, or --trust-sizes",
        passes::str(variant.recipe), gain, other->estimate.seconds / variant.estimate.seconds,
        passes::str(other->recipe)));
    return false;
  }
  if (!scales.isBet()) return true;
  if (gain < options.worthItTuned && isTunedByHand()) {
    refuse(fmt::format(
        "it is tuned by hand (barriers in a loop), and {} is estimated to gain no more ({:.2f} times) than "
        "estimates of such kernels are off; {}, or --trust-sizes",
        passes::str(variant.recipe), gain, howToGive(scales.guesses())));
    return false;
  }
  if (gain < options.worthItIfFewRegisters && hangsOnRegisters(variant, before)) {
    refuse(fmt::format(
        "{} is estimated to gain {:.2f} times only if compilers take few registers for its blocks of many "
        "threads; {}, or --trust-sizes",
        passes::str(variant.recipe), gain, howToGive(scales.guesses())));
    return false;
  }
  if (made == mostBets || (made > 0 && scales.isSpent())) return false;
  ++made;
  if (options.progress) options.progress(fmt::format("other sizes for {}", passes::str(variant.recipe)));
  WherePays pays = scales.of(variant, before, variant.estimate.seconds);
  using Verdict = WherePays::Verdict;
  const std::string guessed =
      fmt::format("at the sizes {} ({})", soFar.whoseSizes(), device::sizesText(scales.guesses()));
  const std::string advice =
      isCaptured ? "--trust-sizes takes it" : howToGive(scales.guesses()) + ", or --trust-sizes";
  if (isBlockAlone && pays.verdict == Verdict::Everywhere && !pays.isComplete) {
    refuse(fmt::format("another block shape is faster {}, but large ones take too long to try; {}", guessed,
                       advice));
    return false;
  }
  if ((isCaptured || soFar.isRead) && pays.verdict == Verdict::Nowhere && gain < pays.leastGain) {
    refuse(fmt::format(
        "{} is estimated to gain {:.2f} times {}, no more than estimates are off by; --trust-sizes takes it",
        passes::str(variant.recipe), gain, guessed));
    return false;
  }
  if (pays.verdict == Verdict::Nowhere || (isBlockAlone && pays.verdict != Verdict::Everywhere)) {
    refuse(fmt::format("what is faster {} is not at others ({}); {}", guessed,
                       pays.worst.empty() ? "too little is gained" : pays.worst, advice));
    return false;
  }
  if (pays.overall > 0 && pays.overall < options.worthIt) {
    refuse(fmt::format(
        "{} is estimated to gain {:.2f} times at {}, and {:.2f} times over all captured launches; "
        "--trust-sizes "
        "takes it",
        passes::str(variant.recipe), gain, device::sizesText(scales.guesses()), pays.overall));
    return false;
  }
  soFar.pays = std::move(pays);
  return true;
}

const Variant* Bets::otherBlock(const Choice& soFar) {
  const device::Case& c = estimator.usedCase();
  if (c.blockOrigin != device::Origin::Guess || c.isCaptured) return nullptr;
  // The fastest comes first.
  const auto known = std::find_if(soFar.ranked.begin(), soFar.ranked.end(),
                                  [](const Variant& one) { return isShapeAlone(one.recipe); });
  if (known != soFar.ranked.end()) return &*known;
  // Searches with little time may have tried none: few threads want many blocks.
  constexpr int64_t warp = 32;
  if (!smallBlocks && c.block[1] == 1 && c.block[2] == 1 && c.block[0] > warp) {
    smallBlocks = extended(soFar.original, {{passes::blockPass()({.x = warp})}}, context).value_or(Variant{});
    if (smallBlocks->plan) smallBlocks->estimate = estimator.of(smallBlocks->plan);
  }
  const bool isKnown = smallBlocks && smallBlocks->plan && smallBlocks->estimate.isKnown();
  return isKnown && !smallBlocks->estimate.fellBack ? &*smallBlocks : nullptr;
}

void Bets::refuse(std::string why) {
  if (!isReasonOfBest) reason = std::move(why);
  isReasonOfBest = true;
}

std::string Bets::whyUnsure(const Variant& variant) const {
  constexpr unsigned warp = 32;
  const device::Case& c = estimator.usedCase();
  if (maker.captured() && !c.isCaptured)
    return fmt::format("with less to do than the captured launch has ({})", device::sizesText(c.sizes()));
  if (!c.knowsWhatIsTouched())
    return "contents of its arrays, which are made up, decide which memory each thread touches";
  if (variant.recipe.has(passes::mergeThreadsPass()) && loopsOverGrid(maker.facts()))
    return "it loops over its grid, so that the program chooses how many blocks there are";
  const auto threads = [](const LaunchEstimate& one) { return one.block[0] * one.block[1] * one.block[2]; };
  if (c.block[0] * c.block[1] * c.block[2] >= warp)
    for (const LaunchEstimate& one : variant.estimate.launches)
      if (threads(one) < warp)
        return fmt::format("its blocks have {} threads, less than a warp", threads(one));
  return "";
}

bool Bets::isWorthItsLines(const Variant& variant, double gain) {
  if (gain >= options.worthAnyLines) return true;
  if (texts == mostTexts) return false;
  ++texts;
  const size_t lines = linesAdded(*variant.plan);
  if (gain - 1 >= options.gainOfLine * static_cast<double>(lines)) return true;
  if (reason.empty())
    reason =
        fmt::format("{} is estimated to gain {:.2f} times{}, which is not worth {} lines; --recipe takes it",
                    passes::str(variant.recipe), gain,
                    scales.isBet() ? " at " + device::sizesText(scales.guesses()) : "", lines);
  return false;
}

bool Bets::hangsOnRegisters(const Variant& variant, double before) {
  constexpr unsigned manyThreads = 512;
  const bool hasLargeBlocks = std::any_of(
      variant.estimate.launches.begin(), variant.estimate.launches.end(),
      [](const LaunchEstimate& one) { return one.block[0] * one.block[1] * one.block[2] >= manyThreads; });
  if (!hasLargeBlocks) return false;
  const PlanEstimate doubled = estimator.withRegisters(variant.plan, 2);
  return !doubled.isKnown() || doubled.seconds > before;
}

// A loop that stages data for its next iterations in shared memory.
bool Bets::isTunedByHand() const {
  bool found = false;
  ir::walkStmts(maker.facts().inlined->body, [&](const ir::Stmt& s) {
    if (passes::isLoop(s)) found |= passes::containsBarrier(passes::bodyOf(s));
  });
  return found;
}

// Whether nothing is gained before what compilers do of their own accord.
bool Bets::isCompilersToo(const Variant& variant, const Choice& soFar) const {
  if (keepsLoopsWhole(*original->original)) return false;
  const auto first =
      std::find_if(variant.recipe.calls.begin(), variant.recipe.calls.end(),
                   [](const passes::PassCall& call) { return call.pass->traits.isCompilersToo; });
  if (first == variant.recipe.calls.end()) return false;
  passes::Recipe before;
  before.calls.assign(variant.recipe.calls.begin(), first);
  return std::none_of(soFar.ranked.begin(), soFar.ranked.end(), [&](const Variant& one) {
    return one.estimate.seconds * options.worthIt <= soFar.original.estimate.seconds && one.recipe == before;
  });
}

}  // namespace hone::tune
