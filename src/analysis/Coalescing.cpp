#include "analysis/Coalescing.h"

#include <algorithm>
#include <bit>

#include "analysis/ArrayStart.h"
#include "analysis/BlockClasses.h"
#include "analysis/CoalescingShape.h"
#include "target/CountSectors.h"

namespace hone::analysis {

using affine::Poly;
using target::CoalescingRule;

namespace {

constexpr unsigned sectorBytes = 32;

struct Addresses {
  std::array<uint64_t, 32> at{};
};

Addresses addressesOf(const LaneGroup& group, unsigned residue) {
  Addresses out;
  for (uint32_t left = group.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    out.at[lane] = arrayStart + residue + static_cast<uint64_t>(group.offset[lane]);
  }
  return out;
}

// The hardware's own size for accesses of such bytes, or a smaller one where addresses do not allow it.
unsigned pieceOf(const Addresses& address, uint32_t mask, unsigned bytes, unsigned unit) {
  uint64_t alignment = bytes | unit;
  for (uint32_t left = mask; left; left &= left - 1) alignment |= address.at[std::countr_zero(left)];
  return static_cast<unsigned>(std::min<uint64_t>(16, alignment & (~alignment + 1)));
}

unsigned linesOf(const target::Touched& sectors) {
  unsigned lines = 0;
  for (unsigned i = 0; i < sectors.count; ++i) {
    bool isNew = true;
    for (unsigned j = 0; j < i && isNew; ++j) isNew = sectors.block[j] / 4 != sectors.block[i] / 4;
    lines += isNew;
  }
  return lines;
}

void addPieces(CoalescingTotals& totals, const uint64_t* address, uint32_t mask, unsigned bytes,
               unsigned piece, bool isAtomic, const MemoryRules& rules) {
  totals.lanes += static_cast<unsigned>(std::popcount(mask));
  std::array<uint64_t, 32> at;
  for (unsigned first = 0; first < bytes; first += piece) {
    for (unsigned lane = 0; lane < 32; ++lane) at[lane] = address[lane] + first;
    const target::Touched sectors = target::touchedBlocks(at.data(), mask, piece, sectorBytes);
    uint64_t asked = 0;
    for (unsigned i = 0; i < sectors.count; ++i)
      asked += static_cast<unsigned>(std::popcount(sectors.bytes[i]));
    ++totals.requests;
    totals.bytes += asked;
    totals.sectors += isAtomic ? target::countAtomicSectors(at.data(), mask, sectorBytes) : sectors.count;
    totals.leastSectors += (asked + sectorBytes - 1) / sectorBytes;
    totals.lines += linesOf(sectors);
    if (rules.rule == CoalescingRule::Sectors) {
      totals.transactions += sectors.count;
      ++totals.groups;
      totals.coalescedGroups += sectors.count * sectorBytes < asked + sectorBytes;
      continue;
    }
    const target::Transactions t = target::coalesce(rules.rule, at.data(), mask, piece, rules.lineBytes);
    totals.transactions += t.count;
    totals.groups += t.groups;
    totals.coalescedGroups += t.coalesced;
  }
}

// Lanes that the rule looks at together.
unsigned lanesTogether(const MemoryRules& rules, unsigned bytes) {
  switch (rules.rule) {
    case CoalescingRule::Strict16:
    case CoalescingRule::Segments: return 16;
    case CoalescingRule::Lines: return bytes < 8 ? 32 : bytes == 8 ? 16 : 8;
    case CoalescingRule::Sectors: break;
  }
  return 32;
}

void include(RequestCost& cost, const RequestCost& other) {
  include(cost.requests, other.requests);
  include(cost.sectors, other.sectors);
  include(cost.lines, other.lines);
  include(cost.transactions, other.transactions);
  include(cost.leastSectors, other.leastSectors);
}

// Costs of one access, for the patterns of its warps.
class CostOfPatterns {
 public:
  CostOfPatterns(const affine::KernelModel& m, const affine::Access& a, const MemoryRules& r)
      : model(m), access(a), rules(r), alignment(accessAlignment(m, a)) {}

  struct Answer {
    RequestCost cost;
    bool isCoalesced = true;
  };

  const Answer& of(const WarpPattern& pattern) const {
    // Warps that differ in their first address alone cost the same where its residues are the same.
    std::vector<int64_t> key;
    for (const LaneGroup& group : pattern.groups) {
      key.push_back(group.mask);
      for (uint32_t left = group.mask; left; left &= left - 1)
        key.push_back(group.offset[std::countr_zero(left)]);
      const std::vector<unsigned>& starts = residuesOf(group.start);
      key.insert(key.end(), starts.begin(), starts.end());
      key.push_back(INT64_MIN);
    }
    const auto [at, isNew] = answers.try_emplace(std::move(key));
    if (isNew) at->second = pattern.isKnown() ? known(pattern.groups[0]) : bound(pattern);
    return at->second;
  }

 private:
  template <class F>
  void forEachResidue(const LaneGroup& group, F&& f) const {
    for (unsigned residue : residuesOf(group.start)) f(residue);
  }

  const std::vector<unsigned>& residuesOf(const Poly& start) const {
    auto [at, isNew] = known256.try_emplace(start);
    if (!isNew) return at->second;
    const Residues r = residues(model, start);
    for (unsigned i = 0; i < r.modulus; ++i)
      if (r.can[i] && i % alignment == 0) at->second.push_back(i);
    // No address is aligned as its type asks: then take them as they are.
    if (at->second.empty())
      for (unsigned i = 0; i < r.modulus; ++i)
        if (r.can[i]) at->second.push_back(i);
    return at->second;
  }

  Answer known(const LaneGroup& group) const {
    Answer out;
    forEachResidue(group, [&](unsigned residue) {
      const Addresses address = addressesOf(group, residue);
      CoalescingTotals t;
      addPieces(t, address.at.data(), group.mask, access.bytes,
                pieceOf(address, group.mask, access.bytes, access.unit), access.atomic, rules);
      include(out.cost, spans(t));
      out.isCoalesced = out.isCoalesced && t.coalescedGroups == t.groups;
    });
    return out;
  }

  static RequestCost spans(const CoalescingTotals& t) {
    RequestCost cost;
    include(cost.requests, t.requests);
    include(cost.sectors, t.sectors);
    include(cost.lines, t.lines);
    include(cost.transactions, t.transactions);
    include(cost.leastSectors, t.leastSectors);
    return cost;
  }

  // Groups at unknown distances: at best all lie in one of them, at worst nothing is shared.
  Answer bound(const WarpPattern& pattern) const {
    unsigned least = 16, most = 16;  // bytes that a lane moves in one instruction
    for (const LaneGroup& group : pattern.groups) {
      unsigned lowest = 16, highest = 1;
      forEachResidue(group, [&](unsigned residue) {
        const unsigned piece = pieceOf(addressesOf(group, residue), group.mask, access.bytes, access.unit);
        lowest = std::min(lowest, piece);
        highest = std::max(highest, piece);
      });
      least = std::min(least, lowest);
      most = std::min(most, highest);
    }
    Answer out;
    for (unsigned piece = least; piece <= most; piece *= 2) {
      RequestCost cost;
      cost.requests = {access.bytes / piece, access.bytes / piece};
      uint64_t bytes = 0;
      for (const LaneGroup& group : pattern.groups) {
        Span sectors, lines, leastSectors;
        uint64_t bytesOfGroup = 0;
        forEachResidue(group, [&](unsigned residue) {
          const Addresses address = addressesOf(group, residue);
          CoalescingTotals t;
          addPieces(t, address.at.data(), group.mask, access.bytes, piece, access.atomic, rules);
          include(sectors, t.sectors);
          include(lines, t.lines);
          include(leastSectors, t.leastSectors);
          bytesOfGroup = std::max(bytesOfGroup, t.bytes);
        });
        stack(cost.sectors, sectors);
        stack(cost.lines, lines);
        stack(cost.leastSectors, leastSectors);
        bytes += bytesOfGroup;
      }
      cost.leastSectors.max =
          std::min(cost.leastSectors.max,
                   static_cast<unsigned>((bytes + sectorBytes - 1) / sectorBytes + access.bytes / piece - 1));
      cost.transactions = transactions(pattern, piece, out.isCoalesced);
      include(out.cost, cost);
    }
    return out;
  }

  static void stack(Span& sum, const Span& one) { sum = {std::max(sum.min, one.min), sum.max + one.max}; }

  Span transactions(const WarpPattern& pattern, unsigned piece, bool& isCoalesced) const {
    Span out;
    const unsigned together = lanesTogether(rules, piece);
    const unsigned pieces = access.bytes / piece;
    const uint32_t ones = together == 32 ? ~uint32_t(0) : (uint32_t(1) << together) - 1;
    for (unsigned first = 0; first < 32; first += together) {
      const uint32_t lanes = pattern.mask & ones << first;
      if (!lanes) continue;
      Span span;
      unsigned parts = 0;
      for (const LaneGroup& group : pattern.groups) {
        LaneGroup part = group;
        part.mask &= lanes;
        if (!part.mask) continue;
        ++parts;
        Span one;
        forEachResidue(group, [&](unsigned residue) {
          CoalescingTotals t;
          addPieces(t, addressesOf(part, residue).at.data(), part.mask, access.bytes, piece, access.atomic,
                    rules);
          include(one, t.transactions);
          if (t.coalescedGroups < t.groups) isCoalesced = false;
        });
        stack(span, one);
      }
      const unsigned count = static_cast<unsigned>(std::popcount(lanes));
      if (rules.rule == CoalescingRule::Strict16 && parts > 1)
        span = {pieces, count * pieces}, isCoalesced = false;
      const unsigned unit = rules.rule == CoalescingRule::Sectors ? sectorBytes
                            : rules.rule == CoalescingRule::Lines ? rules.lineBytes
                                                                  : 128;
      if (parts > 1 && span.max > std::max(1u, (count * piece + unit - 1) / unit) * pieces)
        isCoalesced = false;
      out = {out.min + span.min, out.max + span.max};
    }
    return out;
  }

  const affine::KernelModel& model;
  const affine::Access& access;
  MemoryRules rules;
  unsigned alignment;
  mutable std::map<Poly, std::vector<unsigned>> known256;
  mutable std::map<std::vector<int64_t>, Answer> answers;
};

bool isExact(const RequestCost& c) {
  return c.requests.isOne() && c.sectors.isOne() && c.lines.isOne() && c.transactions.isOne() &&
         c.leastSectors.isOne();
}

}  // namespace

MemoryRules MemoryRules::of(const target::Target& target) { return {target.coalescing, target.l1LineBytes}; }

const char* str(CoalescingVerdict verdict) {
  switch (verdict) {
    case CoalescingVerdict::Coalesced: return "coalesced";
    case CoalescingVerdict::Broadcast: return "broadcast";
    case CoalescingVerdict::Misaligned: return "misaligned";
    case CoalescingVerdict::DependsOn: return "depends";
    case CoalescingVerdict::Strided: return "strided";
    case CoalescingVerdict::Scattered: return "scattered";
    case CoalescingVerdict::Unknown: break;
  }
  return "unknown";
}

void addRequest(CoalescingTotals& totals, const uint64_t* address, uint32_t mask, unsigned bytes,
                bool isAtomic, const MemoryRules& rules, unsigned unit) {
  if (!mask || !bytes) return;
  Addresses at;
  std::copy_n(address, 32, at.at.begin());
  addPieces(totals, address, mask, bytes, pieceOf(at, mask, bytes, unit), isAtomic, rules);
}

Coalescing coalescing(PerThread& perThread, const affine::Access& access, const MemoryRules& rules) {
  const affine::KernelModel& model = perThread.model;
  Coalescing out;
  out.requirements = access.requirements;
  auto unknown = [&](std::string why) {
    out.verdict = CoalescingVerdict::Unknown;
    out.reason = out.inexact = why.empty() ? "not resolved" : std::move(why);
    return out;
  };
  if (!access.bytes) return unknown("how much it moves is not known");
  const LanePattern pattern = lanePattern(perThread, access);
  if (!pattern.unknown.empty()) return unknown(pattern.unknown);
  if (pattern.warps.empty()) return unknown("no thread of the block does it");
  out.alignment = residues(model, pattern.warps[0].groups[0].start, 128);

  const CostOfPatterns costs(model, access, rules);
  out.isCoalesced = true;
  bool isOne = true;
  for (const WarpPattern& warp : pattern.warps) {
    const CostOfPatterns::Answer& answer = costs.of(warp);
    out.isCoalesced = out.isCoalesced && answer.isCoalesced;
    isOne = isOne && isExact(answer.cost) && warp.when.empty();
    include(out.cost, answer.cost);
    const unsigned lanes = static_cast<unsigned>(std::popcount(warp.mask));
    auto same = std::find_if(out.warps.begin(), out.warps.end(), [&](const WarpCost& w) {
      return w.cost == answer.cost && w.when == warp.when && w.lanes == lanes;
    });
    if (same == out.warps.end()) same = out.warps.insert(same, {{}, warp.when, lanes, answer.cost});
    if (same->warps.empty() || same->warps.back() != warp.warp) same->warps.push_back(warp.warp);
  }
  // Cases that all cost the same are no cases.
  if (isExact(out.cost)) isOne = true;
  const LaneShape shape = describeShape(perThread, access, pattern, rules, out.isCoalesced);
  out.verdict = shape.verdict;
  out.reason = shape.reason;
  out.stride = shape.stride;
  out.exactness = isOne && pattern.partial.empty() ? affine::Exactness::Exact : affine::Exactness::Over;
  if (!pattern.partial.empty())
    out.inexact = pattern.partial + " may switch off a part of a warp";
  else if (!isOne)
    out.inexact = shape.reason.empty() ? "differs from request to request" : shape.reason;
  return out;
}

CoalescingTotals coalescingTotals(const affine::KernelModel& model, const affine::Access& access,
                                  const affine::Launch& launch, const MemoryRules& rules, uint64_t limit) {
  CoalescingTotals totals;
  totals.unknown = whyNotCountable(model, access);
  if (!totals.unknown.empty()) return totals;
  totals.known = forEachRequestOfClasses(
      model, access, launch, limit, [&](const affine::WarpRequest& r, uint64_t blocks) {
        std::array<uint64_t, 32> address;
        for (unsigned lane = 0; lane < 32; ++lane)
          address[lane] = arrayStart + static_cast<uint64_t>(r.address[lane]);
        CoalescingTotals one;
        addRequest(one, address.data(), r.mask, access.bytes, access.atomic, rules, access.unit);
        for (uint64_t CoalescingTotals::* field :
             {&CoalescingTotals::requests, &CoalescingTotals::lanes, &CoalescingTotals::bytes,
              &CoalescingTotals::sectors, &CoalescingTotals::leastSectors, &CoalescingTotals::lines,
              &CoalescingTotals::transactions, &CoalescingTotals::groups, &CoalescingTotals::coalescedGroups})
          totals.*field += one.*field * blocks;
      });
  if (totals.known) return totals;
  totals = {};
  totals.unknown = "a value it depends on is not known, or there are too many executions to look at";
  return totals;
}

}  // namespace hone::analysis
