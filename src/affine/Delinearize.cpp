#include "affine/Delinearize.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "affine/Relation.h"
#include "affine/SpreadCoordinates.h"

namespace hone::affine {

namespace {

bool precedes(const Monomial& a, const Monomial& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

std::pair<Monomial, int64_t> leading(const Poly& p) {
  auto best = p.terms().begin();
  for (auto it = p.terms().begin(); it != p.terms().end(); ++it)
    if (precedes(best->first, it->first)) best = it;
  return {best->first, best->second};
}

// An address as a sum of (coefficient made of symbols) * (one varying atom), and a part made of symbols.
struct Sum {
  std::map<AtomId, Poly> of;
  Poly uniform;
};

std::optional<Sum> split(const Atoms& atoms, const Poly& p) {
  Sum s;
  for (const auto& [monomial, factor] : p.terms()) {
    Monomial symbols;
    std::optional<AtomId> varying;
    for (AtomId id : monomial) {
      if (atoms.isLaunchUniform(Poly::atom(id))) {
        symbols.push_back(id);
      } else {
        if (varying) return std::nullopt;
        varying = id;
      }
    }
    if (varying)
      s.of[*varying].add(symbols, factor);
    else
      s.uniform.add(symbols, factor);
  }
  return s;
}

Poly join(const Sum& s) {
  Poly p = s.uniform;
  for (const auto& [id, c] : s.of) p += c * Poly::atom(id);
  return p;
}

bool isFlat(const Sum& s) {
  return std::all_of(s.of.begin(), s.of.end(),
                     [](const auto& entry) { return entry.second.constant().has_value(); });
}

Poly primitive(const Poly& p) {
  int64_t content = p.content();
  if (leading(p).second < 0) content = -content;
  return content == 1    ? p
         : content == -1 ? -p
         : content < 0   ? -p.dividedExactly(-content)
                         : p.dividedExactly(content);
}

struct Level {
  Sum column, rest;
};

std::optional<Level> divideSum(const Sum& s, const Poly& pitch) {
  Level level;
  for (const auto& [id, c] : s.of) {
    Quotient q = divide(c, pitch);
    if (!q.rest.constant()) return std::nullopt;
    if (!q.rest.isZero()) level.column.of[id] = q.rest;
    if (!q.quotient.isZero()) level.rest.of[id] = q.quotient;
  }
  Quotient q = divide(s.uniform, pitch);
  level.column.uniform = q.rest;
  level.rest.uniform = q.quotient;
  return level;
}

// Pitches that the coefficients suggest, simplest first.
std::vector<Poly> candidates(const std::vector<std::optional<Sum>>& sums) {
  std::set<Poly> found;
  for (const auto& s : sums)
    if (s)
      for (const auto& [id, c] : s->of)
        if (!c.constant()) found.insert(primitive(c));
  std::vector<Poly> list(found.begin(), found.end());
  std::sort(list.begin(), list.end(), [](const Poly& a, const Poly& b) {
    auto key = [](const Poly& p) { return std::pair(p.degree(), p.terms().size()); };
    return key(a) != key(b) ? key(a) < key(b) : a < b;
  });
  if (list.size() > 4) list.resize(4);
  return list;
}

struct Chain {
  std::vector<Poly> pitches;                  // innermost first
  std::vector<std::vector<Poly>> subscripts;  // by access of the list, innermost first; empty: does not fit
  unsigned fitting = 0;
};

// Splits level by level. An access that cannot follow is left out from there on.
void search(const std::vector<std::optional<Sum>>& sums, Chain chain, std::vector<Chain>& found) {
  if (found.size() > 16) return;
  bool done = true;
  for (const auto& s : sums) done &= !s || isFlat(*s);
  if (done) {
    for (size_t i = 0; i < sums.size(); ++i)
      if (sums[i])
        chain.subscripts[i].push_back(join(*sums[i])), ++chain.fitting;
      else
        chain.subscripts[i].clear();
    found.push_back(std::move(chain));
    return;
  }
  if (chain.pitches.size() == 3) return;
  for (const Poly& pitch : candidates(sums)) {
    Chain next = chain;
    next.pitches.push_back(pitch);
    std::vector<std::optional<Sum>> rests(sums.size());
    for (size_t i = 0; i < sums.size(); ++i) {
      if (!sums[i]) continue;
      auto level = divideSum(*sums[i], pitch);
      if (!level) {
        next.subscripts[i].clear();
        continue;
      }
      next.subscripts[i].push_back(join(level->column));
      rests[i] = level->rest;
    }
    search(rests, std::move(next), found);
  }
}

class Shaper {
 public:
  Shaper(const KernelModel& kernel, ArrayId index, const Launch* numbersOfLaunch)
      : model(kernel),
        atoms(*kernel.atoms),
        relations(budget, kernel, numbersOfLaunch),
        launch(numbersOfLaunch) {
    shape.array = index;
    shape.subscripts.resize(model.accesses.size());
    shape.widths.assign(model.accesses.size(), 1);
    for (const AccessId i : model.accesses.ids())
      if (model.accesses[i].array == index) members.push_back(i);
  }

  Shape run() {
    choose();
    shape.mayLeaveRows =
        std::ranges::any_of(shape.conditions, [&](const Requirement& r) { return isOfKernel(r.value); });
    return std::move(shape);
  }

 private:
  void choose() {
    chooseUnit();
    if (declared()) return;
    for (AccessId m : members) {
      const Access& a = model.accesses[m];
      flat.push_back(inNumbers(a.address.dividedExactly(shape.unit)));
    }
    if (!bySymbols() && !byNumbers())
      for (size_t i = 0; i < members.size(); ++i) shape.subscripts[members[i]] = {flat[i]};
    for (AccessId m : members)
      if (!shape.fits(m)) shape.misfits.push_back(m);
  }

  // Symbols the launch has numbers for are replaced first: what was a product of unknowns may be none then.
  Poly inNumbers(const Poly& p) {
    if (!launch) return p;
    Atoms::Substitution values;
    atoms.forEachAtom(p, [&](AtomId id) {
      if (atoms[id].kind != AtomKind::Symbol) return;
      if (auto n = relations.numberOf(Poly::atom(id))) values[id] = Poly(*n);
    });
    return values.empty() ? p : atoms.substitute(p, values);
  }

  void chooseUnit() {
    const Array& array = model.arrays[shape.array];
    int64_t unit = array.element ? int64_t(ir::sizeOf(*array.element)) : 0;
    for (AccessId m : members) {
      const Access& a = model.accesses[m];
      unit = std::gcd(unit, std::gcd(a.address.content(), int64_t(a.bytes)));
    }
    shape.unit = unit > 0 ? unit : 1;
    for (AccessId m : members)
      shape.widths[m] = std::max<int64_t>(1, int64_t(model.accesses[m].bytes) / shape.unit);
  }

  bool declared() {
    const Array& array = model.arrays[shape.array];
    if (array.extents.size() < 2 || !array.element || shape.unit != int64_t(ir::sizeOf(*array.element)))
      return false;
    for (AccessId m : members)
      if (model.accesses[m].subscripts.size() != array.extents.size()) return false;
    for (size_t d = 1; d < array.extents.size(); ++d) {
      if (array.extents[d] <= 0) return false;
      shape.extents.push_back(array.extents[d]);
    }
    for (AccessId m : members) shape.subscripts[m] = model.accesses[m].subscripts;
    shape.isDeclared = true;
    for (AccessId m : members) {
      std::vector<Requirement> open;
      if (!prove(m, shape.subscripts[m], open))
        shape.conditions.insert(shape.conditions.end(), open.begin(), open.end());
    }
    return true;
  }

  // 0 <= s[d] and s[d] + width - 1 < extent for every inner dimension; what is not proved goes to `open`.
  bool prove(AccessId member, const std::vector<Poly>& subscripts, std::vector<Requirement>& open) {
    const Access& access = model.accesses[member];
    Point at{"@", everything()};
    bool all = true;
    for (size_t d = 1; d < subscripts.size(); ++d) {
      const Poly& extent = shape.extents[d - 1];
      int64_t width = d + 1 == subscripts.size() ? shape.widths[member] : 1;
      for (bool isLow : {true, false}) {
        Poly slack = isLow ? subscripts[d] : extent - Poly(width) - subscripts[d];
        if (atoms.range(slack).low >= 0) continue;
        auto holds = budget.answer([&] {
          isl::set fails = relations.value(slack, at).lt_set(relations.number(0));
          return relations.withRanges(fails.intersect(relations.domain(access, at))).is_empty();
        });
        if (holds && *holds) continue;
        all = false;
        std::string name = model.arrays[shape.array].name;
        std::string words = isLow ? atoms.str(subscripts[d]) + " must not be negative"
                                  : atoms.str(subscripts[d]) + " must be less than " + atoms.str(extent);
        open.push_back({slack, 0, INT64_MAX, words + ", a row of " + name, access.loc});
      }
    }
    return all;
  }

  bool bySymbols() {
    std::vector<std::optional<Sum>> sums;
    bool any = false;
    for (const Poly& p : flat) {
      sums.push_back(split(atoms, p));
      any |= sums.back() && !isFlat(*sums.back());
    }
    if (!any) return false;
    std::vector<Chain> chains;
    Chain start;
    start.subscripts.resize(flat.size());
    search(sums, start, chains);
    unsigned mostFitting = 0;
    for (const Chain& c : chains) mostFitting = std::max(mostFitting, c.fitting);
    std::vector<Requirement> fewest;
    const Chain* best = nullptr;
    // Rows that the kernel itself leaves are none; of the others those that rely on the least.
    const auto cost = [&](const std::vector<Requirement>& open) {
      return std::pair(std::ranges::count_if(open, [&](const Requirement& r) { return isOfKernel(r.value); }),
                       open.size());
    };
    for (const Chain& c : chains) {
      if (!c.fitting || c.fitting < mostFitting) continue;
      apply(c);
      std::vector<Requirement> open;
      for (AccessId m : members)
        if (shape.fits(m)) prove(m, shape.subscripts[m], open);
      if (!best || cost(open) < cost(fewest)) best = &c, fewest = open;
      if (open.empty()) break;
    }
    if (!best) return false;
    apply(*best);
    addConditions(fewest);
    return true;
  }

  // Whether no size has a part in it: what does not hold then does so at no launch.
  bool isOfKernel(const Poly& p) const {
    bool isSo = true;
    atoms.forEachAtom(p, [&](AtomId id) {
      const AtomKind kind = atoms[id].kind;
      isSo &= kind == AtomKind::Thread || kind == AtomKind::Loop;
    });
    return isSo;
  }

  void apply(const Chain& c) {
    shape.extents.assign(c.pitches.rbegin(), c.pitches.rend());
    for (size_t i = 0; i < members.size(); ++i)
      shape.subscripts[members[i]].assign(c.subscripts[i].rbegin(), c.subscripts[i].rend());
  }

  // Pitches that are numbers: where every column is proved to stay in its row they change no answer, only how
  // it reads; else they are a guess with its condition.
  bool byNumbers() {
    std::vector<Sum> sums;
    for (const Poly& p : flat) {
      auto s = split(atoms, p);
      if (!s || !isFlat(*s)) return false;
      sums.push_back(*s);
    }
    // Parts of a coordinate are rows only where nothing else is: 4*threadIdx.x + r in rows of 512 is a
    // column.
    for (bool withCounters : {true, false}) {
      parts.clear();
      for (const Sum& s : sums) parts.push_back(partsOfCoordinates(s, withCounters));
      if (byNumbers(sums)) return true;
    }
    return false;
  }

  bool byNumbers(std::vector<Sum> sums) {
    std::vector<std::vector<Poly>> subscripts(flat.size());
    std::vector<Poly> extents;
    bool isCertain = true;
    while (extents.size() < 3) {
      const int64_t outer = extents.empty() ? 0 : *extents.back().constant();
      auto pitch = provedPitch(sums, outer);
      const bool isProved = pitch.has_value();
      if (!pitch && !launch) pitch = likelyPitch(sums, outer);
      if (!pitch) break;
      isCertain &= isProved;
      for (size_t i = 0; i < sums.size(); ++i) {
        auto level = isProved ? *divideSum(sums[i], *pitch) : nearestRows(sums[i], *pitch->constant());
        subscripts[i].push_back(join(level.rest));
        sums[i] = level.column;
      }
      extents.push_back(*pitch);
    }
    if (extents.empty()) return false;
    // From pitches in elements to extents of dimensions: {h*w, w} is {h, w}.
    for (size_t d = 0; d + 1 < extents.size(); ++d)
      extents[d] = *extents[d].constant() / *extents[d + 1].constant();
    shape.extents = extents;
    for (size_t i = 0; i < sums.size(); ++i) {
      subscripts[i].push_back(join(sums[i]));
      shape.subscripts[members[i]] = subscripts[i];
    }
    if (!isCertain) {
      std::vector<Requirement> open;
      for (AccessId m : members) prove(m, shape.subscripts[m], open);
      addConditions(open);
    }
    return true;
  }

  void addConditions(const std::vector<Requirement>& open) {
    for (const Requirement& r : open) {
      bool isKnown = false;
      for (const Requirement& other : shape.conditions) isKnown |= other.value == r.value;
      if (!isKnown) shape.conditions.push_back(r);
    }
  }

  // The row and column that are nearest: (i - 1)*4096 + j - 1 is row i - 1, column j - 1.
  static Level nearestRows(const Sum& s, int64_t pitch) {
    const auto rows = [&](int64_t n) { return floorDiv(n + pitch / 2, pitch); };
    Level level;
    for (const auto& [id, c] : s.of) {
      // What is less than a row belongs to the column: 32*blockIdx.x in rows of 64 is no row.
      const int64_t whole = *c.constant() / pitch;
      if (whole != 0) level.rest.of[id] = whole;
      if (const int64_t left = *c.constant() - whole * pitch; left != 0) level.column.of[id] = left;
    }
    for (const auto& [monomial, factor] : s.uniform.terms()) {
      const int64_t whole = monomial.empty() ? rows(factor) : factor / pitch;
      level.rest.uniform.add(monomial, whole);
      level.column.uniform.add(monomial, factor - whole * pitch);
    }
    return level;
  }

  // A pitch that coefficients of threads and loop variables suggest. That columns stay in their rows becomes
  // a condition: a guard such as j < nj says nothing about rows of 4096.
  std::optional<Poly> likelyPitch(const std::vector<Sum>& sums, int64_t outer) const {
    constexpr int64_t shortest = 32;
    std::set<int64_t, std::greater<>> tried;
    for (size_t i = 0; i < sums.size(); ++i)
      for (const auto& [id, c] : sums[i].of) {
        const Atom& atom = atoms[id];
        if (atom.kind != AtomKind::Thread && atom.kind != AtomKind::Block && atom.kind != AtomKind::Loop)
          continue;
        int64_t n = std::abs(*c.constant());
        // What the loop's variable counts by is no row.
        if (atom.kind == AtomKind::Loop && model.loops[atom.loop].values.empty())
          if (auto step = model.loops[atom.loop].step.constant(); step && *step != 0) n /= std::abs(*step);
        if (n >= shortest && !parts[i].contains(id)) tried.insert(n);
      }
    for (int64_t pitch : tried) {
      if (outer && outer % pitch != 0) continue;
      bool hasRows = false, hasColumns = false, fits = true;
      for (const Sum& s : sums) {
        const Level level = nearestRows(s, pitch);
        hasRows |= !level.rest.of.empty();
        hasColumns |= !level.column.of.empty();
        // What one block's threads span must fit into a row.
        int64_t span = 0;
        for (const auto& [id, c] : level.column.of)
          if (atoms[id].kind == AtomKind::Thread)
            span += std::abs(*c.constant()) * (model.block[atoms[id].axis] - 1);
        fits &= span < pitch;
      }
      if (hasRows && hasColumns && fits) return Poly(pitch);
    }
    return std::nullopt;
  }

  // Of a coordinate only its step from one value to the next suggests a pitch.
  std::set<AtomId> partsOfCoordinates(const Sum& s, bool withCounters) const {
    std::set<AtomId> found;
    for (const Poly& coordinate : spreadCoordinates(model, join(s), withCounters))
      for (const auto& [monomial, factor] : coordinate.terms())
        if (std::abs(factor) != coordinate.content()) found.insert(monomial.front());
    return found;
  }

  // Inside rows of `outer` elements, which it must divide for the dimensions to multiply up to the address.
  std::optional<Poly> provedPitch(const std::vector<Sum>& sums, int64_t outer) {
    std::set<int64_t, std::greater<>> tried;
    for (size_t i = 0; i < sums.size(); ++i)
      for (const auto& [id, c] : sums[i].of)
        if (int64_t n = std::abs(*c.constant()); n > 1 && !parts[i].contains(id)) tried.insert(n);
    unsigned attempts = 0;
    for (int64_t pitch : tried) {
      if (outer % pitch != 0) continue;
      if (++attempts > 4) break;
      bool isProved = true, varies = false;
      for (size_t i = 0; i < sums.size() && isProved; ++i) {
        auto level = *divideSum(sums[i], Poly(pitch));
        varies |= !level.column.of.empty();
        isProved = !level.rest.of.empty() || !level.column.of.empty() || sums[i].of.empty();
        if (isProved) isProved = staysIn(members[i], join(level.column), pitch, shape.widths[members[i]]);
      }
      if (isProved && varies) return Poly(pitch);
    }
    return std::nullopt;
  }

  bool staysIn(AccessId member, const Poly& column, int64_t pitch, int64_t width) {
    if (atoms.range(column).isWithin(0, pitch - width)) return true;
    Point at{"@", everything()};
    auto holds = budget.answer([&] {
      isl::pw_aff v = relations.value(column, at);
      isl::set fails = v.lt_set(relations.number(0)).unite(v.gt_set(relations.number(pitch - width)));
      return relations.withRanges(fails.intersect(relations.domain(model.accesses[member], at))).is_empty();
    });
    return holds && *holds;
  }

  const KernelModel& model;
  Atoms& atoms;
  IslBudget budget{10'000};
  Relations relations;
  const Launch* launch;
  Shape shape;
  std::vector<AccessId> members;
  std::vector<Poly> flat;
  std::vector<std::set<AtomId>> parts;  // of coordinates, by access: their factors are no pitches
};

}  // namespace

Quotient divide(const Poly& p, const Poly& by) {
  Quotient result;
  auto [head, factor] = leading(by);
  Poly left = p;
  while (!left.isZero()) {
    auto [monomial, c] = leading(left);
    Monomial quotient;
    bool isMultiple = std::includes(monomial.begin(), monomial.end(), head.begin(), head.end());
    int64_t times = isMultiple ? floorDiv(factor < 0 ? -c : c, factor < 0 ? -factor : factor) : 0;
    if (!isMultiple || times == 0) {
      result.rest.add(monomial, c);
      left.add(monomial, -c);
      continue;
    }
    std::set_difference(monomial.begin(), monomial.end(), head.begin(), head.end(),
                        std::back_inserter(quotient));
    Poly step;
    step.add(quotient, times);
    result.quotient += step;
    left -= step * by;
    // What floor division leaves of the leading term belongs to the rest.
    if (int64_t rest = c - times * factor; rest != 0) {
      result.rest.add(monomial, rest);
      left.add(monomial, -rest);
    }
  }
  return result;
}

Shape shapeOf(const KernelModel& model, ArrayId array, const Launch* launch) {
  return Shaper(model, array, launch).run();
}

}  // namespace hone::affine
