// Estimated times of many recipes for one kernel, with all terms, as lines of CSV.
//
//   estimate_recipes FILE KERNEL TARGET RECIPES [NAME=VALUE …] [-- FLAGS]
//
// RECIPES holds lines of a name, a tab and a recipe; what does not apply is left out, with a word on stderr.
#include <fmt/core.h>

#include <chrono>
#include <fstream>

#include "cli/inputs/PassSetup.h"
#include "ir/Error.h"
#include "passes/recipe/ParseRecipe.h"
#include "tune/EstimatePlan.h"

using namespace hone;

namespace {

double of(const sim::TimeEstimate& time, sim::Limiter limiter) {
  for (const sim::TimeTerm& term : time.terms)
    if (term.limiter == limiter) return term.seconds * 1e6;
  return 0;
}

void print(const std::string& name, const passes::Recipe& recipe, const tune::PlanEstimate& estimate,
           double took) {
  using sim::Limiter;
  sim::MemoryCount memory;
  double instructions = 0;
  std::array<double, 8> sums{};
  unsigned registers = 0;
  double occupancy = 0;
  for (const tune::LaunchEstimate& launch : estimate.launches) {
    memory.add(launch.memory);
    registers = std::max(registers, launch.registers);
    occupancy = std::max(occupancy, launch.occupancy.share);
    for (const sim::TimeTerm& term : launch.time.terms)
      if (term.limiter == Limiter::Issue) instructions += std::strtod(term.why.c_str(), nullptr);
    const Limiter all[] = {Limiter::Dram,  Limiter::L2,      Limiter::L1,      Limiter::SharedMemory,
                           Limiter::Issue, Limiter::Latency, Limiter::Atomics, Limiter::BlockStart};
    for (size_t i = 0; i < sums.size(); ++i) {
      sums[i] += of(launch.time, all[i]);
      if (all[i] == Limiter::Latency) sums[i] += of(launch.time, Limiter::TooFewBlocks);
    }
  }
  std::string terms;
  for (double sum : sums) terms += fmt::format("{:.2f};", sum);
  fmt::print("{};{:.2f};{}{};{:.2f};{:.0f};{};{};{};{};{};{:.2f};{}\n", name, estimate.seconds * 1e6, terms,
             registers, occupancy, instructions, memory.globalRequests(), memory.wavefronts, memory.l2Sectors,
             memory.dramSectors, estimate.launches.size(), took, passes::str(recipe));
}

int run(int count, char** words) {
  cli::PassOptions options;
  options.target = words[3];
  options.reassociate = true;
  device::Settings settings;
  cli::ParseOptions parse;
  for (int i = 5; i < count; ++i) {
    const std::string text = words[i];
    if (text == "--") {
      parse.flags.assign(words + i + 1, words + count);
      break;
    }
    const std::string value = text.substr(text.find('=') + 1);
    if (text.starts_with("grid="))
      settings.grid = {value, "the command line"};
    else if (text.starts_with("block="))
      settings.block = {value, "the command line"};
    else
      device::addPair(settings.set, text, "a size");
  }
  cli::PassSetup setup(options, settings);
  const cli::GivenFile file = cli::importGiven(words[1], parse);
  const frontend::ImportedKernel* kernel = nullptr;
  for (const frontend::ImportedKernel& one : file.import.kernels)
    if (one.kernel && one.name == words[2]) kernel = &one;
  if (!kernel) throw Error(fmt::format("{}: no kernel {}", words[1], words[2]));
  const ir::PlanPtr original = ir::originalPlan(kernel->kernel);
  passes::PassContext context = setup.contextFor(file, *kernel);
  tune::PlanEstimator estimator(setup.makerOf(file, *kernel), original, setup.target());
  fmt::print(
      "variant;us;dram;l2;l1;shared;issue;latency;atomics;start;registers;occupancy;instructions;requests;"
      "wavefronts;l2sectors;dramsectors;launches;took;recipe\n");
  std::ifstream in(words[4]);
  for (std::string line; std::getline(in, line);) {
    const size_t tab = line.find('\t');
    const passes::Recipe recipe = passes::parseRecipe(line.substr(tab + 1));
    const passes::PassResult made = passes::applyRecipe(original, recipe, context, {});
    if (!made.plan) {
      fmt::print(stderr, "{}: {}\n", line, made.remarks.empty() ? "left alone" : made.remarks.back().text);
      continue;
    }
    const auto begun = std::chrono::steady_clock::now();
    const tune::PlanEstimate estimate = estimator.of(made.plan);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    if (!estimate.isKnown())
      fmt::print(stderr, "{}: {}\n", line, estimate.problem);
    else
      print(line.substr(0, tab), recipe, estimate, took.count());
  }
  return 0;
}

}  // namespace

int main(int count, char** words) try {
  if (count < 5) throw Error("estimate_recipes FILE KERNEL TARGET RECIPES [NAME=VALUE …] [-- FLAGS]");
  return run(count, words);
} catch (const Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
