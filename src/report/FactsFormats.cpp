// Facts as JSON, and what is remarked about them as findings.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "report/ExplainFacts.h"

namespace hone::report {

using Json = nlohmann::ordered_json;

namespace {

Json toJson(const RoofFacts& roof) {
  if (roof.bound.empty()) return {{"bound", nullptr}, {"problem", roof.problem}};
  return {{"bound", roof.bound},
          {"floor_us", roof.floorSeconds * 1e6},
          {"dram_us", roof.dramSeconds * 1e6},
          {"arithmetic_us", roof.arithmeticSeconds * 1e6},
          {"bytes", roof.bytes},
          {"estimated_us", roof.seconds * 1e6},
          {"launch_us", roof.startSeconds * 1e6},
          {"share", roof.share},
          {"limiter", roof.limiter},
          {"sizes", roof.sizes},
          {"whose_sizes", roof.whose},
          {"problem", ""}};
}

}  // namespace

Json toJson(const FactsReport& report) {
  Json out;
  out["block"] = report.block;
  out["block_from"] = report.blockFrom;
  out["target"] = report.target;
  out["kind"] = report.kind;
  out["kind_reason"] = report.kindReason;
  out["roof"] = toJson(report.roof);
  for (const char* key : {"accesses", "arrays", "remarks"}) out[key] = Json::array();
  for (const AccessFacts& a : report.accesses)
    out["accesses"].push_back({{"handle", a.handle},
                               {"resolved", a.resolved},
                               {"exactness", a.exactness},
                               {"reason", a.reason},
                               {"verdict", a.verdict},
                               {"why", a.why},
                               {"cost", a.cost},
                               {"costly", a.isCostly}});
  for (const ArrayFacts& a : report.arrays)
    out["arrays"].push_back(
        {{"array", a.array}, {"shape", a.shape}, {"block", a.block}, {"sharing", a.sharing}});
  for (const FactRemark& r : report.remarks)
    out["remarks"].push_back({{"rule", r.rule},
                              {"line", r.loc.line},
                              {"accesses", r.accesses},
                              {"text", r.text},
                              {"obstacle", r.obstacle}});
  out["resources"] = report.resources;
  out["requirements"] = report.requirements;
  out["milliseconds"] = report.milliseconds;
  return out;
}

namespace {

// Every rule a remark can have.
constexpr FindingRule ofFacts[] = {
    {"uncoalesced", "Lanes of a warp touch more memory sectors than their bytes need.",
     "Let neighbouring threads access neighbouring elements, or stage the array in shared memory; hone opt "
     "tries both."},
    {"misaligned", "A row of neighbouring elements straddles a memory sector.",
     "Pad rows to a multiple of 32 bytes."},
    {"bank-conflict", "Lanes of a warp meet in banks of shared memory.", "Pad the rows of the shared array."},
    {"reuse", "Threads of a block read the same elements of global memory.",
     "Stage them in shared memory, each element once; hone opt does that."},
    {"redundant-load", "Threads along an axis load the same element.",
     "Let one thread do the work of several along that axis; hone opt does that."},
    {"repeated-update", "A loop updates the same element of memory in every iteration.",
     "Keep it in a variable, and write it once; hone opt does that."},
    {"barrier", "A barrier orders nothing, or one is missing.",
     "Take it away, or add the one that is missing."},
    {"occupancy", "A resource keeps blocks off the multiprocessor.",
     "Use less of it, or launch blocks of another size."},
    {"unresolved", "An address is not known in terms of thread, block, loops and sizes.",
     "Nothing need be done: hone says what it does not understand."},
};

}  // namespace

std::span<const FindingRule> explainRules() { return ofFacts; }

std::vector<CodeFinding> toFindings(const std::vector<RemarkedKernel>& kernels,
                                    const std::function<std::string(const std::string&)>& canonical) {
  std::vector<CodeFinding> out;
  for (const RemarkedKernel& kernel : kernels)
    for (const FactRemark& remark : kernel.remarks) {
      CodeFinding finding;
      finding.rule = remark.rule;
      finding.level = remark.rule == "unresolved" ? FindingLevel::Note : FindingLevel::Warning;
      finding.kernel = kernel.kernel;
      for (const std::string& access : remark.accesses)
        finding.subject += (finding.subject.empty() ? "" : " ") + access;
      finding.message = fmt::format("kernel {}: {}", kernel.kernel, remark.text);
      if (!remark.obstacle.empty()) finding.message += "; in the way: " + remark.obstacle;
      if (remark.loc.valid()) {
        finding.file = canonical(*remark.loc.file);
        finding.line = remark.loc.line;
        finding.column = remark.loc.column;
      }
      out.push_back(std::move(finding));
    }
  return out;
}

}  // namespace hone::report
