#include "analysis/AddressForms.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "affine/Delinearize.h"

namespace hone::analysis {

using namespace affine;

namespace {

// At the top of a sum alone: inside quotients everything stays as it is.
Poly replacedAtTop(const Poly& value, AtomId what, const Poly& by) {
  Poly out;
  for (const auto& [monomial, factor] : value.terms()) {
    Poly product(factor);
    for (const AtomId id : monomial) product = product * (id == what ? by : Poly::atom(id));
    out += product;
  }
  return out;
}

}  // namespace

AddressForms::AddressForms(const KernelModel& kernelModel) : model(kernelModel), atoms(*kernelModel.atoms) {
  findDigits();
}

bool AddressForms::isCoordinate(AtomId id) const {
  const Atom& atom = atoms[id];
  switch (atom.kind) {
    case AtomKind::Thread: return model.block[atom.axis] > 1;
    case AtomKind::Block:
    case AtomKind::Loop: return true;
    case AtomKind::Symbol: return digits.contains(id);
    default: return !atoms.isLaunchUniform(Poly::atom(id));
  }
}

// Quotients whose addresses are asked about: those of one value behind each other, the smallest divisor
// first.
std::vector<AtomId> AddressForms::quotientsInOrder() const {
  std::set<AtomId> quotients;
  for (const Access& access : model.accesses)
    if (access.isResolved())
      atoms.forEachAtom(access.address, [&](AtomId id) {
        if (atoms[id].kind == AtomKind::Div && atoms.isLaunchUniform(atoms[id].divisor)) quotients.insert(id);
      });
  std::map<Poly, AtomId> firstOf;
  for (const AtomId q : quotients) firstOf.try_emplace(atoms[q].value, q);
  std::vector<AtomId> out(quotients.begin(), quotients.end());
  // Values that hold quotients themselves were made after these.
  std::ranges::sort(out, {}, [&](AtomId q) {
    const Poly& divisor = atoms[q].divisor;
    return std::tuple(firstOf.at(atoms[q].value), divisor.degree(), divisor.content(), q);
  });
  return out;
}

// i / c and i % c: i = c * (i / c) + (i % c), with the remainder as a coordinate of its own. Where i / d is
// asked for as well and d = m * c, i / c = m * (i / d) + (i / c) % m.
void AddressForms::findDigits() {
  std::vector<AtomId> done;
  for (const AtomId q : quotientsInOrder()) {
    const Poly divisor = atoms[q].divisor;
    std::optional<AtomId> pivot;
    Poly times = divisor, value;
    for (const AtomId before : done) {
      const Quotient parts = divide(divisor, atoms[before].divisor);
      if (atoms[before].value != atoms[q].value || !parts.rest.isZero()) continue;
      pivot = before, times = parts.quotient, value = Poly::atom(before);
    }
    if (!pivot) {
      value = inDigits(atoms[q].value);
      for (const auto& [monomial, factor] : value.terms()) {
        if (monomial.size() != 1 || factor != 1 || !isCoordinate(monomial[0])) continue;
        const AtomKind kind = atoms[monomial[0]].kind;
        if (kind == AtomKind::Block || kind == AtomKind::Opaque || monomial[0] == q) continue;
        if (!pivot || atoms[*pivot].kind == AtomKind::Loop) pivot = monomial[0];
      }
    }
    if (!pivot) continue;
    const int64_t most = times.constant().value_or(INT64_MAX);
    const Poly digit = atoms.helper(fmt::format("({}) % {}", atoms.str(value), atoms.str(times)), nullptr, 0,
                                    most == INT64_MAX ? most : most - 1);
    digits[digit.atoms().front()] = *pivot;
    if (!digits.contains(q)) digits[q] = *pivot;
    steps.emplace_back(*pivot, Poly::atom(*pivot) - value + times * Poly::atom(q) + digit);
    done.push_back(q);
  }
}

Poly AddressForms::inDigits(Poly value) {
  for (const auto& [atom, by] : steps) value = replacedAtTop(value, atom, by);
  return value;
}

// Of two values by a condition the one that most threads have: a border's is the same for many of them.
Poly AddressForms::withoutChoices(const Poly& value, bool& isClear) {
  Poly out = value;
  for (bool changed = true; changed;) {
    changed = false;
    for (const AtomId id : out.atoms()) {
      const Atom& atom = atoms[id];
      if (atom.kind != AtomKind::Choice || atoms.isLaunchUniform(Poly::atom(id))) continue;
      const bool yes = !atoms.isLaunchUniform(atom.yes), no = !atoms.isLaunchUniform(atom.no);
      if (yes && no && !atoms.isLaunchUniform(atom.yes - atom.no)) {
        // One inside the other: min(max(x, 0), n).
        isClear = false;
        return out;
      }
      out = replacedAtTop(out, id, yes ? atom.yes : atom.no);
      changed = true;
      break;
    }
  }
  return out;
}

const AddressForm& AddressForms::of(AccessId id) {
  const auto at = known.find(id);
  if (at != known.end()) return at->second;
  AddressForm& form = known[id];
  const Access& access = model.accesses[id];
  if (!access.isResolved()) {
    form.reason = access.reason;
    return form;
  }
  try {
    bool isClear = true;
    const Poly address = inDigits(withoutChoices(access.address, isClear));
    form.reason = isClear ? "" : "it is one of two elements, by a condition";
    for (const auto& [monomial, factor] : address.terms()) {
      std::optional<AtomId> coordinate;
      Poly rest(factor);
      for (const AtomId atom : monomial) {
        if (!isCoordinate(atom)) {
          rest = rest * Poly::atom(atom);
          continue;
        }
        const AtomKind kind = atoms[atom].kind;
        const bool isNoSum = kind == AtomKind::Opaque || kind == AtomKind::Bits || kind == AtomKind::Choice;
        if (coordinate || (isNoSum && !isSameForAllThreads(atom)))
          form.reason = "its subscript is no sum of coordinates";
        coordinate = atom;
      }
      if (coordinate)
        form.strides[*coordinate] += rest;
      else
        form.base += rest;
    }
    std::erase_if(form.strides, [](const auto& one) { return one.second.isZero(); });
    form.isLinear = form.reason.empty();
  } catch (const TooLarge&) {
    form.reason = "numbers that outgrow 64 bits";
  }
  if (!form.isLinear) form.strides.clear(), form.base = Poly();
  return form;
}

std::set<AtomId> AddressForms::coordinatesOf(const CondPtr& cond) {
  std::set<AtomId> out;
  atoms.forEachAtom(cond, [&](AtomId id) {
    if (!isCoordinate(id)) return;
    for (const AtomId part : inDigits(Poly::atom(id)).atoms())
      if (isCoordinate(part)) out.insert(part);
  });
  return out;
}

// It may still change from one iteration to the next.
bool AddressForms::isSameForAllThreads(AtomId id) const {
  const Variation varies = atoms.variation(Poly::atom(id));
  return varies.isUniform() && !varies.blockAxes;
}

bool AddressForms::isLoop(AtomId coordinate, uint64_t loops) const {
  const Atom& atom = atoms[coordinate];
  if (const auto from = digits.find(coordinate); from != digits.end() && from->second != coordinate)
    return isLoop(from->second, loops);
  return atom.kind == AtomKind::Loop && (loops & loopBit(atom.loop));
}

bool AddressForms::isOfThreads(AtomId coordinate) const {
  if (const auto from = digits.find(coordinate); from != digits.end() && from->second != coordinate)
    return isOfThreads(from->second);
  return atoms[coordinate].kind == AtomKind::Thread;
}

std::optional<int> compareStrides(const Poly& a, const Poly& b) {
  if (a == b || a == Poly() - b) return 0;
  if (a.constant() && b.constant()) {
    const int64_t x = std::abs(*a.constant()), y = std::abs(*b.constant());
    return x < y ? -1 : x > y ? 1 : 0;
  }
  // Sizes are larger than numbers: what has all factors of the other and more is the longer one.
  const auto longestOf = [](const Poly& p) {
    std::pair<Monomial, int64_t> most;
    for (const auto& [monomial, factor] : p.terms())
      if (monomial.size() >= most.first.size()) most = {monomial, std::abs(factor)};
    return most;
  };
  const auto [x, timesX] = longestOf(a);
  const auto [y, timesY] = longestOf(b);
  if (x == y && timesX != timesY) return timesX < timesY ? -1 : 1;
  if (x.size() < y.size() && std::ranges::includes(y, x)) return -1;
  if (y.size() < x.size() && std::ranges::includes(x, y)) return 1;
  return std::nullopt;
}

}  // namespace hone::analysis
