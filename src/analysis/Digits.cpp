#include "analysis/Digits.h"

#include <algorithm>

namespace hone::analysis {

using namespace affine;

namespace {

// i / c = p and i % c = q are i = c*p + q.
void joinRemainders(const Atoms& atoms, std::vector<Equation>& equations) {
  for (size_t a = 0; a < equations.size(); ++a)
    for (size_t b = 0; b < equations.size(); ++b) {
      if (a == b) continue;
      const std::vector<AtomId> ids = equations[a].sum.atoms();
      if (ids.size() != 1 || equations[a].sum != Poly::atom(ids[0])) continue;
      const Atom& quotient = atoms[ids[0]];
      if (quotient.kind != AtomKind::Div) continue;
      Equation joined{equations[b].sum + quotient.divisor * equations[a].sum,
                      equations[b].value + quotient.divisor * equations[a].value};
      if (joined.sum != quotient.value) continue;
      equations[a] = std::move(joined);
      equations.erase(equations.begin() + std::ptrdiff_t(b));
      return joinRemainders(atoms, equations);
    }
}

struct Digit {
  AtomId coordinate = 0;
  int64_t factor = 0, low = 0, high = 0;
  bool isBounded() const { return low != INT64_MIN && high != INT64_MAX; }
};

class Solver {
 public:
  Solver(Atoms& table, const std::vector<Coordinate>& coordinates) : atoms(table) {
    for (const Coordinate& c : coordinates) open[c.atom] = c.range;
  }

  std::map<AtomId, Poly> run(std::vector<Equation> equations) {
    joinRemainders(atoms, equations);
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (const Equation& e : equations) isChanged |= solve(e);
    }
    return solved;
  }

 private:
  bool isOpen(AtomId id) const { return open.count(id) != 0; }

  bool mentionsOpen(const Poly& p) const {
    bool found = false;
    atoms.forEachAtom(p, [&](AtomId id) { found |= isOpen(id); });
    return found;
  }

  bool solve(const Equation& equation) {
    Poly rest = atoms.substitute(equation.sum, solved);
    std::vector<Digit> digits;
    for (AtomId id : rest.atoms()) {
      if (!isOpen(id)) continue;
      auto factor = rest.coefficient(id).constant();
      if (!factor) return false;
      const Range& range = open.at(id);
      digits.push_back({id, *factor, range.low, range.high});
    }
    Poly left = equation.value;
    for (const Digit& d : digits) {
      rest -= Poly::atom(d.coordinate, d.factor);
      // Counted from the end from which the sum grows.
      const int64_t start = d.factor > 0 ? d.low : d.high;
      if (start == INT64_MIN || start == INT64_MAX) return false;
      left -= Poly(checkedMul(d.factor, start));
    }
    if (digits.empty() || mentionsOpen(rest)) return false;
    left -= rest;
    std::sort(digits.begin(), digits.end(),
              [](const Digit& a, const Digit& b) { return std::abs(a.factor) < std::abs(b.factor); });
    int64_t reach = 0;  // of the lower digits together
    for (size_t k = 0; k < digits.size(); ++k) {
      const Digit& d = digits[k];
      if (reach >= std::abs(d.factor)) return false;
      if (k + 1 == digits.size()) break;
      if (!d.isBounded()) return false;
      reach = checkedAdd(reach, checkedMul(std::abs(d.factor), d.high - d.low));
    }
    for (size_t k = digits.size(); k-- > 0;) {
      const Digit& d = digits[k];
      const int64_t by = std::abs(d.factor);
      const Poly digit = atoms.div(left, by);
      left -= digit * Poly(by);
      solved[d.coordinate] = d.factor > 0 ? Poly(d.low) + digit : Poly(d.high) - digit;
      open.erase(d.coordinate);
    }
    return true;
  }

  Atoms& atoms;
  std::map<AtomId, Range> open;
  std::map<AtomId, Poly> solved;
};

}  // namespace

std::map<AtomId, Poly> solveByDigits(Atoms& atoms, std::vector<Equation> equations,
                                     const std::vector<Coordinate>& coordinates) {
  try {
    return Solver(atoms, coordinates).run(std::move(equations));
  } catch (const TooLarge&) {
    return {};
  }
}

}  // namespace hone::analysis
