// The model's order of variants against times measured on an H200, bench/gpu/measured.csv;
// bench/gpu/correlation.py shows all of them.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "affine/ModelOf.h"
#include "passes/recipe/ParseRecipe.h"
#include "target/Target.h"
#include "tune/EstimatePlan.h"
#include "tune/Variant.h"

namespace hone::tune {
namespace {

const std::string root = std::string(HONE_TEST_DIR) + "/..";

struct Measured {
  std::string recipe;
  double us = 0;
};

// The first so many variants of a kernel.
std::vector<Measured> measured(const std::string& kernel, size_t most) {
  std::ifstream in(root + "/bench/gpu/measured.csv");
  std::vector<Measured> out;
  for (std::string line; std::getline(in, line) && out.size() < most;) {
    std::vector<std::string> cells;
    std::stringstream cut(line);
    for (std::string cell; std::getline(cut, cell, ';');) cells.push_back(cell);
    if (cells.size() > 4 && cells[0] == kernel) out.push_back({cells[3], std::stod(cells[4])});
  }
  return out;
}

// Kendall's coefficient over the pairs whose times differ by a tenth or more.
double agreement(const std::string& kernel, const char* grid, const char* block) {
  constexpr size_t most = 16;
  const std::vector<target::Target> targets = target::loadTargets(target::targetsFolder());
  const target::Target& machine = target::findTarget(targets, "h200");
  analysis::FactsCache facts(machine);
  std::ifstream file(root + "/examples/naive/" + kernel + ".cu");
  std::string source((std::istreambuf_iterator<char>(file)), {});
  // The kernel alone: what follows needs the host's headers.
  source = source.substr(source.find("__global__"));
  source = source.substr(0, source.find("\nstatic "));
  const ir::KernelPtr naive = affine::kernelOf(source);
  device::Settings settings;
  for (const char* size : {"w", "h"}) settings.set[size] = device::Given{"4096", "--set"};
  settings.grid = device::Given{grid, "--grid"};
  settings.block = device::Given{block, "--block"};
  device::CaseMaker maker(naive, settings, nullptr, nullptr);
  passes::PassContext context{machine, facts};
  context.block = maker.make().block;
  context.reassociate = true;
  const ir::PlanPtr original = ir::originalPlan(naive);
  PlanEstimator estimator(maker, original, machine);
  std::vector<std::pair<double, double>> times;
  for (const Measured& one : measured(kernel, most)) {
    const passes::PassResult made = passes::applyRecipe(original, passes::parseRecipe(one.recipe), context);
    if (!made.plan) continue;
    const PlanEstimate estimate = estimator.of(made.plan);
    if (estimate.isKnown()) times.emplace_back(estimate.seconds, one.us);
  }
  EXPECT_GE(times.size(), most * 3 / 4) << "recipes no longer apply: measure anew";
  double agree = 0, pairs = 0;
  for (const auto& [model, us] : times)
    for (const auto& [otherModel, otherUs] : times)
      if (us > otherUs * 1.1) {
        ++pairs;
        agree += model > otherModel ? 1 : model < otherModel ? -1 : 0;
      }
  EXPECT_GT(pairs, 0);
  return agree / pairs;
}

TEST(Correlation, theModelOrdersWhatWasMeasured) {
  EXPECT_GT(agreement("tp", "(w + 15) / 16, (h + 15) / 16", "16, 16"), 0.6);
  EXPECT_GT(agreement("mv", "(h + 255) / 256", "256"), 0.6);
}

}  // namespace
}  // namespace hone::tune
