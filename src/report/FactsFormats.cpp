// JSON and SARIF of facts.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "report/ExplainFacts.h"

namespace hone::report {

using Json = nlohmann::ordered_json;

Json toJson(const FactsReport& report) {
  Json out;
  out["block"] = report.block;
  out["block_from"] = report.blockFrom;
  out["target"] = report.target;
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

struct Rule {
  const char* id;
  const char* text;
};
// Every rule a remark can have.
constexpr Rule rules[] = {
    {"uncoalesced", "Lanes of a warp touch more memory sectors than their bytes need."},
    {"misaligned", "A row of neighbouring elements straddles a memory sector."},
    {"bank-conflict", "Lanes of a warp meet in banks of shared memory."},
    {"reuse", "Threads of a block read the same elements of global memory."},
    {"redundant-load", "Threads along an axis load the same element."},
    {"repeated-update", "A loop updates the same element of memory in every iteration."},
    {"barrier", "A barrier orders nothing, or one is missing."},
    {"occupancy", "A resource keeps blocks off the multiprocessor."},
    {"unresolved", "An address is not known in terms of thread, block, loops and sizes."},
};

}  // namespace

std::string toSarif(const std::vector<RemarkedKernel>& kernels,
                    const std::function<std::string(const std::string&)>& display) {
  Json driver = {{"name", "hone"}, {"rules", Json::array()}};
  for (const Rule& rule : rules)
    driver["rules"].push_back({{"id", rule.id}, {"shortDescription", {{"text", rule.text}}}});
  Json results = Json::array();
  for (const RemarkedKernel& kernel : kernels) {
    for (const FactRemark& remark : kernel.remarks) {
      std::string text = fmt::format("kernel {}: {}", kernel.kernel, remark.text);
      if (!remark.obstacle.empty()) text += "; in the way: " + remark.obstacle;
      Json result = {{"ruleId", remark.rule},
                     {"level", remark.rule == std::string("unresolved") ? "note" : "warning"},
                     {"message", {{"text", text}}}};
      if (remark.loc.valid()) {
        Json region = {{"startLine", std::max(1u, remark.loc.line)}};
        if (remark.loc.column > 0) region["startColumn"] = remark.loc.column;
        result["locations"] = Json::array(
            {{{"physicalLocation",
               {{"artifactLocation", {{"uri", display(*remark.loc.file)}}}, {"region", region}}}}});
      }
      results.push_back(std::move(result));
    }
  }
  Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({{{"tool", {{"driver", driver}}}, {"results", results}}})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hone::report
