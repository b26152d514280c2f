// hone targets: the machine descriptions.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/commands/Command.h"
#include "report/Table.h"
#include "target/Target.h"

namespace hone::cli {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

void printOne(const target::Target& t) {
  auto shape = [](const std::array<uint64_t, 3>& s) { return fmt::format("{} x {} x {}", s[0], s[1], s[2]); };
  fmt::print("{}: {}{}{}\n", t.name, t.title,
             t.computeCapability ? ", compute capability " + t.computeCapability->str() : "",
             t.aliases.empty() ? "" : ", also called " + joined(t.aliases));
  fmt::print(
      "{}",
      report::table({
          {"  multiprocessors",
           fmt::format("{} of {} lanes at {} GHz ({:.0f} GFLOP/s in 32-bit float)", t.multiprocessors,
                       t.lanesPerMultiprocessor, t.clockGHz, t.peakGFlops())},
          {"  global memory", fmt::format("{} GB at {} GB/s", t.memoryGB, t.bandwidthGBs)},
          {"  L2 cache", t.l2KiB ? fmt::format("{} KiB", t.l2KiB) : "none"},
          {"  L1 cache", t.l1KiB
                             ? fmt::format("{} KiB a multiprocessor{}", t.l1KiB,
                                           t.l1CarveoutsKiB.empty() ? "" : ", shared memory is taken from it")
                             : "none"},
          {"  memory",
           fmt::format(
               "coalescing by the rule {}, {} banks of {} bytes{}", str(t.coalescing), t.banks, t.bankBytes,
               t.partitions ? fmt::format(", {} partitions of {} bytes", t.partitions, t.partitionBytes)
                            : "")},
          {"  warp", fmt::format("{} threads", t.warpSize)},
          {"  threads",
           fmt::format("{} a block, {} a multiprocessor", t.threadsPerBlock, t.threadsPerMultiprocessor)},
          {"  blocks", fmt::format("{} a multiprocessor", t.blocksPerMultiprocessor)},
          {"  registers", fmt::format("{} a thread, {} a block, {} a multiprocessor", t.registersPerThread,
                                      t.registersPerBlock, t.registersPerMultiprocessor)},
          {"  shared memory",
           fmt::format("{} bytes a block ({} on request), {} a multiprocessor", t.sharedPerBlock,
                       t.sharedPerBlockOptIn, t.sharedPerMultiprocessor)},
          {"  largest block", shape(t.maxBlock)},
          {"  largest grid", shape(t.maxGrid)},
      }));
}

}  // namespace

int runTargets(const Arguments& arguments) {
  CLI::App app("Lists the GPUs that hone knows, or shows one in full.", "hone targets");
  std::string name;
  app.add_option("NAME", name, "name or alias of a target (h200, sm_90)");
  app.footer(
      "The descriptions are the files targets/*.toml, each value with its origin; a file added there is a "
      "new target.\n"
      "HONE_TARGETS_DIR names another folder.\n\n"
      "Examples:\n"
      "  hone targets\n"
      "  hone targets h200\n"
      "  hone targets sm_80");
  if (!parseArguments(app, arguments)) return exitDone;
  std::vector<target::Target> targets = target::loadTargets(target::targetsFolder());
  if (!name.empty()) {
    printOne(target::findTarget(targets, name));
    return exitDone;
  }
  std::vector<std::vector<std::string>> rows = {
      {"name", "aliases", "SMs", "GHz", "GB/s", "threads/block", "shared/block", "registers/SM", "GPU"}};
  for (const target::Target& t : targets)
    rows.push_back({t.name, joined(t.aliases), fmt::format("{}", t.multiprocessors),
                    fmt::format("{:.2f}", t.clockGHz), fmt::format("{:.0f}", t.bandwidthGBs),
                    fmt::format("{}", t.threadsPerBlock), fmt::format("{}", t.sharedPerBlockOptIn),
                    fmt::format("{}", t.registersPerMultiprocessor), t.title});
  fmt::print("{}", report::table(rows));
  return exitDone;
}

}  // namespace hone::cli
