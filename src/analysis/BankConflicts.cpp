#include "analysis/BankConflicts.h"

#include <bit>
#include <set>

#include "analysis/ArrayStart.h"
#include "analysis/BlockClasses.h"
#include "ir/intrinsics/Intrinsics.h"
#include "target/CountSectors.h"

namespace hone::analysis {

using affine::Poly;
using target::SharedAtomic;

namespace {

using Offsets = std::array<uint64_t, 32>;

// One execution, in the pieces that the machine moves at once.
class Counter {
 public:
  Counter(const affine::Access& a, const target::BankRules& r) : access(a), rules(r), how(sharedAtomic(a)) {}

  Passes count(const Offsets& offset, uint32_t mask) const {
    Passes out;
    uint64_t alignment = access.bytes | access.unit;
    for (uint32_t left = mask; left; left &= left - 1) alignment |= offset[std::countr_zero(left)];
    target::forEachPiece(access.bytes, alignment, [&](unsigned at, unsigned bytes) {
      Offsets moved;
      for (unsigned lane = 0; lane < 32; ++lane) moved[lane] = offset[lane] + at;
      ++out.requests;
      out.wavefronts += access.atomic ? target::countAtomicWavefronts(moved.data(), mask, bytes, how, rules)
                                      : target::countWavefronts(moved.data(), mask, bytes, isLoad(), rules);
      out.least += target::leastWavefronts(moved.data(), mask, bytes, isLoad(), rules);
    });
    return out;
  }

  bool isLoad() const { return !access.atomic && access.mode == ir::AccessMode::Read; }

  // The most that lanes at any distance can take.
  unsigned worst(unsigned lanes) const {
    if (access.atomic && how == SharedAtomic::Loop)
      return lanes * (lanes * std::max(1u, access.bytes / 4) + 2);
    return lanes * std::max(1u, access.bytes / rules.bankBytes) * (access.atomic ? 2 : 1);
  }

 private:
  const affine::Access& access;
  const target::BankRules& rules;
  SharedAtomic how;
};

Offsets offsetsOf(const LaneGroup& group, unsigned residue) {
  Offsets out{};
  for (uint32_t left = group.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    out[lane] = arrayStart + residue + static_cast<uint64_t>(group.offset[lane]);
  }
  return out;
}

std::vector<unsigned> startsOf(const affine::KernelModel& model, const affine::Access& access,
                               const Poly& start, const target::BankRules& rules) {
  std::vector<unsigned> out;
  // Where a row is all banks once, moving all lanes by whole words turns the banks round and changes nothing
  // else.
  const unsigned modulus =
      rules.rowBytes == rules.banks * rules.bankBytes ? std::max(16u, rules.bankBytes) : 256;
  const Residues r = residues(model, start, modulus);
  const unsigned alignment = accessAlignment(model, access);
  for (unsigned i = 0; i < r.modulus; ++i)
    if (r.can[i] && i % alignment == 0) out.push_back(i);
  if (out.empty())
    for (unsigned i = 0; i < r.modulus; ++i)
      if (r.can[i]) out.push_back(i);
  return out;
}

// Bytes from lane to lane, when they are evenly spaced.
std::optional<int64_t> strideOf(const LaneGroup& group) {
  std::optional<int64_t> stride;
  const int first = std::countr_zero(group.mask);
  for (uint32_t left = group.mask & (group.mask - 1); left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (!stride && group.offset[lane] % (lane - first)) return std::nullopt;
    if (!stride) stride = group.offset[lane] / (lane - first);
    if (group.offset[lane] != *stride * (lane - first)) return std::nullopt;
  }
  return stride;
}

std::string reasonOf(const affine::Access& access, const WarpPattern& warp, unsigned degree,
                     const target::BankRules& rules) {
  const unsigned lanes = static_cast<unsigned>(std::popcount(warp.mask));
  const std::string share = std::to_string(degree);
  if (access.atomic) return "an atomic: up to " + share + " passes for each that would do";
  if (const std::optional<int64_t> stride = strideOf(warp.groups[0])) {
    const std::string distance = *stride % rules.bankBytes
                                     ? std::to_string(*stride) + " bytes"
                                     : std::to_string(*stride / int64_t(rules.bankBytes)) + " words";
    return "stride " + distance + ": " +
           (degree >= lanes ? "all lanes in one bank" : share + " lanes to a bank");
  }
  return "up to " + share + " words of one bank";
}

}  // namespace

SharedAtomic sharedAtomic(const affine::Access& access) {
  const ir::ExprPtr& place = access.whole ? access.whole : access.place;
  const ir::Type* type = place ? place->type.get() : nullptr;
  const bool isLoop = type && (type->isFloating() || type->bits == 64);
  const ir::ExprPtr* value = nullptr;
  bool isUsed = true;
  if (access.stmt) {
    if (const auto* eval = access.stmt->as<ir::Eval>()) value = &eval->call, isUsed = false;
    if (const auto* declare = access.stmt->as<ir::Declare>()) value = &declare->init;
    if (const auto* assign = access.stmt->as<ir::Assign>()) value = &assign->value;
  }
  const ir::Expr* expr = value ? value->get() : nullptr;
  while (expr && expr->as<ir::Cast>()) expr = expr->as<ir::Cast>()->operand.get();
  const ir::Call* call = expr ? expr->as<ir::Call>() : nullptr;
  if (!call || !call->intrinsic) return isLoop ? SharedAtomic::Loop : SharedAtomic::Native;
  const ir::AtomicKind kind = call->intrinsic->traits.atomic;
  if (kind == ir::AtomicKind::CompareExchange || kind == ir::AtomicKind::CompareExchangeInPlace)
    return SharedAtomic::Compare;
  if (kind == ir::AtomicKind::Exchange || kind == ir::AtomicKind::Load || kind == ir::AtomicKind::Store)
    return SharedAtomic::Native;
  bool isOne = kind == ir::AtomicKind::Increment;
  if (kind == ir::AtomicKind::Add && call->args.size() > 1) {
    const ir::Expr* added = call->args[1].get();
    while (added->as<ir::Cast>()) added = added->as<ir::Cast>()->operand.get();
    const auto* literal = added->as<ir::IntLiteral>();
    isOne = literal && literal->value == 1;
  }
  if (isOne && !isUsed && !isLoop) return SharedAtomic::Increment;
  return isLoop ? SharedAtomic::Loop : SharedAtomic::Native;
}

BankConflicts bankConflicts(PerThread& perThread, const affine::Access& access, const Poly& address,
                            const target::BankRules& rules) {
  const affine::KernelModel& model = perThread.model;
  BankConflicts out;
  out.requirements = access.requirements;
  const LanePattern pattern = lanePattern(perThread, access, address);
  auto unknown = [&](std::string why) {
    out.inexact = out.reason = std::move(why);
    return out;
  };
  if (!pattern.unknown.empty()) return unknown(pattern.unknown);
  if (!access.bytes) return unknown("how much it moves is not known");
  if (pattern.warps.empty()) return unknown("no thread of the block does it");
  const Counter counter(access, rules);
  bool isOne = true, isKnown = true;
  std::set<std::pair<uint32_t, std::pair<std::array<int64_t, 32>, std::vector<unsigned>>>> seen;
  for (const WarpPattern& warp : pattern.warps) {
    if (warp.isKnown() && warp.when.empty() &&
        !seen.insert(
                 {warp.mask, {warp.groups[0].offset, startsOf(model, access, warp.groups[0].start, rules)}})
             .second)
      continue;
    const unsigned lanes = static_cast<unsigned>(std::popcount(warp.mask));
    Span wavefronts, least, requests;
    if (warp.isKnown()) {
      for (unsigned residue : startsOf(model, access, warp.groups[0].start, rules)) {
        const Passes p = counter.count(offsetsOf(warp.groups[0], residue), warp.mask);
        include(wavefronts, p.wavefronts);
        include(least, p.least);
        include(requests, p.requests);
        const unsigned degree = (p.wavefronts + p.least - 1) / p.least;
        if (degree <= out.degree) continue;
        out.degree = degree;
        if (degree > 1) out.reason = reasonOf(access, warp, degree, rules);
      }
    } else {
      isKnown = false;
      unsigned atLeast = 1;
      for (const LaneGroup& group : warp.groups) {
        Span one;
        for (unsigned residue : startsOf(model, access, group.start, rules)) {
          const Passes p = counter.count(offsetsOf(group, residue), group.mask);
          include(one, p.wavefronts);
          include(least, p.least);
          include(requests, p.requests);
        }
        atLeast = std::max(atLeast, one.min);
      }
      wavefronts = {atLeast, std::max(atLeast, counter.worst(lanes))};
      least.max = std::max(least.max, counter.worst(lanes));
      requests.max = std::max(requests.max, access.bytes);
      out.reason = describeDistances(model, warp);
    }
    isOne = isOne && wavefronts.isOne() && least.isOne() && requests.isOne() &&
            (warp.when.empty() || wavefronts == out.wavefronts || out.wavefronts.max == 0);
    include(out.wavefronts, wavefronts);
    include(out.least, least);
    include(out.requests, requests);
  }
  if (!isKnown) out.degree = 0;
  out.exactness = isOne && pattern.partial.empty() ? affine::Exactness::Exact : affine::Exactness::Over;
  if (!pattern.partial.empty())
    out.inexact = pattern.partial + " may switch off a part of a warp";
  else if (!isOne)
    out.inexact = out.reason.empty() ? "differs from request to request" : out.reason;
  return out;
}

BankConflicts bankConflicts(PerThread& perThread, const affine::Access& access,
                            const target::BankRules& rules, uint64_t start) {
  return bankConflicts(perThread, access, access.address + Poly(static_cast<int64_t>(start)), rules);
}

Passes countPasses(const affine::Access& access, const std::array<uint64_t, 32>& offset, uint32_t mask,
                   const target::BankRules& rules) {
  return Counter(access, rules).count(offset, mask);
}

BankTotals bankTotals(const affine::KernelModel& model, const affine::Access& access,
                      const affine::Launch& launch, const target::BankRules& rules, uint64_t start,
                      uint64_t limit) {
  BankTotals totals;
  totals.unknown = whyNotCountable(model, access);
  if (!totals.unknown.empty()) return totals;
  const Counter counter(access, rules);
  const bool isDone = forEachRequestOfClasses(
      model, access, launch, limit, [&](const affine::WarpRequest& r, uint64_t blocks) {
        Offsets offset;
        for (unsigned lane = 0; lane < 32; ++lane)
          offset[lane] = arrayStart + start + static_cast<uint64_t>(r.address[lane]);
        const Passes p = counter.count(offset, r.mask);
        totals.requests += p.requests * blocks;
        totals.lanes += static_cast<unsigned>(std::popcount(r.mask)) * blocks;
        totals.wavefronts += p.wavefronts * blocks;
        totals.leastWavefronts += p.least * blocks;
      });
  if (!isDone) totals = {};
  totals.known = isDone;
  if (!isDone)
    totals.unknown = "a value it depends on is not known, or there are too many executions to look at";
  return totals;
}

}  // namespace hone::analysis
