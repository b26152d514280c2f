#include "cli/rewrite/EmitOther.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/inputs/Arguments.h"
#include "emit/Emit.h"
#include "emit/EmitPlan.h"
#include "emit/Names.h"
#include "ir/Error.h"
#include "ir/Walk.h"
#include "passes/host/ChooseInside.h"
#include "passes/host/PlanEdit.h"

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

// The module with these kernels alone and the functions they reach.
ir::Module restricted(const ir::Module& module, const std::vector<ir::KernelPtr>& kernels) {
  ir::Module out = module;
  out.kernels = kernels;
  std::set<const ir::Function*> reached;
  std::function<void(const ir::StmtPtr&)> look = [&](const ir::StmtPtr& body) {
    if (!body) return;
    ir::walkExprs(body, [&](const ir::Expr& e) {
      const auto* call = e.as<ir::Call>();
      if (call && call->function && reached.insert(call->function.get()).second) look(call->function->body);
    });
  };
  for (const ir::KernelPtr& kernel : kernels) look(kernel->body);
  std::erase_if(out.functions, [&](const ir::FunctionPtr& f) { return !reached.contains(f.get()); });
  return out;
}

// What one kernel contributes to a file of kernels alone.
struct Standalone {
  std::vector<ir::KernelPtr> kernels;
  std::string host;  // the launch function, or for OpenCL the table that tells how to enqueue
  emit::EmitError error;
};

Standalone standalone(const ir::Plan& plan, KernelOutcome& outcome, const RewriteOptions& options,
                      const emit::EmitOptions& emitOptions) {
  Standalone out;
  const auto* launch = ir::onlyStep<ir::LaunchStep>(plan);
  if (launch && passes::keepsGeometry(*launch, *plan.original)) {
    out.kernels = {launch->kernel};
    return out;
  }
  if (ir::KernelPtr inside = passes::chooseInside(plan)) {
    out.kernels = {inside};
    outcome.form = PlanForm::AtEntry;
    return out;
  }
  std::string name = plan.original->name;
  for (const ir::TemplateArg& argument : plan.original->templateArgs) name += "_" + argument.text;
  emit::PlanSite site;
  site.title = outcome.name;
  site.original = emit::asIdentifier(name);
  site.space = site.original + "_hone";
  site.launch = site.original + "_launch";
  site.recipe = outcome.recipe;
  site.target = options.target;
  site.hostOnly = true;
  emit::PlanText text = emit::emitPlan(plan, site, emitOptions);
  if (!text.ok()) {
    out.error = text.errors.front();
    return out;
  }
  out.kernels.push_back(plan.original);
  for (const emit::PlanKernel& k : text.kernels) {
    auto plain = std::make_shared<ir::Kernel>(*k.kernel);
    plain->templateArgs.clear();
    out.kernels.push_back(plain);
  }
  out.host = text.text;
  outcome.form = PlanForm::Beside;
  outcome.language = emitOptions.language;
  outcome.launchFunction = site.launch;
  outcome.planText = std::move(text);
  return out;
}

std::string reportJson(const std::vector<KernelOutcome>& outcomes, const std::string& language,
                       const DisplayNames& names) {
  nlohmann::ordered_json out;
  out["emit"] = language;
  out["kernels"] = nlohmann::ordered_json::array();
  for (const KernelOutcome& outcome : outcomes)
    out["kernels"].push_back({{"file", names.of(outcome.file)},
                              {"line", outcome.loc.line},
                              {"name", outcome.qualifiedName},
                              {"template_args", outcome.templateArgs},
                              {"done", outcome.result != nullptr},
                              {"reason", outcome.result ? "" : outcome.reason}});
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// Throws when the text does not read as so many kernels.
void checkParses(const std::string& name, const std::string& text, const frontend::SourceRequest& original,
                 size_t kernels) {
  frontend::SourceRequest request;
  request.path = name;
  request.contents = text;
  request.cudaPath = original.cudaPath;
  frontend::ImportResult import = frontend::importFile(request);
  std::string why = import.failure;
  if (import.parsed && import.hasErrorsOutsideHostCode) why = import.renderedDiagnostics;
  if (why.empty() && import.kernels.size() != kernels)
    why = fmt::format("{} kernels instead of {}", import.kernels.size(), kernels);
  if (!why.empty())
    throw Error(
        fmt::format("internal: emitted text does not compile; nothing was written; please report\n{}", why),
        exitCode);
}

}  // namespace

int emitOther(const std::vector<GivenFile>& files, const RewriteOptions& options, const std::string& language,
              const OptOutput& output, const std::string& json) {
  emit::EmitOptions emitOptions;
  emitOptions.language = language == "opencl" ? ir::Language::OpenCL : ir::Language::Cuda;
  DisplayNames names;
  for (const GivenFile& file : files) names.give(file.path);

  const char* languageName = language == "opencl" ? "OpenCL" : "CUDA";
  std::map<std::string, std::string> results;  // by file name
  std::map<std::string, size_t> kernelCounts;
  std::vector<KernelOutcome> outcomes;
  for (const GivenFile& file : files) {
    std::vector<ir::KernelPtr> fit;
    std::string hostText;
    for (const frontend::ImportedKernel& kernel : file.import.kernels) {
      if (kernel.isInSystemHeader) continue;
      if (!isWanted(kernel, options.kernels)) continue;
      KernelOutcome outcome;
      outcome.name = withArguments(kernel.name, kernel.templateArgs);
      outcome.qualifiedName = kernel.qualifiedName;
      outcome.templateArgs = kernel.templateArgs;
      outcome.file = kernel.loc.valid() ? canonicalPath(*kernel.loc.file) : file.canonical;
      outcome.loc = kernel.loc;
      outcome.language = file.import.module.language;
      outcome.reason = kernel.reason;
      outcome.reasonLoc = kernel.reasonLoc;
      if (kernel.kernel) {
        MadePlan made{{ir::originalPlan(kernel.kernel), {}}, "", {}, {}};
        if (options.make) made = options.make(file, kernel);
        outcome.remarks = made.result.remarks;
        outcome.recipe = made.recipe;
        if (const passes::Obstacle& no = made.result.refusal) {
          outcome.refusedBy = made.result.refusedBy;
          outcome.reason = no->reason;
          outcome.reasonLoc = no->place;
        } else {
          Standalone alone = standalone(*made.result.plan, outcome, options, emitOptions);
          emit::EmitResult text =
              emit::emitModule(restricted(file.import.module, alone.kernels), emitOptions);
          if (alone.error.reason.empty() && !text.ok()) alone.error = text.errors.front();
          if (alone.error.reason.empty()) {
            outcome.result = alone.kernels.front();
            fit.insert(fit.end(), alone.kernels.begin(), alone.kernels.end());
            hostText += alone.host;
          } else {
            outcome.reason = alone.error.reason;
            outcome.reasonLoc = alone.error.loc;
          }
        }
      }
      if (!outcome.result) keepNotes(outcome);
      outcomes.push_back(std::move(outcome));
    }
    if (fit.empty()) continue;
    emit::EmitResult whole = emit::emitModule(restricted(file.import.module, fit), emitOptions);
    if (!whole.ok())
      throw Error(fmt::format("{}: {}: {}", file.path, placeOf(whole.errors.front().loc, names),
                              whole.errors.front().reason),
                  exitCode);
    std::string name = fs::path(file.path).stem().string() + (language == "opencl" ? ".cl" : ".cu");
    kernelCounts[name] = fit.size();
    if (!hostText.empty()) whole.text += "\n" + hostText;
    if (!results.emplace(name, whole.text).second)
      throw Error(fmt::format("two of the files would both become {}; name them in separate commands", name));
  }

  if (options.recheck)
    for (const auto& [name, text] : results)
      checkParses(name, text, files.front().request, kernelCounts.at(name));
  printRemarks(outcomes, names, std::string("emitted as ") + languageName);

  std::map<std::string, std::string> places;
  std::string onStdout;
  for (const auto& [name, text] : results) {
    if (!output.isFolder && (output.path.empty() || output.path == "-")) {
      onStdout += text;
      continue;
    }
    std::string place = output.isFolder ? (fs::path(output.path) / name).string() : output.path;
    for (const GivenFile& file : files)
      if (canonicalPath(place) == file.canonical)
        throw Error(fmt::format("{}: -o would overwrite the original", place));
    places[place] = text;
  }
  if (json == "-")
    onStdout += reportJson(outcomes, language, names);
  else if (!json.empty())
    places[json] = reportJson(outcomes, language, names);
  emit::writeAtomically(places);
  std::fwrite(onStdout.data(), 1, onStdout.size(), stdout);
  if (!results.empty()) return exitDone;
  fmt::print(stderr, "hone opt: no kernel could be emitted as {}\n", languageName);
  return exitCode;
}

}  // namespace hone::cli
