#include "FuzzRun.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Error.h"

namespace hone::test {
namespace {

std::string findingKey(const sim::Finding& f) {
  return fmt::format("{}|{}|{}", sim::str(f.kind), sim::str(f.cls), f.space == "global" ? f.array : f.space);
}

bool isError(const sim::Finding& finding) { return finding.cls != sim::FindingClass::SameValue; }

device::Settings settingsOf(const NaiveKernel& naive, const FuzzOptions& options) {
  device::Settings settings;
  const auto given = [](const std::string& text) { return device::Given{text, "fuzz"}; };
  settings.grid = given(naive.grid);
  settings.block = given(fmt::format("{}, {}, {}", naive.block[0], naive.block[1], naive.block[2]));
  for (const auto& [name, value] : naive.sizes.front()) settings.set[name] = given(std::to_string(value));
  if (const size_t equals = options.alias.find('='); equals != std::string::npos)
    settings.alias[options.alias.substr(0, equals)] = given(options.alias.substr(equals + 1));
  return settings;
}

}  // namespace

FuzzRun::FuzzRun(const NaiveKernel& naive, ir::KernelPtr kernel, const target::Target& target,
                 FuzzOptions fuzzOptions)
    : original(ir::originalPlan(kernel)), options(std::move(fuzzOptions)) {
  run.jobs = 1;
  run.target = &target;
  run.print = [](const std::string&) {};
  run.stepLimit = 50'000'000;  // of one thread that may do the work of hundreds
  const device::CaseMaker maker(kernel, settingsOf(naive, options), nullptr, nullptr);
  for (const auto& sizes : naive.sizes) addCase(maker, sizes);
  if (options.schedule != 0) run.schedule = {true, options.schedule};
}

void FuzzRun::addCase(const device::CaseMaker& maker, const std::map<std::string, int64_t>& sizes) {
  OneCase one;
  one.c = maker.make({.sizes = sizes});
  device::DataOptions dataOptions;
  dataOptions.run = run;
  dataOptions.whole = options.reassociate;
  one.data = prepareData(one.c, *original, programs, dataOptions);
  if (one.data.belowZero > 0) {
    faultsOfOriginal.emplace_back("reads before the first element");
    return;
  }
  one.first = runCase(one.c, one.data, *original, programs, run);
  for (const sim::Finding& finding : one.first.result.findings)
    if (isError(finding)) {
      faultsOfOriginal.push_back(sim::format(finding));
      return;
    }
  if (!one.first.result.completed || newNans(one.data, one.first) > 0) {
    faultsOfOriginal.emplace_back("no end, or not a number");
    return;
  }
  cases.push_back(std::move(one));
}

std::string FuzzRun::differenceAt(const OneCase& one, const device::CaseRun& second) const {
  std::set<std::string> old;
  for (const sim::Finding& finding : one.first.result.findings) old.insert(findingKey(finding));
  // A recipe may ask for more than the target has; that is no mistake of the kernel's.
  for (const sim::Finding& finding : second.result.findings)
    if (finding.kind == sim::FindingKind::SharedTooLarge || finding.kind == sim::FindingKind::BlockTooLarge)
      return "";
  for (const sim::Finding& finding : second.result.findings)
    if (!old.contains(findingKey(finding))) return sim::format(finding);
  if (!second.result.completed) return "does not come to its end";
  const device::Comparison comparison =
      compareRuns(one.c, one.data, one.first, second, {.reassociate = options.reassociate});
  // Where some hundred terms of about one cancel (sines, by whichever library the machine has), all that a
  // sum leaves is rounding, which another order may leave otherwise, and which a whole number then
  // multiplies.
  constexpr double leftByRounding = 1e-4;
  auto isRounding = [&](const std::string& array) {
    const auto& params = one.c.kernel->params;
    const auto param = std::find_if(params.begin(), params.end(),
                                    [&](const ir::VarPtr& each) { return each->name == array; });
    return options.reassociate && comparison.maxError < leftByRounding && param != params.end() &&
           (*param)->type->isPointer() && (*param)->type->element->isFloating();
  };
  for (const device::Difference& difference : comparison.differences)
    if (!options.ignored.contains(difference.array) && !isRounding(difference.array))
      return fmt::format("{}[{}] (and {} more): {}", difference.array, difference.index, difference.count - 1,
                         difference.message);
  return "";
}

std::optional<FuzzDifference> FuzzRun::compare(const ir::PlanPtr& plan) {
  for (const OneCase& one : cases) {
    std::string text;
    try {
      device::CaseRun second = runCase(one.c, one.data, *plan, programs, run);
      // Merged again and again, one thread may do the work of ten thousands: what seems endless gets more
      // time.
      const auto& findings = second.result.findings;
      if (std::any_of(findings.begin(), findings.end(),
                      [](const sim::Finding& each) { return each.kind == sim::FindingKind::StepLimit; })) {
        sim::RunOptions patient = run;
        patient.stepLimit = 20 * run.stepLimit;
        second = runCase(one.c, one.data, *plan, programs, patient);
      }
      ++all;
      fast += !second.result.fellBack;
      text = differenceAt(one, second);
    } catch (const Error& error) {
      text = error.what();
    }
    if (!text.empty()) return FuzzDifference{one.c.sizes(), text};
  }
  return std::nullopt;
}

}  // namespace hone::test
