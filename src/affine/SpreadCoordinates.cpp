#include "affine/SpreadCoordinates.h"

#include <algorithm>

#include "affine/DigitSums.h"

namespace hone::affine {

namespace {

// factor * (0 to count - 1)
struct Term {
  AtomId atom = 0;
  int64_t factor = 0, count = 1;
};

// Whether the terms, divided by the least factor, count on without gaps, and blocks go on where the one
// before ended.
bool countsOn(std::vector<Term> inBlock, const Term& block) {
  const auto size = [](const Term& t) { return std::abs(t.factor); };
  std::sort(inBlock.begin(), inBlock.end(), [&](const Term& a, const Term& b) { return size(a) < size(b); });
  if (inBlock.empty()) return false;
  const int64_t unit = inBlock.front().factor;
  int64_t count = 1;
  for (const Term& term : inBlock) {
    const int64_t each = term.factor / unit;
    if (term.factor % unit != 0 || each < 1 || each > count) return false;
    count = checkedAdd(count, checkedMul(each, term.count - 1));
  }
  return block.factor == checkedMul(unit, count);
}

// How many values the counter of a loop takes that is to be unrolled, or a quotient of it. Others walk along
// rows.
std::optional<int64_t> countOf(const KernelModel& model, AtomId id) {
  const Atom& atom = (*model.atoms)[id];
  if (atom.kind == AtomKind::Loop) {
    const Loop& loop = model.loops[atom.loop];
    const auto* node = loop.stmt ? loop.stmt->as<ir::For>() : nullptr;
    return node && node->unroll == -1 ? iterationsOf(loop) : std::nullopt;
  }
  const auto inside = atom.value.atoms();
  const auto by = atom.divisor.constant();
  if (atom.kind != AtomKind::Div || !by || *by < 1 || inside.size() != 1 ||
      atom.value != Poly::atom(inside.front()) || (*model.atoms)[inside.front()].kind != AtomKind::Loop)
    return std::nullopt;
  const auto count = countOf(model, inside.front());
  return count ? std::optional((*count - 1) / *by + 1) : std::nullopt;
}

}  // namespace

std::vector<Poly> spreadCoordinates(const KernelModel& model, const Poly& sum, bool withCounters) {
  std::array<std::optional<Term>, 3> threads, blocks;
  std::vector<Term> own;
  constexpr size_t mostOwn = 6;
  for (const auto& [monomial, factor] : sum.terms()) {
    if (monomial.size() != 1) continue;
    const AtomId id = monomial.front();
    const Atom& atom = (*model.atoms)[id];
    if (atom.kind == AtomKind::Thread)
      threads[atom.axis] = {id, factor, model.block[atom.axis]};
    else if (atom.kind == AtomKind::Block)
      blocks[atom.axis] = {id, factor};
    else if (const auto count = countOf(model, id); withCounters && own.size() < mostOwn && count)
      own.push_back({id, factor, *count});
  }
  std::vector<Poly> found;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!blocks[axis]) continue;
    std::vector<Term> best;
    for (unsigned chosen = 0; chosen < 1u << own.size(); ++chosen) {
      std::vector<Term> terms;
      if (threads[axis]) terms.push_back(*threads[axis]);
      for (size_t i = 0; i < own.size(); ++i)
        if (chosen >> i & 1) terms.push_back(own[i]);
      if (terms.size() > best.size() && countsOn(terms, *blocks[axis])) best = std::move(terms);
    }
    if (best.empty()) continue;
    Poly coordinate = Poly::atom(blocks[axis]->atom, blocks[axis]->factor);
    for (const Term& term : best) coordinate += Poly::atom(term.atom, term.factor);
    found.push_back(std::move(coordinate));
  }
  return found;
}

}  // namespace hone::affine
