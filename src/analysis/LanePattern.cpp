#include "analysis/LanePattern.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "target/CountSectors.h"

namespace hone::analysis {

using affine::Atom;
using affine::AtomId;
using affine::AtomKind;
using affine::CondKind;
using affine::CondPtr;
using affine::Poly;

std::string loopName(const affine::KernelModel& model, affine::LoopId loop) {
  return model.atoms->str(model.atoms->loop(loop));
}

namespace {

constexpr unsigned mostCases = 64;   // of one warp
constexpr unsigned mostInAll = 256;  // of all warps of a block

struct LaneAddresses {
  uint32_t mask = 0;
  std::array<Poly, target::warpLanes> symbolic;  // beside the numbers
  std::array<int64_t, target::warpLanes> number{};
};

std::vector<LaneGroup> groupsOf(const LaneAddresses& lanes) {
  std::vector<LaneGroup> groups;
  std::vector<const Poly*> symbolic;
  std::vector<int64_t> base;
  for (uint32_t left = lanes.mask; left; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    size_t g = 0;
    while (g < groups.size() && *symbolic[g] != lanes.symbolic[lane]) ++g;
    if (g == groups.size()) {
      groups.push_back({});
      groups[g].start = lanes.symbolic[lane] + Poly(lanes.number[lane]);
      symbolic.push_back(&lanes.symbolic[lane]);
      base.push_back(lanes.number[lane]);
    }
    groups[g].mask |= uint32_t(1) << lane;
    groups[g].offset[lane] = lanes.number[lane] - base[g];
  }
  return groups;
}

// Puts the numbers of the symbolic parts with the numbers.
void normalize(LaneAddresses& lanes) {
  for (uint32_t left = lanes.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const int64_t constant = lanes.symbolic[lane].constantPart();
    if (!constant) continue;
    lanes.symbolic[lane] -= Poly(constant);
    lanes.number[lane] = affine::checkedAdd(lanes.number[lane], constant);
  }
}

struct Case {
  affine::Atoms::Substitution values;
  std::string when;
};

// One unknown and what it may be replaced by, one after the other.
struct Alternatives {
  AtomId id = 0;
  std::vector<Case> cases;
};

// Where quotients, choices and bit operations of values that are the same for all lanes keep lanes apart, a
// few cases often tell how.
class CaseFinder {
 public:
  CaseFinder(const affine::KernelModel& m) : model(m), atoms(*m.atoms) {}

  std::vector<Case> find(const std::vector<LaneGroup>& groups) {
    for (size_t g = 1; g < groups.size() && isPossible; ++g) {
      const Poly difference = groups[g].start - groups[0].start;
      atoms.forEachAtom(difference, [&](AtomId id) { look(id); });
    }
    std::vector<Case> all{{}};
    if (!isPossible) return all;
    std::vector<Alternatives> alternatives;
    for (AtomId id : choices) alternatives.push_back(arms(id));
    for (const auto& [id, values] : enumerated) {
      alternatives.push_back(values);
      periods.erase(id);
    }
    for (const auto& [id, period] : periods) alternatives.push_back(classes(id, period));
    size_t count = 1;
    for (const Alternatives& a : alternatives) count *= a.cases.size();
    if (count > mostCases || count * ((model.threads() + 31) / 32) > mostInAll) return all;
    for (const Alternatives& a : alternatives) {
      std::vector<Case> next;
      for (const Case& before : all)
        for (const Case& one : a.cases) {
          Case both = before;
          both.values.insert(one.values.begin(), one.values.end());
          both.when += both.when.empty() ? one.when : ", " + one.when;
          next.push_back(std::move(both));
        }
      all = std::move(next);
    }
    return all;
  }

 private:
  void look(AtomId id) {
    const Atom& atom = atoms[id];
    if (atom.kind == AtomKind::Choice) {
      choices.insert(id);
      isPossible = isPossible && choices.size() <= 4;
    }
    if (atom.kind == AtomKind::Div) periodic(atom);
    if (atom.kind == AtomKind::Bits) small(atom);
  }

  void periodic(const Atom& atom) {
    const std::optional<int64_t> divisor = atom.divisor.constant();
    if (!divisor || *divisor > mostCases) return;
    for (const auto& [monomial, factor] : atom.value.terms()) {
      if (monomial.empty() || factor % *divisor == 0) continue;
      const Atom& u = atoms[monomial[0]];
      const bool isPlain =
          u.kind == AtomKind::Block || u.kind == AtomKind::Loop || u.kind == AtomKind::Symbol;
      const affine::Range range = atoms.range(Poly::atom(monomial[0]));
      // P*u + r must reach every value with u in the old range.
      if (monomial.size() != 1 || !isPlain || range.low > 0) continue;
      int64_t& period = periods.try_emplace(monomial[0], 1).first->second;
      period = std::lcm(period, *divisor / std::gcd(factor, *divisor));
      isPossible = isPossible && period <= mostCases;
    }
  }

  void small(const Atom& atom) {
    std::set<AtomId> below;
    atoms.forEachAtom(atom.value, [&](AtomId id) { below.insert(id); });
    atoms.forEachAtom(atom.divisor, [&](AtomId id) { below.insert(id); });
    for (AtomId id : below) {
      const affine::Range range = atoms.range(Poly::atom(id));
      const bool isPlain = atoms[id].kind == AtomKind::Block || atoms[id].kind == AtomKind::Loop ||
                           atoms[id].kind == AtomKind::Symbol;
      if (!isPlain || range.low == INT64_MIN || range.high == INT64_MAX ||
          range.high - range.low >= mostCases)
        continue;
      Alternatives out{id, {}};
      std::vector<int64_t> values;
      if (atoms[id].kind == AtomKind::Loop && !model.loops[atoms[id].loop].values.empty())
        values = model.loops[atoms[id].loop].values;
      else
        for (int64_t v = range.low; v <= range.high; ++v) values.push_back(v);
      for (int64_t v : values)
        out.cases.push_back({{{id, Poly(v)}}, atoms.str(Poly::atom(id)) + " == " + std::to_string(v)});
      enumerated[id] = std::move(out);
    }
  }

  Alternatives arms(AtomId id) const {
    const Atom& atom = atoms[id];
    return {
        id,
        {{{{id, atom.yes}}, atoms.str(atom.cond)}, {{{id, atom.no}}, "not (" + atoms.str(atom.cond) + ")"}}};
  }

  Alternatives classes(AtomId id, int64_t period) const {
    Alternatives out{id, {}};
    const std::string name = atoms.str(Poly::atom(id));
    for (int64_t r = 0; r < period; ++r)
      out.cases.push_back({{{id, Poly::atom(id, period) + Poly(r)}},
                           name + " % " + std::to_string(period) + " == " + std::to_string(r)});
    return out;
  }

  const affine::KernelModel& model;
  affine::Atoms& atoms;
  bool isPossible = true;
  std::set<AtomId> choices;
  std::map<AtomId, int64_t> periods;
  std::map<AtomId, Alternatives> enumerated;
};

// Which lanes a guard or loop keeps out, and whether some of a warp may go another way than others.
class Guards {
 public:
  Guards(const affine::KernelModel& m, const affine::Access& a, PerThread& p) : model(m), perThread(p) {
    add(a.guard, "the guard " + (a.guard ? m.atoms->str(a.guard) : ""));
    for (affine::LoopId loop : a.loops) {
      const affine::Loop& l = m.loops[loop];
      add(l.runs, "the end of loop " + loopName(m, loop));
      if (l.exactness != affine::Exactness::Exact && why.empty())
        why = l.inexact.empty() ? "loop " + loopName(m, loop) : l.inexact;
    }
    if (a.exactness == affine::Exactness::Over && why.empty()) why = a.reason;
    isAlwaysPartial = !why.empty();
  }

  // Removes lanes from the mask; true when the rest may still be cut.
  bool apply(unsigned warp, uint32_t& mask) {
    bool isPartial = isAlwaysPartial;
    for (auto& [cond, name] : varying) {
      const ThreadCond::State* first = nullptr;
      bool isSame = true;
      for (uint32_t left = mask; left; left &= left - 1) {
        const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
        const ThreadCond::State& one = cond->at(warp * target::warpLanes + lane);
        if (one.decided == false) {
          mask &= ~(uint32_t(1) << lane);
          continue;
        }
        if (!first)
          first = &one;
        else
          isSame = isSame && *first == one;
      }
      if (isSame) continue;
      isPartial = true;
      if (why.empty()) why = name;
    }
    return isPartial;
  }

  std::string why;

 private:
  void add(const CondPtr& cond, std::string name) {
    if (cond && mayDiffer(*model.atoms, cond))
      varying.emplace_back(&perThread.condition(cond), std::move(name));
  }

  const affine::KernelModel& model;
  PerThread& perThread;
  std::vector<std::pair<ThreadCond*, std::string>> varying;
  bool isAlwaysPartial = false;
};

// Lanes of one iteration have one counter, unless they step differently or begin at different ones of a list.
std::string unevenLoop(const affine::KernelModel& model, const affine::Access& access) {
  for (affine::LoopId loop : access.loops) {
    const affine::Loop& l = model.loops[loop];
    const bool isUneven = l.values.empty() ? !model.atoms->variation(l.step).isUniform()
                                           : l.runs && mayDiffer(*model.atoms, l.runs);
    if (isUneven) return "threads go through loop " + loopName(model, loop) + " in different steps";
  }
  return {};
}

LanePattern findPattern(PerThread& perThread, const affine::Access& access, const Poly& address) {
  LanePattern out;
  const affine::KernelModel& model = perThread.model;
  affine::Atoms& atoms = *model.atoms;
  Guards guards(model, access, perThread);
  out.unknown = unevenLoop(model, access);
  if (out.unknown.empty())
    if (const Atom* unrelated = perThread.unrelated(address))
      out.unknown = unrelated->kind == AtomKind::Opaque ? unrelated->reason : unknownReason(unrelated->cond);
  if (out.unknown.empty() && access.array.isNone())
    out.unknown = access.reason.empty() ? "which memory is not known" : access.reason;

  ThreadValue value(perThread, address);
  const unsigned threads = model.threads();
  for (unsigned first = 0; first < threads; first += target::warpLanes) {
    WarpPattern pattern;
    pattern.warp = first / target::warpLanes;
    const unsigned count = std::min(target::warpLanes, threads - first);
    pattern.mask = count == 32 ? ~uint32_t(0) : (uint32_t(1) << count) - 1;
    pattern.partial = guards.apply(pattern.warp, pattern.mask);
    if (!pattern.mask) continue;
    if (!out.unknown.empty()) {
      out.warps.push_back(std::move(pattern));
      continue;
    }
    LaneAddresses lanes;
    lanes.mask = pattern.mask;
    for (uint32_t left = pattern.mask; left; left &= left - 1) {
      const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
      const PerThread::Value v = value.at(first + lane);
      lanes.number[lane] = v.number;
      lanes.symbolic[lane] = perThread.symbolic(v.symbolic);
    }
    pattern.groups = groupsOf(lanes);
    if (pattern.isKnown()) {
      out.warps.push_back(std::move(pattern));
      continue;
    }
    for (const Case& one : CaseFinder(model).find(pattern.groups)) {
      WarpPattern inCase = pattern;
      if (!one.values.empty()) {
        LaneAddresses replaced = lanes;
        for (uint32_t left = pattern.mask; left; left &= left - 1) {
          const int lane = std::countr_zero(left);
          replaced.symbolic[lane] = atoms.substitute(lanes.symbolic[lane], one.values);
        }
        normalize(replaced);
        inCase.groups = groupsOf(replaced);
        inCase.when = one.when;
      }
      out.warps.push_back(std::move(inCase));
    }
  }
  out.partial = guards.why;
  return out;
}

}  // namespace

LanePattern lanePattern(PerThread& perThread, const affine::Access& access) {
  return lanePattern(perThread, access, access.address);
}

LanePattern lanePattern(PerThread& perThread, const affine::Access& access, const Poly& address) {
  try {
    return findPattern(perThread, access, address);
  } catch (const affine::TooLarge& e) {
    LanePattern out;
    out.unknown = e.what();
    return out;
  }
}
std::optional<unsigned> Residues::only() const {
  if (can.count() != 1) return std::nullopt;
  return static_cast<unsigned>(can._Find_first());
}

namespace {

// The values of a product of unknowns times a factor, modulo.
std::bitset<256> residuesOf(const affine::KernelModel& model, const affine::Monomial& monomial,
                            int64_t factor, unsigned modulus) {
  std::bitset<256> out;
  const affine::Atoms& atoms = *model.atoms;
  auto put = [&](int64_t value) { out.set(static_cast<size_t>(affine::floorMod(value, modulus))); };
  int64_t step = affine::floorMod(factor, modulus);
  for (AtomId id : monomial) {
    const Atom& atom = atoms[id];
    if (atom.kind != AtomKind::Loop) continue;
    const affine::Loop& loop = model.loops[atom.loop];
    if (loop.byDistance)
      step = affine::floorMod(step * affine::floorMod(loop.step.content(), modulus), modulus);
    if (!loop.values.empty() && monomial.size() == 1) {
      for (int64_t v : loop.values) put(affine::floorMod(v, modulus) * step);
      return out;
    }
  }
  const affine::Range range = monomial.size() == 1 ? atoms.range(Poly::atom(monomial[0])) : affine::Range{};
  const bool isFew = range.low != INT64_MIN && range.high != INT64_MAX &&
                     static_cast<uint64_t>(range.high) - static_cast<uint64_t>(range.low) < modulus;
  const bool isDistance = monomial.size() == 1 && atoms[monomial[0]].kind == AtomKind::Loop &&
                          model.loops[atoms[monomial[0]].loop].byDistance;
  if (isFew && !isDistance) {
    for (int64_t v = range.low; v <= range.high; ++v) put(affine::floorMod(v, modulus) * step);
    return out;
  }
  const int64_t unit = std::gcd(step, int64_t(modulus));
  for (int64_t v = 0; v < modulus; v += unit) put(v);
  return out;
}

}  // namespace

Residues residues(const affine::KernelModel& model, const Poly& value, unsigned modulus) {
  Residues out;
  out.modulus = modulus;
  out.can.set(static_cast<size_t>(affine::floorMod(value.constantPart(), modulus)));
  for (const auto& [monomial, factor] : value.terms()) {
    if (monomial.empty()) continue;
    const std::bitset<256> added = residuesOf(model, monomial, factor, modulus);
    if (added.count() > 1) {
      Poly product;
      product.add(monomial, 1);
      std::string name = monomial.size() == 1 ? describeAtom(model, monomial[0]) : model.atoms->str(product);
      if (std::find(out.dependsOn.begin(), out.dependsOn.end(), name) == out.dependsOn.end())
        out.dependsOn.push_back(std::move(name));
    }
    std::bitset<256> sum;
    for (unsigned by = 0; by < modulus; ++by)
      if (added[by]) sum |= out.can << by | out.can >> (modulus - by);
    for (unsigned beyond = modulus; beyond < 256; ++beyond) sum.reset(beyond);
    out.can = sum;
  }
  return out;
}

std::string unknownDistance(const affine::KernelModel& model, const WarpPattern& warp) {
  for (size_t g = 1; g < warp.groups.size(); ++g)
    for (AtomId id : (warp.groups[g].start - warp.groups[0].start).atoms()) {
      const Atom& atom = (*model.atoms)[id];
      if (atom.kind == AtomKind::Opaque) return atom.reason.empty() ? describeAtom(model, id) : atom.reason;
    }
  return {};
}

std::string describeDistances(const affine::KernelModel& model, const WarpPattern& warp) {
  if (std::string unknown = unknownDistance(model, warp); !unknown.empty()) return unknown;
  std::set<std::string> names;
  for (size_t g = 1; g < warp.groups.size() && names.size() < 2; ++g)
    for (AtomId id : (warp.groups[g].start - warp.groups[0].start).atoms())
      if (names.size() < 2) names.insert(describeAtom(model, id));
  std::string out = "distances of lanes depend on";
  for (const std::string& name : names) out += (name == *names.begin() ? " " : ", ") + name;
  return out;
}

std::string describeAtom(const affine::KernelModel& model, AtomId id) {
  const Atom& atom = (*model.atoms)[id];
  if (atom.kind == AtomKind::Loop) return "loop " + loopName(model, atom.loop);
  if (atom.kind == AtomKind::Opaque) return atom.name.substr(0, atom.name.find('@'));
  return model.atoms->str(Poly::atom(id));
}

unsigned accessAlignment(const affine::KernelModel& model, const affine::Access& access) {
  const unsigned own = 1u << std::min(4, std::countr_zero(std::max(1u, access.bytes)));
  const ir::ExprPtr& place = access.whole ? access.whole : access.place;
  if (!place || !place->type) return own;
  const bool isOpenCL = model.kernel && model.kernel->language == ir::Language::OpenCL;
  const uint64_t align = ir::alignOf(*place->type, isOpenCL);
  return align ? static_cast<unsigned>(std::min<uint64_t>(align, own)) : own;
}

std::string whyNotCountable(const affine::KernelModel& model, const affine::Access& access) {
  auto orElse = [](const std::string& reason) {
    return reason.empty() ? std::string("not resolved") : reason;
  };
  if (!access.isResolved() || access.exactness != affine::Exactness::Exact) return orElse(access.reason);
  for (affine::LoopId loop : access.loops)
    if (model.loops[loop].exactness != affine::Exactness::Exact) return orElse(model.loops[loop].inexact);
  return {};
}

}  // namespace hone::analysis
