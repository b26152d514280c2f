#include "analysis/CoalescingShape.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace hone::analysis {

using affine::AtomId;
using affine::AtomKind;
using affine::Poly;
using target::CoalescingRule;

namespace {

class Describer {
 public:
  Describer(const affine::KernelModel& m, const affine::Access& a, const MemoryRules& r)
      : model(m), atoms(*m.atoms), access(a), rules(r) {}

  LaneShape of(const WarpPattern& warp) {
    LaneShape out;
    const std::vector<unsigned> lanes = lanesOf(warp.mask);
    if (lanes.size() == 1) return {CoalescingVerdict::Coalesced, "", std::nullopt};
    out.stride = strideOf(warp, lanes);
    if (out.stride) return regular(warp, {lanes}, *out.stride, out);
    const std::vector<std::vector<unsigned>> rows = rowsOf(warp);
    std::optional<Poly> common;
    bool isRegular = rows.size() > 1;
    for (const std::vector<unsigned>& row : rows) {
      if (row.size() == 1) continue;
      const std::optional<Poly> stride = strideOf(warp, row);
      isRegular = isRegular && stride && (!common || *common == *stride);
      common = stride;
    }
    if (isRegular && common) return regular(warp, rows, *common, out);
    out.reason = warp.isKnown() ? std::string() : unknownDistance(model, warp);
    out.verdict = out.reason.empty() ? CoalescingVerdict::Scattered : CoalescingVerdict::Unknown;
    if (out.reason.empty())
      out.reason = warp.isKnown() ? offsetsText(warp.groups[0]) : describeDistances(model, warp);
    return out;
  }

  // Of all row starts seen so far.
  std::bitset<256> starts;
  std::vector<std::string> startsDependOn;

  unsigned unit() const {
    switch (rules.rule) {
      case CoalescingRule::Strict16:
      case CoalescingRule::Segments: return std::min(256u, 16 * std::bit_floor(access.bytes));
      case CoalescingRule::Lines: return rules.lineBytes;
      case CoalescingRule::Sectors: break;
    }
    return 32;
  }

  LaneShape alignment() const {
    LaneShape out;
    out.stride = Poly(access.bytes);
    std::vector<unsigned> off;
    for (unsigned r = 0; r < unit(); ++r)
      if (starts[r]) off.push_back(r);
    std::string on;
    std::vector<std::string> names = startsDependOn;
    std::ranges::sort(names, {}, [](const std::string& name) {
      return std::tuple(name.find('*') != std::string::npos, name.size(), name);
    });
    const bool isLong = names.size() > 2;
    if (isLong) names.resize(2);
    for (const std::string& name : names) on += (on.empty() ? "" : isLong ? ", " : " and ") + name;
    if (isLong) on += " and more";
    if (on.empty()) on = "the warp";
    if (off.size() == 1 && off[0]) {
      out.verdict = CoalescingVerdict::Misaligned;
      out.reason = "misaligned by " + std::to_string(off[0]) + " bytes";
    } else if (!starts[0] && !off.empty()) {
      out.verdict = CoalescingVerdict::Misaligned;
      out.reason = "misaligned by " + std::to_string(off.front()) + " to " + std::to_string(off.back()) +
                   " bytes, depending on " + on;
    } else {
      out.verdict = CoalescingVerdict::DependsOn;
      out.reason = "alignment depends on " + on;
    }
    return out;
  }

 private:
  static std::vector<unsigned> lanesOf(uint32_t mask) {
    std::vector<unsigned> out;
    for (; mask; mask &= mask - 1) out.push_back(static_cast<unsigned>(std::countr_zero(mask)));
    return out;
  }

  std::vector<std::vector<unsigned>> rowsOf(const WarpPattern& warp) const {
    std::vector<std::vector<unsigned>> rows;
    unsigned last = UINT32_MAX;
    for (unsigned lane : lanesOf(warp.mask)) {
      const unsigned row = (warp.warp * 32 + lane) / model.block[0];
      if (row != last) rows.emplace_back();
      rows.back().push_back(lane);
      last = row;
    }
    return rows;
  }

  static Poly difference(const WarpPattern& warp, unsigned a, unsigned b) {
    const LaneGroup *ga = nullptr, *gb = nullptr;
    for (const LaneGroup& g : warp.groups) {
      if (g.mask >> a & 1) ga = &g;
      if (g.mask >> b & 1) gb = &g;
    }
    const Poly numbers(gb->offset[b] - ga->offset[a]);
    return ga == gb ? numbers : gb->start - ga->start + numbers;
  }

  // Bytes from lane to lane, when lanes are evenly spaced.
  static std::optional<Poly> strideOf(const WarpPattern& warp, const std::vector<unsigned>& lanes) {
    const int64_t apart = lanes[1] - lanes[0];
    Poly stride = difference(warp, lanes[0], lanes[1]);
    if (!stride.isDivisible(apart)) return std::nullopt;
    stride = stride.dividedExactly(apart);
    for (size_t i = 2; i < lanes.size(); ++i)
      if (difference(warp, lanes[0], lanes[i]) != stride * Poly(int64_t(lanes[i] - lanes[0])))
        return std::nullopt;
    return stride;
  }

  LaneShape regular(const WarpPattern& warp, const std::vector<std::vector<unsigned>>& rows,
                    const Poly& stride, LaneShape out) {
    const int64_t bytes = access.bytes;
    if (stride.isZero()) {
      out.verdict = CoalescingVerdict::Broadcast;
      out.reason = access.atomic ? "all lanes update one element"
                   : rows.size() == 1
                       ? "all lanes touch one element"
                       : std::to_string(rows.size()) + " elements a warp, one for each row of threads";
      return out;
    }
    const bool isReverse = stride == Poly(-bytes) && rules.rule != CoalescingRule::Strict16;
    if (stride == Poly(bytes) || isReverse) {
      size_t longest = 0;
      for (const std::vector<unsigned>& row : rows) {
        longest = std::max(longest, row.size());
        const Residues r = residues(model, startOf(warp, isReverse ? row.back() : row.front()), unit());
        starts |= r.can;
        for (const std::string& name : r.dependsOn)
          if (std::find(startsDependOn.begin(), startsDependOn.end(), name) == startsDependOn.end())
            startsDependOn.push_back(name);
      }
      if (rows.size() == 1 || longest * static_cast<size_t>(bytes) >= unit()) {
        out.verdict = CoalescingVerdict::Misaligned;  // by how much is said for all warps together
        return out;
      }
      out.verdict = CoalescingVerdict::Strided;
      out.reason = "rows of " + std::to_string(longest) + (longest == 1 ? " element" : " elements");
      return out;
    }
    out.verdict = CoalescingVerdict::Strided;
    out.reason = "stride " + distance(stride);
    return out;
  }

  Poly startOf(const WarpPattern& warp, unsigned lane) const {
    for (const LaneGroup& g : warp.groups)
      if (g.mask >> lane & 1) return g.start + Poly(g.offset[lane]);
    return {};
  }

  // In elements where it is a number of them.
  std::string distance(const Poly& bytes) const {
    if (bytes.isDivisible(access.bytes)) return atoms.str(bytes.dividedExactly(access.bytes));
    return bytes.constant() ? std::to_string(*bytes.constant()) + " bytes"
                            : "(" + atoms.str(bytes) + ") bytes";
  }

  std::string offsetsText(const LaneGroup& group) const {
    std::string out = "lanes at bytes";
    unsigned shown = 0;
    for (unsigned lane : lanesOf(group.mask)) {
      if (++shown > 5) return out + " …";
      out += (shown > 1 ? ", " : " ") + std::to_string(group.offset[lane]);
    }
    return out;
  }

  const affine::KernelModel& model;
  const affine::Atoms& atoms;
  const affine::Access& access;
  MemoryRules rules;
};

int rank(CoalescingVerdict v) {
  switch (v) {
    case CoalescingVerdict::Coalesced: return 0;
    case CoalescingVerdict::Broadcast: return 1;
    case CoalescingVerdict::DependsOn: return 2;
    case CoalescingVerdict::Misaligned: return 3;
    case CoalescingVerdict::Strided: return 4;
    case CoalescingVerdict::Scattered: return 5;
    case CoalescingVerdict::Unknown: break;
  }
  return 6;
}

// A choice that differs between threads mostly clamps: the arm that follows the threads is what happens
// inside.
std::optional<Poly> insideClamps(affine::Atoms& atoms, const Poly& address) {
  affine::Atoms::Substitution values;
  atoms.forEachAtom(address, [&](AtomId id) {
    const affine::Atom& atom = atoms[id];
    if (atom.kind != AtomKind::Choice || hasUnknown(atom.cond)) return;
    const unsigned yes = static_cast<unsigned>(std::popcount(atoms.variation(atom.yes).threadAxes));
    const unsigned no = static_cast<unsigned>(std::popcount(atoms.variation(atom.no).threadAxes));
    values[id] = no > yes ? atom.no : atom.yes;
  });
  if (values.empty()) return std::nullopt;
  Poly out = address;
  // Arms may hold choices themselves.
  for (unsigned iteration = 0; iteration < 4; ++iteration) {
    const Poly next = atoms.substitute(out, values);
    if (next == out) break;
    out = next;
  }
  return out;
}

LaneShape describe(const affine::KernelModel& model, const affine::Access& access, const LanePattern& pattern,
                   const MemoryRules& rules, bool isCoalesced) {
  Describer describer(model, access, rules);
  LaneShape worst;
  worst.verdict = CoalescingVerdict::Coalesced;
  std::string worstWhen;
  bool isFirst = true;
  for (const WarpPattern& warp : pattern.warps) {
    const LaneShape one = describer.of(warp);
    if (isFirst || rank(one.verdict) > rank(worst.verdict)) {
      worst = one;
      worstWhen = warp.when;
    }
    isFirst = false;
  }
  if (worst.verdict != CoalescingVerdict::Broadcast && isCoalesced)
    return {CoalescingVerdict::Coalesced, "", worst.stride};
  if (worst.verdict == CoalescingVerdict::Misaligned) return describer.alignment();
  if (!worstWhen.empty() && !worst.reason.empty()) worst.reason += " where " + worstWhen;
  return worst;
}

}  // namespace

LaneShape describeShape(PerThread& perThread, const affine::Access& access, const LanePattern& pattern,
                        const MemoryRules& rules, bool isCoalesced) {
  const affine::KernelModel& model = perThread.model;
  const LaneShape shape = describe(model, access, pattern, rules, isCoalesced);
  if (shape.verdict != CoalescingVerdict::Scattered) return shape;
  std::optional<Poly> inside;
  try {
    inside = insideClamps(*model.atoms, access.address);
  } catch (const affine::TooLarge&) {  // then nothing more is known of it
  }
  if (!inside) return shape;
  const LanePattern typical = lanePattern(perThread, access, *inside);
  if (!typical.unknown.empty() || typical.warps.empty()) return shape;
  LaneShape out = describe(model, access, typical, rules, false);
  if (out.verdict == CoalescingVerdict::Scattered) return shape;
  if (out.verdict == CoalescingVerdict::DependsOn && out.reason == "alignment depends on the warp") {
    out.verdict = CoalescingVerdict::Coalesced;
    out.reason.clear();
  }
  out.reason += (out.reason.empty() ? "" : ", ") + std::string("other where a choice in the subscript turns");
  return out;
}

}  // namespace hone::analysis
