#include "affine/DigitSums.h"

#include <set>

#include "affine/Relation.h"

namespace hone::affine {

namespace {

// A coordinate, or the quotient or remainder of a counter by a number: 0 to count - 1, each value.
struct Digit {
  AtomId atom = 0;
  int64_t unit = 1;  // what it counts for in its coordinate
  AtomId quotient = 0;
  bool isQuotient = false;
  int64_t count = 1;
  std::vector<int64_t> factors;  // in each polynomial
};

class SumFinder {
 public:
  SumFinder(const KernelModel& kernel, const Access& what, const Variation& ownOnes, LoopId keptLoop)
      : model(kernel), atoms(*kernel.atoms), access(what), own(ownOnes), kept(keptLoop) {}

  DigitSums run(const std::vector<Poly>& subscripts) {
    polys = subscripts;
    if (access.guard) collect(access.guard);
    for (LoopId l : access.loops)
      if (!isCandidate(l) && model.loops[l].runs) collect(model.loops[l].runs);
    findBlocked();
    findDigits();
    return merged();
  }

 private:
  bool isCandidate(LoopId l) const {
    return l != kept && l.number() < 63 && (own.loops & loopBit(l)) &&
           model.loops[l].exactness == Exactness::Exact && iterationsOf(model.loops[l]);
  }

  void collect(const CondPtr& c) {
    if (c->kind == CondKind::AtLeast0 || c->kind == CondKind::Zero) polys.push_back(c->value);
    for (const CondPtr& part : c->parts) collect(part);
  }

  // counter / number, and nothing else.
  std::optional<std::pair<AtomId, int64_t>> quotientOf(const Atom& atom) const {
    if (atom.kind != AtomKind::Div) return std::nullopt;
    const auto by = atom.divisor.constant();
    const std::vector<AtomId> inside = atom.value.atoms();
    if (!by || *by < 2 || inside.size() != 1 || atom.value != Poly::atom(inside.front()) ||
        atoms[inside.front()].kind != AtomKind::Loop)
      return std::nullopt;
    return std::pair(inside.front(), *by);
  }

  // Coordinates that occur in products or inside other values stay what they are.
  void findBlocked() {
    for (const Poly& p : polys)
      for (const auto& [monomial, factor] : p.terms())
        for (AtomId id : monomial) {
          const auto quotient = quotientOf(atoms[id]);
          const bool isPlain = monomial.size() == 1;
          if (quotient && isPlain) {
            auto [known, isNew] = quotients.try_emplace(quotient->first, id, quotient->second);
            if (!isNew && known->second.first != id) blocked.insert(quotient->first);
            continue;
          }
          if (!isPlain) blocked.insert(id);
          const AtomKind kind = atoms[id].kind;
          if (!isPlain || kind == AtomKind::Div || kind == AtomKind::Choice || kind == AtomKind::Bits)
            atoms.forEachAtom(Poly::atom(id), [&](AtomId inner) {
              if (inner != id) blocked.insert(inner);
            });
        }
  }

  std::vector<int64_t> factorsOf(AtomId id) const {
    std::vector<int64_t> factors;
    for (const Poly& p : polys) {
      const auto at = p.terms().find(Monomial{id});
      factors.push_back(at == p.terms().end() ? 0 : at->second);
    }
    return factors;
  }

  void findDigits() {
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (model.block[axis] == 1 || !(own.threadAxes >> axis & 1)) continue;
      const AtomId id = atoms.thread(axis).atoms().front();
      if (!blocked.contains(id)) digits.push_back({id, 1, 0, false, model.block[axis], factorsOf(id)});
    }
    for (LoopId l : access.loops) {
      const AtomId id = model.loops[l].counter;
      if (!isCandidate(l) || blocked.contains(id)) continue;
      const int64_t iterations = *iterationsOf(model.loops[l]);
      const auto quotient = quotients.find(id);
      std::vector<int64_t> factors = factorsOf(id);
      if (quotient == quotients.end()) {
        digits.push_back({id, 1, 0, false, iterations, std::move(factors)});
      } else {
        const auto [atom, by] = quotient->second;
        if (iterations % by != 0) continue;
        std::vector<int64_t> ofQuotient = factorsOf(atom);
        for (size_t p = 0; p < polys.size(); ++p)
          ofQuotient[p] = checkedAdd(ofQuotient[p], checkedMul(by, factors[p]));
        digits.push_back({id, 1, 0, false, by, std::move(factors)});
        digits.push_back({id, by, atom, true, iterations / by, std::move(ofQuotient)});
      }
      loops.push_back(l);
    }
  }

  // a = k * b in every polynomial.
  static std::optional<int64_t> ratio(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
    std::optional<int64_t> k;
    for (size_t p = 0; p < a.size(); ++p) {
      if (a[p] == 0 && b[p] == 0) continue;
      if (a[p] == 0 || b[p] == 0 || a[p] % b[p] != 0 || (k && *k != a[p] / b[p])) return std::nullopt;
      k = a[p] / b[p];
    }
    return k;
  }

  DigitSums merged() {
    DigitSums out;
    std::vector<bool> isGone(digits.size());  // its share is in another digit's
    bool isSmaller = false;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t a = 0; a < digits.size() && !changed; ++a)
        for (size_t b = 0; b < digits.size() && !changed; ++b) {
          if (a == b || isGone[a] || isGone[b]) continue;
          const auto k = ratio(digits[a].factors, digits[b].factors);
          // k * a + b takes every value where b fills the steps of k.
          if (!k || *k < 1 || *k > digits[b].count) continue;
          digits[b].count = checkedAdd(checkedMul(*k, digits[a].count - 1), digits[b].count);
          isGone[a] = changed = isSmaller = true;
        }
    }
    if (!isSmaller) return out;
    for (size_t d = 0; d < digits.size(); ++d) {
      const Digit& digit = digits[d];
      auto& stand = out.stands[digit.atom];
      if (digit.isQuotient) out.stands[digit.quotient];
      if (isGone[d]) continue;
      out.counts.push_back(digit.count);
      stand.emplace_back(out.counts.size() - 1, digit.unit);
      if (digit.isQuotient) out.stands[digit.quotient].emplace_back(out.counts.size() - 1, 1);
    }
    out.loops = loops;
    return out;
  }

  const KernelModel& model;
  Atoms& atoms;
  const Access& access;
  const Variation& own;
  LoopId kept;
  std::vector<Poly> polys;
  std::map<AtomId, std::pair<AtomId, int64_t>> quotients;  // of counters: the one quotient that occurs
  std::set<AtomId> blocked;
  std::vector<Digit> digits;
  std::vector<LoopId> loops;
};

}  // namespace

std::optional<int64_t> iterationsOf(const Loop& loop) {
  if (!loop.values.empty() || loop.byDistance || !loop.runs || loop.runs->kind != CondKind::AtLeast0)
    return std::nullopt;
  const auto most = loop.runs->value.without(loop.counter).constant(),
             fall = loop.runs->value.coefficient(loop.counter).constant();
  if (!most || !fall || *fall >= 0 || *most < 0) return std::nullopt;
  return *most / -*fall + 1;
}

DigitSums digitSums(const KernelModel& model, const Access& access, const std::vector<Poly>& subscripts,
                    const Variation& own, LoopId kept) {
  return SumFinder(model, access, own, kept).run(subscripts);
}

}  // namespace hone::affine
