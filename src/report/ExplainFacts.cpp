#include "report/ExplainFacts.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/Aliasing.h"
#include "analysis/KernelKind.h"
#include "ir/Error.h"
#include "sim/execute/Run.h"
#include "sim/model/EstimateRegisters.h"

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
    const analysis::KindAnswer kind = analysis::kindOf(model);
    report.kind = analysis::str(kind.kind);
    report.kindReason = kind.reason;
    for (const affine::AccessId i : model.accesses.ids()) {
      const Access& access = model.accesses[i];
      if (access.mode == ir::AccessMode::Address || isPrivate(access)) continue;
      addAccess(i);
    }
    for (const affine::ArrayId i : model.arrays.ids()) addArray(i);
    addBarriers();
    addResources();
    addRequirements();
    return std::move(report);
  }

 private:
  analysis::Facts& facts;
  const affine::KernelModel& model;
  FactsReport report;

  ir::Space spaceOf(const Access& access) const {
    return access.array.isNone() ? ir::Space::Generic : model.arrays[access.array].space;
  }
  bool isPrivate(const Access& access) const { return spaceOf(access) == ir::Space::Private; }

  void addAccess(affine::AccessId index) {
    const Access& access = model.accesses[index];
    AccessFacts out;
    out.handle = access.handle;
    out.resolved = access.isResolved();
    out.exactness = word(access.exactness);
    out.reason = access.reason;
    if (model.isGlobal(access))
      addGlobal(index, out);
    else if (spaceOf(access) == ir::Space::Shared)
      addShared(index, out);
    report.accesses.push_back(std::move(out));
  }

  void addGlobal(affine::AccessId index, AccessFacts& out) {
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

  void addShared(affine::AccessId index, AccessFacts& out) {
    const analysis::BankConflicts& c = facts.bankConflicts(index);
    if (c.degree == 0) {
      out.why = c.inexact;
      return;
    }
    out.verdict = c.isFree() ? "conflict-free" : fmt::format("{}-way conflict", c.degree);
    out.why = c.reason;
    out.cost = plural(str(c.wavefronts), "pass", "passes");
    out.isCostly = !c.isFree();
  }

  // [?][w] as its accesses see it.
  std::string shapeText(affine::ArrayId array) {
    const affine::Shape& shape = facts.shape(array);
    const affine::Array& known = model.arrays[array];
    std::string out = shape.isDeclared && !known.extents.empty() && known.extents[0] >= 0
                          ? fmt::format("[{}]", known.extents[0])
                          : "[?]";
    for (const affine::Poly& extent : shape.extents) out += "[" + model.atoms->str(extent) + "]";
    return out;
  }

  // "16 x w elements": how many along each dimension.
  std::string sizeText(const analysis::Footprint& f) {
    std::vector<std::string> sides;
    for (const analysis::Extent& extent : f.box) {
      if (extent.count)
        sides.push_back(fmt::format("{}", *extent.count));
      else if (extent.low && extent.high)
        sides.push_back(model.atoms->str(*extent.high - *extent.low + affine::Poly(1)));
      else
        sides.push_back("?");
    }
    std::string out = fmt::format("{}", fmt::join(sides, " x "));
    if (!f.isBox && f.elements) out += fmt::format(", {} of them", *f.elements);
    return out;
  }

  void addArray(affine::ArrayId array) {
    const affine::Array& known = model.arrays[array];
    if (known.space != ir::Space::Global && known.space != ir::Space::Shared &&
        known.space != ir::Space::Generic)
      return;
    ArrayFacts out;
    out.array = known.name;
    out.shape = shapeText(array);
    std::vector<std::string> parts;
    for (auto [which, verb] :
         {std::pair{analysis::Facts::Which::Reads, "reads"}, {analysis::Facts::Which::Writes, "writes"}}) {
      if (facts.accessesOf(array, which).empty()) continue;
      const analysis::Footprint& f = facts.footprint(array, which);
      if (f.exactness == Exactness::Unknown) {
        parts.push_back(fmt::format("which elements a block {} is not known ({})", verb, f.reason));
        continue;
      }
      parts.push_back(fmt::format(
          "a block {} {}{}", verb,
          f.exactness == Exactness::Over || (!f.isBox && !f.elements) ? "at most " : "", sizeText(f)));
    }
    out.block = fmt::format("{}", fmt::join(parts, ", "));
    if (known.space == ir::Space::Global || known.space == ir::Space::Generic) addSharing(array, out);
    if (!parts.empty()) report.arrays.push_back(std::move(out));
    if (known.space == ir::Space::Shared) addRemedy(array);
  }

  // Whether blocks differ along an axis at all: only where the kernel asks for its coordinate.
  bool usesBlockAxis(unsigned axis) const {
    bool used = false;
    for (const Access& access : model.accesses)
      used |= (model.atoms->variation(access.address).blockAxes >> axis & 1) != 0;
    return used;
  }

  void addSharing(affine::ArrayId array, ArrayFacts& out) {
    using Which = analysis::Facts::Which;
    if (facts.accessesOf(array, Which::Reads).empty()) return;
    const bool isResolved =
        std::ranges::any_of(facts.accessesOf(array, Which::Reads),
                            [&](affine::AccessId i) { return model.accesses[i].isResolved(); });
    if (!isResolved) return;
    std::vector<std::string> same, part;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (!usesBlockAxis(axis)) continue;
      const analysis::Shared& s = facts.sharing(array, Which::Reads, {analysis::Scope::Block, axis, {}});
      if (s.next == analysis::SharedPart::Full) same.push_back(std::string(1, "xyz"[axis]));
      if (s.next == analysis::SharedPart::Partial) part.push_back(std::string(1, "xyz"[axis]));
    }
    if (!same.empty())
      out.sharing.push_back(fmt::format("blocks along {} read the same", fmt::join(same, " and ")));
    if (!part.empty())
      out.sharing.push_back(
          fmt::format("blocks next to each other along {} read a part in common", fmt::join(part, " and ")));
    for (affine::AccessId i : facts.accessesOf(array, Which::Reads)) addRedundancy(i);
    for (const affine::LoopId loop : model.loops.ids()) addReuse(array, loop, out);
  }

  // Threads along an axis that load one element.
  void addRedundancy(affine::AccessId index) {
    const Access& access = model.accesses[index];
    const analysis::Redundancy r = analysis::redundancy(model, access);
    if (r.copies < 2) return;
    std::vector<std::string> axes;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (r.axes >> axis & 1) axes.push_back(fmt::format("threadIdx.{}", "xyz"[axis]));
    remark("redundant-load", index,
           fmt::format("`{}` does not depend on {}: {} threads of a block load the same element",
                       access.handle, fmt::join(axes, " and "), r.copies),
           access.isResolved() ? "" : access.reason);
  }

  void addReuse(affine::ArrayId array, affine::LoopId loop, ArrayFacts& out) {
    using Which = analysis::Facts::Which;
    const affine::Loop& l = model.loops[loop];
    const auto isInside = [&](affine::AccessId i) {
      const std::vector<affine::LoopId>& loops = model.accesses[i].loops;
      return std::ranges::find(loops, loop) != loops.end();
    };
    std::vector<affine::AccessId> reads = facts.accessesOf(array, Which::Reads);
    if (!std::ranges::any_of(reads, isInside)) return;
    const analysis::Shared& block = facts.reuse(array, Which::Reads, loop, analysis::Scope::Block);
    if (block.next == analysis::SharedPart::Full)
      out.sharing.push_back(fmt::format("every iteration of {} reads the same", l.handle));
    else if (block.next == analysis::SharedPart::Partial)
      out.sharing.push_back(fmt::format("iterations of {} read a part in common", l.handle));
    // An element that the thread both reads and writes in every iteration.
    for (affine::AccessId i : reads) {
      const Access& access = model.accesses[i];
      if (!isInside(i) || access.loops.back() != loop || access.atomic || !access.isResolved()) continue;
      const bool isStill = (model.atoms->variation(access.address).loops & affine::loopBit(loop)) == 0;
      const bool isWritten =
          std::ranges::any_of(facts.accessesOf(array, Which::Writes), [&](affine::AccessId w) {
            const Access& other = model.accesses[w];
            return isInside(w) && other.address == access.address;
          });
      if (isStill && isWritten)
        remark(
            "repeated-update", i,
            fmt::format("every iteration of {} reads and writes the same element `{}`: a register would do",
                        l.handle, access.handle),
            mayOverlap(array));
    }
  }

  // Other arrays that could mean the same memory.
  std::string mayOverlap(affine::ArrayId array) const {
    std::vector<std::string> names;
    for (const affine::ArrayId other : model.arrays.ids()) {
      if (other == array || facts.accessesOf(other).empty()) continue;
      const analysis::Aliasing a = analysis::aliasing(model, std::min(array, other), std::max(array, other));
      if (a.overlap == analysis::Overlap::Test || a.overlap == analysis::Overlap::Unknown)
        names.push_back("`" + model.arrays[other].name + "`");
    }
    return names.empty() ? "" : fmt::format("it could overlap {}", fmt::join(names, ", "));
  }

  void addBarriers() {
    if (model.barriers.empty()) return;
    const analysis::BarrierFacts& b = facts.barriers();
    for (int i : b.removable) {
      const affine::BarrierPoint& point = model.barriers[static_cast<size_t>(i)];
      if (point.scope != ir::SyncScope::Block) continue;
      report.remarks.push_back(
          {"barrier",
           "in blocks of this shape the barrier keeps no two accesses of different threads apart",
           "",
           {},
           point.loc});
    }
    for (int i : b.missing) {
      const analysis::CrossThread& pair = b.pairs[static_cast<size_t>(i)];
      if (!pair.isSure) continue;
      const Access &from = model.accesses[pair.from], &to = model.accesses[pair.to];
      report.remarks.push_back({"barrier",
                                fmt::format("no barrier between {}", b.str(model, pair)),
                                "",
                                {from.handle, to.handle},
                                to.loc});
    }
  }

  void addResources() {
    const analysis::Resources& r = facts.resources(
        0, [](const ir::Kernel& kernel, const target::Target& target) -> std::optional<unsigned> {
          try {
            return sim::estimateRegisters(sim::compile(kernel), target);
          } catch (const Error&) {
            return std::nullopt;
          }
        });
    std::string line =
        r.registers ? fmt::format("about {} registers a thread", *r.registers) : "registers not known";
    line += fmt::format(", {} bytes of shared memory a block{}", r.memory.staticShared,
                        r.memory.usesDynamicShared ? " and what the launch gives" : "");
    if (r.memory.local > 0) line += fmt::format(", {} bytes of local arrays a thread", r.memory.local);
    report.resources.push_back(line);
    if (r.occupancy.blocks == 0) {
      report.resources.push_back(
          fmt::format("such a block does not fit a multiprocessor ({})", r.occupancy.limiter));
      return;
    }
    report.resources.push_back(
        fmt::format("{} and {} on a multiprocessor ({:.0f} % of its warps), limited by {}",
                    plural(fmt::format("{}", r.occupancy.blocks), "block", "blocks"),
                    plural(fmt::format("{}", r.occupancy.warps), "warp", "warps"), 100 * r.occupancy.share,
                    r.occupancy.limiter));
  }

  void addRemedy(affine::ArrayId array) {
    const analysis::ConflictRemedy& remedy = facts.conflictRemedy(array);
    if (!remedy.hasConflicts || remedy.degree < 2) return;
    const affine::Array& known = model.arrays[array];
    std::string text = fmt::format("`{}` has {}-way bank conflicts", known.name, remedy.degree);
    if (remedy.padding)
      text +=
          fmt::format("; {} more in the innermost extent ({} bytes) would remove them",
                      plural(fmt::format("{}", *remedy.padding), "element", "elements"), remedy.paddingBytes);
    else if (remedy.lessPadding)
      text += fmt::format("; {} more in the innermost extent would leave {}-way ones",
                          plural(fmt::format("{}", *remedy.lessPadding), "element", "elements"),
                          remedy.lessDegree);
    const std::optional<unsigned> mask = facts.conflictSwizzle(array).mask;
    if (mask) text += fmt::format("; so would swapping columns, column ^ (row & {})", *mask);
    FactRemark remark{"bank-conflict", text, "", {}, known.var ? known.var->loc : ir::SourceLoc{}};
    if (!remedy.padding && !mask && !remedy.lessPadding) remark.obstacle = remedy.noPadding;
    for (affine::AccessId i : facts.accessesOf(array))
      if (facts.bankConflicts(i).degree > 1) {
        if (remark.accesses.empty()) remark.loc = model.accesses[i].loc;
        remark.accesses.push_back(model.accesses[i].handle);
      }
    report.remarks.push_back(std::move(remark));
  }

  void remark(const char* rule, affine::AccessId index, std::string text, std::string obstacle) {
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
