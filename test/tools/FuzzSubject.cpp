#include "FuzzSubject.h"

#include <fmt/core.h>

#include "FuzzText.h"
#include "ir/Error.h"
#include "sim/model/EstimateRegisters.h"

namespace hone::test {
namespace {

FuzzSetup setupOf(FuzzSubject& subject, const std::vector<target::Target>& targets) {
  std::mt19937_64 engine(subject.seed * 31337u + 7);
  const auto chance = [&](unsigned percent) { return engine() % 100 < percent; };
  FuzzSetup setup;
  setup.target = &target::findTarget(targets, chance(15) ? "gtx280" : "h200");
  setup.block = subject.naive.block;
  if (chance(3)) setup.block = {32, subject.naive.block[1] > 1 ? 2u : 1u, 1};
  setup.run.reassociate = chance(35);
  if (chance(30)) setup.run.schedule = engine() % 1000 + 1;
  if (chance(60)) setup.run.ignored = subject.naive.temporaries;
  if (!subject.naive.likes.empty() && !subject.naive.isRestricted && chance(25)) {
    const auto& [in, out] = subject.naive.likes[engine() % subject.naive.likes.size()];
    setup.run.alias = in + "=" + out;
    // Where threads would race over it, there is one.
    if (!subject.naive.isElementwise || chance(30)) {
      setup.run.alias += "+" + std::to_string(engine() % 4);
      for (auto& sizes : subject.naive.sizes)
        for (auto& [name, value] : sizes)
          if (name != "k") value = 1;
    }
  }
  if (setup.run.alias.empty() && !subject.naive.twins.empty() && !subject.naive.isRestricted && chance(20)) {
    const auto& [one, other] = subject.naive.twins[engine() % subject.naive.twins.size()];
    setup.run.alias = one + "=" + other;
  }
  setup.assumeNoalias = setup.run.alias.empty() && chance(35);
  setup.isOpenCl = chance(8);
  setup.readsBack = chance(8);
  return setup;
}

}  // namespace

void importInto(FuzzSubject& subject, const std::string& source) {
  subject.naive.source = source;
  subject.kernel = nullptr;
  const frontend::ImportResult imported = importText(source, subject.naive.isOpenCl);
  subject.problem = imported.failure + imported.renderedDiagnostics;
  if (!imported.parsed || imported.hasErrorsOutsideHostCode) return;
  for (const frontend::ImportedKernel& kernel : imported.kernels)
    if (kernel.name == subject.naive.name) subject.kernel = kernel.kernel, subject.problem = kernel.reason;
}

std::vector<FuzzSubject> makeSubjects(unsigned firstSeed, unsigned count,
                                      const std::vector<target::Target>& targets) {
  std::vector<FuzzSubject> subjects(count);
  std::string source;
  for (unsigned i = 0; i < count; ++i) {
    subjects[i].seed = firstSeed + i;
    subjects[i].naive = naiveKernel(firstSeed + i);
    subjects[i].problem = "not found";
    subjects[i].setup = setupOf(subjects[i], targets);
    source += subjects[i].naive.source;
  }
  const frontend::ImportResult imported = importText(source, false);
  if (!imported.parsed || imported.hasErrorsOutsideHostCode)
    for (FuzzSubject& subject : subjects) subject.problem = imported.failure + imported.renderedDiagnostics;
  for (const frontend::ImportedKernel& kernel : imported.kernels) {
    FuzzSubject& subject = subjects.at(std::stoul(kernel.name.substr(5)) - firstSeed);
    subject.kernel = kernel.kernel;
    if (!kernel.kernel) subject.problem = kernel.reason;
    if (kernel.kernel && subject.setup.isOpenCl) translateToOpenCl(subject, imported.module);
  }
  return subjects;
}

passes::PassContext contextOf(const FuzzSubject& subject, analysis::FactsCache& facts) {
  const FuzzSetup& setup = subject.setup;
  passes::PassContext context{*setup.target, facts};
  context.block = setup.block;
  context.reassociate = setup.run.reassociate;
  context.assumeNoalias = setup.assumeNoalias;
  if (!setup.run.ignored.empty()) {
    context.outputs.emplace();
    for (const ir::VarPtr& parameter : subject.kernel->params)
      if (!setup.run.ignored.contains(parameter->name)) context.outputs->insert(parameter->name);
  }
  context.registers = [](const ir::Kernel& kernel, const target::Target& target) -> std::optional<unsigned> {
    try {
      return sim::estimateRegisters(sim::compile(kernel, {}), target);
    } catch (const Error&) {
      return std::nullopt;
    }
  };
  return context;
}

std::mt19937_64 recipeEngine(unsigned seed, unsigned attempt) {
  return std::mt19937_64(seed * 7919u + attempt * 104729u + 1);
}

FuzzVerdict judge(FuzzRun& run, const DrawnRecipe& recipe, const FuzzSubject* subject) {
  if (!recipe.broken.empty()) return {recipe.broken, {}};
  if (const auto difference = run.compare(recipe.plan)) return {difference->text, difference->sizes};
  if (!subject || !subject->setup.readsBack) return {};
  const ReadBack back = readBack(*subject, *recipe.plan);
  if (!back.problem.empty()) return {back.problem, {}};
  if (!back.plan) return {};
  if (const auto difference = run.compare(back.plan))
    return {"as it reads back: " + difference->text, difference->sizes};
  return {};
}

FuzzVerdict judgeAnew(const FuzzSubject& subject, const std::vector<passes::PassCall>& calls,
                      std::string* problem) {
  FuzzSubject fresh = subject;
  importInto(fresh, subject.naive.source);
  std::string ignored;
  std::string& reason = problem ? *problem : ignored;
  if (!fresh.kernel) return reason = "not imported: " + fresh.problem, FuzzVerdict{};
  try {
    FuzzRun run(fresh.naive, fresh.kernel, *fresh.setup.target, fresh.setup.run);
    if (run.launches() == 0) return reason = "the original is wrong", FuzzVerdict{};
    analysis::FactsCache facts(*fresh.setup.target);
    passes::PassContext context = contextOf(fresh, facts);
    Tally tally;
    const DrawnRecipe applied = applyCalls(ir::originalPlan(fresh.kernel), calls, context, tally);
    if (applied.broken.empty() && applied.calls.size() < calls.size()) {
      for (const auto& [pass, mine] : tally)
        for (const auto& [why, count] : mine.reasons) reason += pass + " refuses: " + why + "; ";
    }
    return judge(run, applied, &fresh);
  } catch (const Error& error) {
    reason = error.what();
    return {};
  }
}

std::string describe(const FuzzSubject& subject, const std::vector<passes::PassCall>& calls,
                     const FuzzVerdict& verdict) {
  passes::Recipe recipe;
  recipe.calls = calls;
  const auto& b = subject.setup.block;
  std::string command = fmt::format("hone verify FILE.{} --exact --recipe '{}' --block {},{},{} --grid '{}'",
                                    subject.naive.isOpenCl ? "cl" : "cu", passes::str(recipe), b[0], b[1],
                                    b[2], subject.naive.grid);
  for (const auto& [name, value] : verdict.sizes.empty() ? subject.naive.sizes.front() : verdict.sizes)
    command += fmt::format(" --set {}={}", name, value);
  if (subject.setup.run.reassociate) command += " --reassociate";
  if (subject.setup.assumeNoalias) command += " --assume-noalias";
  if (!subject.setup.run.alias.empty()) command += " --alias " + subject.setup.run.alias;
  if (subject.setup.target->name != "h200") command += " --target " + subject.setup.target->name;
  if (subject.setup.block != subject.naive.block)
    command += fmt::format("   (launched with block {}x{}x{})", subject.naive.block[0],
                           subject.naive.block[1], subject.naive.block[2]);
  std::string ignored;
  for (const std::string& name : subject.setup.run.ignored) ignored += "\nnot an output: " + name;
  return fmt::format("seed {}: {}\n{}{}\n{}\n", subject.seed, verdict.text, subject.naive.source, ignored,
                     command);
}

}  // namespace hone::test
