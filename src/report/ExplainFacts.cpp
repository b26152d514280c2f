#include "report/ExplainFacts.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hone::report {

namespace {

using affine::Access;
using affine::Exactness;
using analysis::CoalescingVerdict;

const char* word(Exactness e) {
  switch (e) {
    case Exactness::Exact: return "exact";
    case Exactness::Over: return "over";
    case Exactness::Unknown: break;
  }
  return "unknown";
}

std::string plural(const std::string& count, const char* one, const char* many) {
  return count + " " + (count == "1" ? one : many);
}

class FactsReporter {
 public:
  explicit FactsReporter(analysis::Facts& all) : facts(all), model(all.model()) {}

  FactsReport run() {
    report.block = model.block;
    report.target = facts.target().name;
    for (size_t i = 0; i < model.accesses.size(); ++i) {
      const Access& access = model.accesses[i];
      if (access.mode == ir::AccessMode::Address || isPrivate(access)) continue;
      addAccess(i);
    }
    addRequirements();
    return std::move(report);
  }

 private:
  analysis::Facts& facts;
  const affine::KernelModel& model;
  FactsReport report;

  ir::Space spaceOf(const Access& access) const {
    return access.array < 0 ? ir::Space::Generic : model.arrays[static_cast<size_t>(access.array)].space;
  }
  bool isPrivate(const Access& access) const { return spaceOf(access) == ir::Space::Private; }

  void addAccess(size_t index) {
    const Access& access = model.accesses[index];
    AccessFacts out;
    out.handle = access.handle;
    out.resolved = access.isResolved();
    out.exactness = word(access.exactness);
    out.reason = access.reason;
    if (model.isGlobal(access)) addGlobal(index, out);
    report.accesses.push_back(std::move(out));
  }

  void addGlobal(size_t index, AccessFacts& out) {
    const Access& access = model.accesses[index];
    const analysis::Coalescing& c = facts.coalescing(index);
    out.verdict = analysis::str(c.verdict);
    out.why = c.reason;
    if (c.verdict == CoalescingVerdict::Unknown) {
      remark("unresolved", index, fmt::format("the address of `{}` is not resolved", access.handle),
             c.reason.empty() ? access.reason : c.reason);
      return;
    }
    const analysis::Span sectors = c.cost.sectors, least = c.cost.leastSectors;
    out.cost = plural(str(sectors), "sector", "sectors");
    const bool isApart = c.verdict == CoalescingVerdict::Strided || c.verdict == CoalescingVerdict::Scattered;
    out.isCostly = sectors.max > least.max && (isApart || c.verdict == CoalescingVerdict::Misaligned);
    if (!out.isCostly) return;
    remark(isApart ? "uncoalesced" : "misaligned", index,
           fmt::format("`{}` is {} ({}): {} a warp where {} would do", access.handle,
                       isApart ? "not coalesced" : "not aligned", c.reason, out.cost, str(least)),
           access.exactness == Exactness::Exact ? "" : access.reason);
  }

  void remark(const char* rule, size_t index, std::string text, std::string obstacle) {
    const Access& access = model.accesses[index];
    report.remarks.push_back({rule, std::move(text), std::move(obstacle), {access.handle}, access.loc});
  }

  void addRequirements() {
    std::set<unsigned> used;
    for (const Access& access : model.accesses)
      used.insert(access.requirements.begin(), access.requirements.end());
    for (unsigned r : used) {
      const affine::Requirement& need = model.requirements[r];
      std::string bounds = model.atoms->str(need.value);
      const affine::Range range = model.atoms->range(need.value);
      if (need.low > range.low) bounds = fmt::format("{} <= {}", need.low, bounds);
      if (need.high < range.high) bounds += fmt::format(" <= {}", need.high);
      report.requirements.push_back(fmt::format(
          "{} ({}{})", bounds, need.why, need.loc.valid() ? fmt::format(", line {}", need.loc.line) : ""));
    }
  }
};

}  // namespace

FactsReport reportFacts(analysis::Facts& facts) { return FactsReporter(facts).run(); }

}  // namespace hone::report
