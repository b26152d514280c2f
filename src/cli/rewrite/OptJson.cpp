#include "cli/rewrite/OptJson.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace hone::cli {

namespace {

const char* formName(PlanForm form) {
  switch (form) {
    case PlanForm::InPlace: return "in place";
    case PlanForm::AtEntry: return "at entry";
    case PlanForm::Beside: return "beside";
  }
  return "";
}

// What a host needs to know of a plan that stands beside its original.
void addPlan(nlohmann::ordered_json& kernel, const KernelOutcome& outcome, const DisplayNames& names) {
  kernel["form"] = formName(outcome.form);
  if (outcome.form != PlanForm::Beside) return;
  const bool openCL = outcome.language == ir::Language::OpenCL;
  if (!openCL) kernel["launch_function"] = outcome.launchFunction;
  if (openCL && outcome.planText.enqueue.problem.empty())
    kernel["enqueue_function"] = outcome.planText.enqueue.name;
  auto& steps = kernel["steps"] = nlohmann::ordered_json::array();
  for (const emit::PlanRow& row : outcome.planText.rows) {
    nlohmann::ordered_json step{{"kernel", row.kernel}};
    step[openCL ? "global_size" : "grid"] = row.grid;
    step[openCL ? "local_size" : "block"] = row.block;
    step["arguments"] = row.args;
    if (!row.shared.empty()) step["shared_bytes"] = row.shared;
    if (!row.condition.empty()) step["condition"] = row.condition;
    if (!row.loop.empty()) step["loop"] = row.loop;
    steps.push_back(std::move(step));
  }
  if (openCL && !outcome.planText.buffers.empty()) kernel["buffers"] = outcome.planText.buffers;
  if (openCL) return;
  auto& launches = kernel["launches"] = nlohmann::ordered_json::array();
  for (const LaunchOutcome& launch : outcome.launches)
    launches.push_back({{"file", launch.loc.valid() ? names.of(*launch.loc.file) : ""},
                        {"line", launch.loc.line},
                        {"patched", launch.reason.empty()},
                        {"reason", launch.reason}});
}

nlohmann::ordered_json remarksJson(const KernelOutcome& outcome, const DisplayNames& names) {
  auto list = nlohmann::ordered_json::array();
  auto add = [&](const std::string& pass, bool applied, const ir::SourceLoc& given,
                 const std::string& reason) {
    const ir::SourceLoc& loc = given.valid() ? given : outcome.loc;
    list.push_back({{"pass", pass},
                    {"applied", applied},
                    {"file", loc.valid() ? names.of(*loc.file) : ""},
                    {"line", loc.line},
                    {"reason", reason}});
  };
  for (const passes::Remark& remark : outcome.remarks)
    add(remark.pass, remark.kind == passes::RemarkKind::Done, remark.loc, remark.text);
  if (!outcome.result) add(outcome.refusedBy, false, outcome.reasonLoc, outcome.reason);
  for (const LaunchOutcome& launch : outcome.launches)
    if (!launch.reason.empty()) add("", false, launch.loc, "launch left as it is: " + launch.reason);
  return list;
}

}  // namespace

std::string optJson(const RewriteProgram& program, const std::vector<GivenFile>& files,
                    const std::string& recipe, const DisplayNames& names) {
  nlohmann::ordered_json out;
  out["recipe"] = recipe;
  out["kernels"] = nlohmann::ordered_json::array();
  size_t done = 0;
  for (const KernelOutcome& outcome : program.outcomes()) {
    nlohmann::ordered_json kernel;
    kernel["file"] = names.of(outcome.file);
    kernel["line"] = outcome.loc.line;
    kernel["name"] = outcome.qualifiedName;
    kernel["template_args"] = outcome.templateArgs;
    kernel["language"] = outcome.language == ir::Language::OpenCL ? "opencl" : "cuda";
    kernel["done"] = outcome.result != nullptr;
    kernel["changed"] = outcome.edit.has_value();
    kernel["reason"] = outcome.reason;
    kernel["reason_at"] = outcome.result ? "" : placeOf(outcome.reasonLoc, names);
    kernel["recipe"] = outcome.recipe;
    kernel["verified"] =
        outcome.verified ? nlohmann::ordered_json(*outcome.verified) : nlohmann::ordered_json();
    kernel["estimated_speedup"] =
        outcome.speedup ? nlohmann::ordered_json(*outcome.speedup) : nlohmann::ordered_json();
    kernel["remarks"] = remarksJson(outcome, names);
    if (outcome.result) addPlan(kernel, outcome, names);
    done += outcome.result != nullptr;
    out["kernels"].push_back(std::move(kernel));
  }
  out["files"] = nlohmann::ordered_json::array();
  std::map<std::string, std::string> changed = program.changedFiles();
  std::vector<std::string> all;
  all.reserve(files.size());
  for (const GivenFile& file : files) all.push_back(file.canonical);
  for (const auto& [name, text] : changed)
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  for (const std::string& name : all)
    out["files"].push_back({{"file", names.of(name)}, {"changed", changed.contains(name)}});
  out["totals"] = {{"kernels", program.outcomes().size()},
                   {"done", done},
                   {"left_alone", program.outcomes().size() - done},
                   {"files_changed", changed.size()}};
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace hone::cli
