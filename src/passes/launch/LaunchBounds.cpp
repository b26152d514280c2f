#include "passes/launch/LaunchBounds.h"

#include <fmt/core.h>

#include "passes/host/Candidate.h"
#include "passes/host/PlanEdit.h"

namespace hone::passes {

using namespace ir;

LaunchResult setLaunchBounds(const LaunchStep& launch, const LaunchBoundsOptions& options,
                             PassContext& context) {
  const Kernel& before = *launch.kernel;
  if (before.language != Language::Cuda) return Refusal{"OpenCL has no words for it"};
  const auto block = fixedBlock(launch);
  if (!block) return Refusal{"how many threads its blocks have is not a number: `block` makes it one"};
  const unsigned own = (*block)[0] * (*block)[1] * (*block)[2];
  const auto threads = static_cast<unsigned>(options.threads.value_or(1024));
  if (threads > context.target.threadsPerMultiprocessor)
    return Refusal{fmt::format("{} threads are more than the {} of a multiprocessor of {}", threads,
                               context.target.threadsPerMultiprocessor, context.target.name)};
  if (threads < own) return Refusal{fmt::format("its blocks have {} threads, more than {}", own, threads)};
  const unsigned blocks = threads / own;
  if (blocks > context.target.blocksPerMultiprocessor)
    return Refusal{fmt::format("{} blocks are more than the {} that a multiprocessor of {} takes", blocks,
                               context.target.blocksPerMultiprocessor, context.target.name)};
  if (before.launchBounds && before.launchBounds->minBlocks == int(blocks) &&
      before.launchBounds->maxThreads == int(own))
    return Refusal{"the compiler is told so already"};

  auto kernel = std::make_shared<Kernel>(before);
  kernel->launchBounds = LaunchBounds{int(own), int(blocks), 0};
  kernel->story.push_back(
      fmt::format("Registers are for {} threads of a multiprocessor at a time.", blocks * own));
  LaunchResult result{launch, nullptr, {}};
  result.launch->kernel = kernel;
  result.remarks.push_back({RemarkKind::Done, before.loc, before.name,
                            fmt::format("registers are for {} threads of a multiprocessor at a time, {} {}",
                                        blocks * own, blocks, blocks == 1 ? "block" : "blocks")});
  return result;
}

namespace {

// Threads that share a sum have little else to keep in registers than what they load.
std::vector<Recipe> proposeBounds(const Candidate& candidate) {
  const bool isCuda = candidate.plan->original->language == Language::Cuda;
  if (!isCuda || !candidate.has(&PassTraits::sharesSums) || candidate.has(launchBoundsPass())) return {};
  return {{{launchBoundsPass()()}}, {{launchBoundsPass()({.threads = 512})}}};
}

}  // namespace

const PassOf<LaunchBoundsOptions>& launchBoundsPass() {
  static const PassOf<LaunchBoundsOptions> pass =
      PassOf<LaunchBoundsOptions>("launch-bounds",
                                  "Tells the compiler for how many threads of a multiprocessor to keep "
                                  "registers (__launch_bounds__), where it would keep them for more and load "
                                  "less at a time.",
                                  setLaunchBounds)
          .with({.keepsAccesses = true})
          .number(&LaunchBoundsOptions::threads, "threads", "threads of a multiprocessor (default 1024)",
                  values({256, 512, 1024, 2048}))
          .proposes({Level::Order, 10, proposeBounds, ProposedTo::Spaces});
  return pass;
}

}  // namespace hone::passes
