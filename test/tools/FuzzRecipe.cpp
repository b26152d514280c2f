#include "FuzzRecipe.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>

#include "ir/Error.h"
#include "ir/Handles.h"
#include "passes/calls/BoundArguments.h"
#include "passes/calls/InlineFunctions.h"
#include "passes/guards/SkipBlocks.h"
#include "passes/guards/SplitBorder.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/LaunchBounds.h"
#include "passes/launch/RemapBlocks.h"
#include "passes/launch/ShapeBlock.h"
#include "passes/launch/Specialize.h"
#include "passes/launch/SwapAxes.h"
#include "passes/launch/Unflatten.h"
#include "passes/loops/MovePointers.h"
#include "passes/loops/RotateLoop.h"
#include "passes/loops/UnrollLoop.h"
#include "passes/merge/MergeBlocks.h"
#include "passes/merge/MergeThreads.h"
#include "passes/recipe/Registry.h"
#include "passes/reduce/Retree.h"
#include "passes/reduce/SplitReduction.h"
#include "passes/reduce/Untree.h"
#include "passes/registers/ForwardStores.h"
#include "passes/registers/PromoteElements.h"
#include "passes/sequence/DropTemporaries.h"
#include "passes/sequence/LowerGridSync.h"
#include "passes/shared/CoalesceStores.h"
#include "passes/shared/PrefetchTiles.h"
#include "passes/shared/StageArrays.h"
#include "passes/shared/Unstage.h"
#include "passes/spread/SpreadLoop.h"
#include "passes/vector/VectorizeAccesses.h"

namespace hone::test {
namespace {

using passes::ArgumentValue;
using passes::ParameterKind;
using passes::Pass;
using passes::PassCall;

// Its place in the order in which passes usually help one another; others come last.
size_t rankOf(const Pass* pass) {
  static const std::vector<const Pass*> usual = {
      &passes::inlinePass(),          &passes::gridSyncPass(),       &passes::spreadPass(),
      &passes::unflattenPass(),       &passes::blockPass(),          &passes::swapAxesPass(),
      &passes::promotePass(),         &passes::forwardStoresPass(),  &passes::specializePass(),
      &passes::untreePass(),          &passes::splitReductionPass(), &passes::retreePass(),
      &passes::stagePass(),           &passes::unstagePass(),        &passes::mergeBlocksPass(),
      &passes::mergeThreadsPass(),    &passes::prefetchPass(),       &passes::rotateLoopPass(),
      &passes::unrollPass(),          &passes::splitBorderPass(),    &passes::coalesceStoresPass(),
      &passes::boundArgumentsPass(),  &passes::vectorizePass(),      &passes::movePointersPass(),
      &passes::dropTemporariesPass(), &passes::remapBlocksPass(),    &passes::skipBlocksPass(),
      &passes::launchBoundsPass()};
  return static_cast<size_t>(std::ranges::find(usual, pass) - usual.begin());
}

// Of a hundred recipes for one pass, how many have another one before it.
unsigned chanceBefore(const Pass& wanted, const Pass* pass) {
  // Threads go on together once tiles are filled or threads are merged, seldom else.
  if (&wanted != &passes::skipBlocksPass()) return 40;
  const std::vector<const Pass*> tiles = {&passes::unflattenPass(), &passes::blockPass(),
                                          &passes::promotePass(), &passes::stagePass(),
                                          &passes::mergeThreadsPass()};
  return std::ranges::find(tiles, pass) != tiles.end() ? 75 : 10;
}

// Names of arrays and loops do not matter in a reason, nor numbers.
std::string generalized(const std::string& reason) {
  std::string out;
  bool inName = false;
  for (const char c : reason) {
    if (c == '`' || c == '\'') {
      if (!inName) out += "`…`";
      inName = !inName;
    } else if (!inName && std::isdigit(static_cast<unsigned char>(c))) {
      if (!out.ends_with('N')) out += 'N';
    } else if (!inName) {
      out += c;
    }
  }
  return out;
}

bool fits(const ir::Plan& plan, const target::Target& target) {
  for (const ir::LaunchStep* launch : ir::launchesOf(plan))
    if (const auto block = passes::fixedBlock(*launch))
      if (uint64_t{(*block)[0]} * (*block)[1] * (*block)[2] > target.threadsPerBlock || (*block)[2] > 64)
        return false;
  return true;
}

class Drawing {
 public:
  Drawing(std::mt19937_64& random, passes::PassContext& passContext, const Sizes& known)
      : engine(random), context(passContext), sizes(known) {}

  size_t pick(size_t below) { return engine() % below; }
  bool chance(unsigned percent) { return engine() % 100 < percent; }

  PassCall call(const Pass& pass, const ir::LaunchStep& launch) {
    PassCall out{&pass};
    std::vector<passes::Argument> named;
    for (const passes::PassParameter& parameter : pass.parameters) {
      if (parameter.kind == ParameterKind::NumbersByName) {
        drawNumbers(parameter, out);
        continue;
      }
      std::vector<ArgumentValue> values =
          parameter.values ? parameter.values(launch, context) : std::vector<ArgumentValue>{};
      if (values.empty() && parameter.isPositional()) values = handlesFor(parameter.kind, launch);
      if (parameter.kind == ParameterKind::Flag && !parameter.values) values = {1};
      if (values.empty()) continue;
      if (parameter.isPositional()) {
        if (chance(45)) continue;
        std::ranges::shuffle(values, engine);
        const size_t count = chance(70) ? 1 : std::min<size_t>(values.size(), 2);
        for (size_t i = 0; i < count; ++i) out.arguments.push_back({&parameter, values[i]});
      } else if (chance(65)) {
        named.push_back({&parameter, values[pick(values.size())]});
        // Numbers that nobody would try: right or refused, as the others.
        static const std::vector<int64_t> odd = {1, 2, 3, 5, 6, 7, 12, 24};
        if (std::holds_alternative<int64_t>(named.back().value) && chance(12))
          named.back().value = odd[pick(odd.size())];
      }
    }
    out.arguments.insert(out.arguments.end(), named.begin(), named.end());
    return out;
  }

 private:
  static std::vector<ArgumentValue> handlesFor(ParameterKind kind, const ir::LaunchStep& launch) {
    std::vector<ArgumentValue> out;
    const ir::KernelHandles all = ir::handles(*launch.kernel);
    if (kind == ParameterKind::Loops) {
      for (const ir::LoopHandle& loop : all.loops) out.emplace_back(loop.name);
      return out;
    }
    for (const ir::AccessHandle& access : all.accesses) {
      const ArgumentValue array = access.name.substr(0, access.name.find('#'));
      if (std::ranges::find(out, array) == out.end()) out.push_back(array);
      if (kind == ParameterKind::Accesses) out.emplace_back(access.name);
    }
    return out;
  }

  // Parameters with a value of one of the launches, now and then with another.
  void drawNumbers(const passes::PassParameter& parameter, PassCall& call) {
    if (sizes.empty()) return;
    for (const auto& [name, value] : sizes[pick(sizes.size())])
      if (value >= 0 && value <= INT32_MAX && chance(50))
        call.arguments.push_back({&parameter, chance(85) ? value : static_cast<int64_t>(pick(40)), name});
  }

  std::mt19937_64& engine;
  passes::PassContext& context;
  const Sizes& sizes;
};

}  // namespace

std::string DrawnRecipe::text() const { return passes::str(passes::Recipe{calls}); }

passes::PassResult applyCounted(const ir::PlanPtr& plan, const PassCall& call, passes::PassContext& context,
                                Tally& tally, std::string& broken) {
  PassTally& mine = tally[call.pass->name];
  tried += (tried.empty() ? "" : " ") + passes::str(passes::Recipe{{call}});
  const std::clock_t begin = std::clock();
  passes::PassResult result;
  try {
    result = passes::applyPass(plan, call, context);
  } catch (const Error& error) {
    // A number that the pass does not take.
    if (!std::string(error.what()).starts_with("recipe: "))
      broken = fmt::format("{} threw: {}", call.pass->name, error.what());
    ++mine.refused;
    ++mine.reasons[generalized(error.what())];
    return {};
  } catch (const std::exception& error) {
    broken = fmt::format("{} threw: {}", call.pass->name, error.what());
    return {};
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  mine.seconds += seconds;
  if (seconds > mine.slowest) mine.slowest = seconds, mine.slowestAt = plan->original->name;
  const std::string reason = result.remarks.empty() ? "" : result.remarks.back().text;
  if (reason.starts_with("internal:")) broken = reason;
  const bool isDone = result.plan && std::ranges::any_of(result.remarks, [](const passes::Remark& remark) {
                        return remark.kind == passes::RemarkKind::Done;
                      });
  if (isDone) {
    ++mine.applied;
  } else {
    ++mine.refused;
    ++mine.reasons[generalized(reason)];
    result.plan = nullptr;
  }
  return result;
}

DrawnRecipe applyCalls(const ir::PlanPtr& plan, const std::vector<PassCall>& calls,
                       passes::PassContext& context, Tally& tally) {
  DrawnRecipe out{{}, plan, ""};
  for (const PassCall& call : calls) {
    passes::PassResult one = applyCounted(out.plan, call, context, tally, out.broken);
    if (!out.broken.empty()) {
      out.calls.push_back(call);
      return out;
    }
    if (!one.plan) continue;
    out.plan = one.plan;
    out.calls.push_back(call);
  }
  return out;
}

DrawnRecipe drawRecipe(std::mt19937_64& engine, const ir::PlanPtr& plan, passes::PassContext& context,
                       const std::string& first, const Sizes& sizes, Tally& tally) {
  Drawing draw(engine, context, sizes);
  std::vector<const Pass*> all;
  for (const Pass* pass : passes::allPasses()) all.push_back(pass);
  std::ranges::shuffle(all, engine);
  const size_t wanted = 2 + draw.pick(4);
  if (draw.chance(25)) {
    // Some come twice.
    const size_t twice = 1 + draw.pick(3);
    for (size_t i = 0; i < twice; ++i) all.insert(all.begin(), all[draw.pick(all.size())]);
  }
  const bool isUsual = draw.chance(70);
  // Some in the usual order, then the rest while fewer than two applied.
  const size_t some = std::min(all.size(), wanted + 2);
  if (isUsual)
    std::sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(some),
              [](const Pass* a, const Pass* b) { return rankOf(a) < rankOf(b); });
  if (!first.empty()) {
    // What it builds on, then itself.
    const Pass* wantedFirst = passes::findPass(first);
    std::vector<const Pass*> before;
    for (const Pass* pass : all)
      if (rankOf(pass) < rankOf(wantedFirst) && draw.chance(chanceBefore(*wantedFirst, pass)))
        before.push_back(pass);
    std::ranges::sort(before, {}, rankOf);
    std::erase_if(all, [&](const Pass* pass) {
      return pass == wantedFirst || std::ranges::find(before, pass) != before.end();
    });
    before.push_back(wantedFirst);
    // Iterations side by side are for wide accesses.
    if (wantedFirst == &passes::splitReductionPass() && draw.chance(50)) {
      std::erase(all, &passes::vectorizePass());
      std::erase(before, &passes::vectorizePass());
      before.push_back(&passes::vectorizePass());
    }
    all.insert(all.begin(), before.begin(), before.end());
  }
  DrawnRecipe out{{}, plan, ""};
  DrawnRecipe legal = out;
  for (size_t i = 0; i < all.size(); ++i) {
    if (out.calls.size() >= wanted || (first.empty() && i >= some && out.calls.size() >= 2)) break;
    const std::vector<const ir::LaunchStep*> launches = ir::launchesOf(*out.plan);
    if (launches.empty()) break;
    // Parameters that do not fit are drawn again where a refusal costs next to nothing.
    PassCall call;
    passes::PassResult one;
    for (int attempt = 0; attempt < 4 && !one.plan && out.broken.empty(); ++attempt) {
      const std::clock_t begin = std::clock();
      call = draw.call(*all[i], *launches[draw.pick(launches.size())]);
      if (attempt > 0 && call.arguments.empty()) continue;
      one = applyCounted(out.plan, call, context, tally, out.broken);
      if (all[i]->parameters.empty() || std::clock() - begin > CLOCKS_PER_SEC / 500) break;
    }
    if (!out.broken.empty()) {
      out.calls.push_back(call);
      return out;
    }
    if (!one.plan) continue;
    out.plan = one.plan;
    out.calls.push_back(call);
    if (fits(*out.plan, context.target)) legal = out;
  }
  return legal;
}

}  // namespace hone::test
