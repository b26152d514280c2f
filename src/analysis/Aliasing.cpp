#include "analysis/Aliasing.h"

#include <isl/set.h>

#include <algorithm>

#include "affine/ElementSets.h"
#include "analysis/CoveredAccesses.h"
#include "analysis/GuardBounds.h"
#include "analysis/WithoutGrid.h"

namespace hone::analysis {

using namespace affine;

namespace {

struct Use {
  bool isRead = false, isWritten = false;
};

Use useOf(const KernelModel& model, ArrayId array) {
  Use use;
  for (const Access& a : model.accesses)
    if (a.array == array) use.isRead |= a.reads(), use.isWritten |= a.writes();
  return use;
}

// A pointer's target can be any memory of its space; a declared array is memory of its own.
bool isPointer(const Array& a) { return !a.var || a.var->type->isPointer() || a.name != a.var->name; }
bool isParameter(const Array& a) { return a.var && a.var->storage == ir::Storage::Param; }

enum class Where : uint8_t { Private, Shared, Device, Constant, Anywhere };

Where whereIs(const Array& a) {
  switch (a.space) {
    case ir::Space::Private: return Where::Private;
    case ir::Space::Shared: return Where::Shared;
    case ir::Space::Constant: return Where::Constant;
    case ir::Space::Global: return Where::Device;
    // What a launch hands over outlives it, which memory of blocks and threads does not.
    case ir::Space::Generic: return isParameter(a) ? Where::Device : Where::Anywhere;
  }
  return Where::Anywhere;
}

const char* nameOf(Where w) {
  switch (w) {
    case Where::Private: return "memory of the thread";
    case Where::Shared: return "memory of the block";
    case Where::Constant: return "constant memory";
    case Where::Device: return "global memory";
    case Where::Anywhere: break;
  }
  return "memory that is not known";
}

bool saidApart(const Array& a, const Array& b, const KnownApart& known) {
  if (known.allParameters && isParameter(a) && isParameter(b)) return true;
  for (const auto& [x, y] : known.pairs)
    if ((x == a.name && y == b.name) || (x == b.name && y == a.name)) return true;
  return false;
}

bool isDynamicShared(const Array& a) { return a.var && a.var->isDynamicShared && !isPointer(a); }

// The bounds of one dimension over every thread, block and iteration.
std::optional<std::pair<Poly, Poly>> boundsOf(ElementSets& sets, const isl::set& all, unsigned dimension) {
  auto low = leastOf(all, dimension), high = greatestOf(all, dimension);
  if (!low || !high) return std::nullopt;
  auto least = polyOf(*low, sets.relations), most = polyOf(*high, sets.relations);
  if (!least || !most) return std::nullopt;
  const Atoms& atoms = *sets.model.atoms;
  if (!atoms.isLaunchUniform(*least) || !atoms.isLaunchUniform(*most)) return std::nullopt;
  return std::pair(*least, *most);
}

// The ends of what one access touches, a subscript at a time.
struct Box {
  std::vector<Poly> low, high;
};

// Whether one is at or beyond the other in every dimension, by numbers.
bool reaches(const Atoms& atoms, const std::vector<Poly>& a, const std::vector<Poly>& b, bool isHigh) {
  for (size_t d = 0; d < a.size(); ++d) {
    const Range gap = atoms.range(isHigh ? a[d] - b[d] : b[d] - a[d]);
    if (gap.low < 0) return false;
  }
  return true;
}

// The ends that no other is beyond.
std::vector<std::vector<Poly>> outermost(const Atoms& atoms, const std::vector<Box>& boxes, bool isHigh) {
  std::vector<std::vector<Poly>> kept;
  for (const Box& box : boxes) {
    const std::vector<Poly>& one = isHigh ? box.high : box.low;
    if (std::any_of(kept.begin(), kept.end(),
                    [&](const auto& other) { return reaches(atoms, other, one, isHigh); }))
      continue;
    std::erase_if(kept, [&](const auto& other) { return reaches(atoms, one, other, isHigh); });
    kept.push_back(one);
  }
  return kept;
}

}  // namespace

Poly withoutGrid(Atoms& atoms, Poly high) {
  auto needsGrid = [&](const Poly& p) {
    bool found = false;
    atoms.forEachAtom(p, [&](AtomId id) { found |= atoms[id].is(affine::SymbolKind::GridDim); });
    return found;
  };
  for (bool again = true; again;) {
    again = false;
    for (AtomId id : high.atoms()) {
      const Atom& atom = atoms[id];
      if (atom.kind != AtomKind::Choice || atom.cond->kind != CondKind::AtLeast0) continue;
      // A minimum: the condition is the difference, if by the greatest common divisor.
      const Poly gap = atom.no - atom.yes, factor = high.coefficient(id);
      const int64_t part = gap.content(), ofCond = atom.cond->value.content();
      if (part == 0 || ofCond == 0 || !(gap.dividedExactly(part) == atom.cond->value.dividedExactly(ofCond)))
        continue;
      if (needsGrid(atom.yes) == needsGrid(atom.no)) continue;
      // The bound must rise with the minimum; symbols that multiply it are pitches, which are not negative.
      if (factor.mentions(id) || std::any_of(factor.terms().begin(), factor.terms().end(),
                                             [](const auto& term) { return term.second < 0; }))
        continue;
      high = atoms.substitute(high, {{id, needsGrid(atom.yes) ? atom.no : atom.yes}});
      again = true;
      break;
    }
  }
  return high;
}

const char* str(Overlap overlap) {
  switch (overlap) {
    case Overlap::Never: return "never";
    case Overlap::Harmless: return "harmless";
    case Overlap::Test: return "test";
    case Overlap::Unknown: return "unknown";
  }
  return "";
}

std::optional<ByteRange> bytesOfLaunch(const KernelModel& model, ArrayId array,
                                       std::vector<Requirement>* conditions, std::string* reason) {
  auto fail = [&](const std::string& why) -> std::optional<ByteRange> {
    if (reason) *reason = why;
    return std::nullopt;
  };
  std::vector<AccessId> accesses = accessesOf(model, array);
  if (accesses.empty()) return fail("no access");
  ElementSets sets(model);
  for (AccessId a : accesses)
    if (!sets.isKnown(a))
      return fail(model.accesses[a].reason.empty() ? "an address that is not understood"
                                                   : model.accesses[a].reason);
  accesses = withoutCovered(model, accesses);
  const Shape& shape = sets.shape(array);
  const Point anywhere{"@", everything()};
  // An address that is linear in everything is bounded best as a whole, others and those with too many
  // corners by dimensions.
  const bool isFlat = std::all_of(shape.extents.begin(), shape.extents.end(),
                                  [](const Poly& e) { return e.constant().has_value(); });
  auto flat = [&](AccessId a) { return model.accesses[a].address.dividedExactly(shape.unit); };
  struct Way {
    bool withGuard, isWhole, oneByOne;
    bool byBoxes = false;
  };
  // Sums of subscripts times pitches grow with each subscript as long as no pitch is negative.
  auto needPitch = [&](const Poly& extent, const isl::set& where, std::vector<Requirement>& needs) {
    if (model.atoms->range(extent).low >= 0) return;
    const isl::set negative = sets.relations.value(extent, anywhere).lt_set(sets.relations.number(0));
    if (!sets.forget(negative.intersect(where.params()), anywhere).is_empty())
      needs.push_back({extent, 0, INT64_MAX, model.atoms->str(extent) + " must not be negative", {}});
  };
  auto rangeOf = [&](const std::vector<AccessId>& which, const Way& way,
                     std::vector<Requirement>& needs) -> std::optional<ByteRange> {
    const unsigned dimensions = way.isWhole ? 1 : shape.dimensions();
    isl::set all = isl::set::empty(isl::space::unit(sets.relations.ctx()).add_unnamed_tuple(dimensions));
    for (AccessId a : which)
      all = all.unite(
          way.isWhole ? sets.forget(sets.relations.elementsSummed(model.accesses[a], {flat(a)},
                                                                  shape.widths[a], anywhere, way.withGuard),
                                    anywhere)
                      : sets.touched(a, anywhere, way.withGuard));
    all = all.coalesce();
    Poly low, high;
    for (unsigned d = 0; d < dimensions; ++d) {
      auto bounds = boundsOf(sets, all, d);
      if (!bounds) return std::nullopt;
      if (d > 0) {
        // The address is the sum of subscripts times pitches whether or not columns stay in their rows.
        const Poly& extent = shape.extents[d - 1];
        low = low * extent, high = high * extent;
        needPitch(extent, all, needs);
      }
      low += bounds->first, high += bounds->second;
    }
    return ByteRange{low * Poly(shape.unit), (high + 1) * Poly(shape.unit)};
  };
  // Accesses that are bounded by different things, rows by the grid's height and columns by its width, are
  // joined one by one.
  auto joined = [&](const Way& way, std::vector<Requirement>& needs) -> std::optional<ByteRange> {
    Atoms& atoms = *model.atoms;
    std::optional<ByteRange> whole;
    for (AccessId a : accesses) {
      auto one = rangeOf({a}, way, needs);
      if (!one) return std::nullopt;
      one->high = withoutGrid(atoms, one->high);
      if (!whole) {
        whole = one;
        continue;
      }
      whole->low = atoms.choice(atLeast0(one->low - whole->low), whole->low, one->low);
      whole->high = atoms.choice(atLeast0(whole->high - one->high), whole->high, one->high);
    }
    return whole;
  };
  // The ends of each access by what its guards say of each subscript; many accesses around the same element
  // then have one end in common.
  auto boxed = [&](std::vector<Requirement>& needs) -> std::optional<ByteRange> {
    Atoms& atoms = *model.atoms;
    std::vector<Box> boxes;
    for (const AccessId a : accesses) {
      const std::vector<Poly>& subscripts = shape.subscripts[a];
      Box box;
      for (size_t d = 0; d < subscripts.size(); ++d) {
        auto low = boundUnderGuards(model, model.accesses[a], subscripts[d], false),
             high = boundUnderGuards(model, model.accesses[a], subscripts[d], true);
        if (high && d + 1 == subscripts.size()) *high += Poly(shape.widths[a] - 1);
        for (const bool withGuard : {true, false}) {
          if (low && high) break;
          const auto bounds = boundsOf(sets, sets.touched(a, anywhere, withGuard).coalesce(), unsigned(d));
          if (bounds && !low) low = bounds->first;
          if (bounds && !high) high = withoutGrid(atoms, bounds->second);
        }
        if (!low || !high) return std::nullopt;
        box.low.push_back(*low), box.high.push_back(*high);
      }
      for (const Poly& extent : shape.extents) needPitch(extent, sets.of(a, anywhere), needs);
      boxes.push_back(std::move(box));
    }
    auto flattened = [&](const std::vector<Poly>& corner) {
      Poly sum = corner.front();
      for (size_t d = 1; d < corner.size(); ++d) sum = sum * shape.extents[d - 1] + corner[d];
      return sum;
    };
    auto endOf = [&](bool isHigh) {
      std::optional<Poly> end;
      for (const std::vector<Poly>& corner : outermost(atoms, boxes, isHigh)) {
        const Poly one = flattened(corner);
        end = !end ? one : atoms.choice(atLeast0(isHigh ? *end - one : one - *end), *end, one);
      }
      return *end;
    };
    return ByteRange{endOf(false) * Poly(shape.unit), (endOf(true) + 1) * Poly(shape.unit)};
  };
  // With guards the ranges are tight; without them they can often still be written.
  std::vector<Way> ways;
  for (bool withGuard : {true, false}) {
    if (!withGuard) ways.push_back({true, false, false, true});
    for (bool oneByOne : {false, true})
      for (bool isWhole : {true, false})
        if ((isFlat || !isWhole) && (!isFlat || isWhole || shape.dimensions() > 1) &&
            (!oneByOne || accesses.size() > 1))
          ways.push_back({withGuard, isWhole, oneByOne});
  }
  for (const Way& way : ways) {
    std::vector<Requirement> needs;
    auto range = sets.budget.answer([&] {
      return way.byBoxes ? boxed(needs) : way.oneByOne ? joined(way, needs) : rangeOf(accesses, way, needs);
    });
    if (!range || !*range) continue;
    if (conditions) {
      for (AccessId a : accesses)
        for (unsigned r : model.accesses[a].requirements) needs.push_back(model.requirements[r]);
      for (const Requirement& r : needs) {
        bool isKnown = false;
        for (const Requirement& other : *conditions)
          isKnown |= other.value == r.value && other.low == r.low && other.high == r.high;
        if (!isKnown) conditions->push_back(r);
      }
    }
    return *range;
  }
  return fail("the addresses of " + model.arrays[array].name + " have no bound that can be written down");
}

const LaunchBytes::Entry& LaunchBytes::of(ArrayId array) {
  auto [it, isNew] = known.try_emplace(array);
  if (isNew) it->second.range = bytesOfLaunch(model, array, &it->second.conditions, &it->second.reason);
  return it->second;
}

namespace {

// The answer for two arrays (the first one before the second) where no address has to be looked at.
std::optional<Aliasing> withoutAddresses(const KernelModel& model, ArrayId first, ArrayId second,
                                         const KnownApart& known) {
  const Array &a = model.arrays[first], &b = model.arrays[second];
  const Use ofA = useOf(model, first), ofB = useOf(model, second);
  auto say = [&](Overlap overlap, std::string reason) {
    Aliasing answer;
    answer.first = first, answer.second = second;
    answer.overlap = overlap;
    answer.reason = std::move(reason);
    return answer;
  };
  const Where inA = whereIs(a), inB = whereIs(b);
  if (inA != inB && inA != Where::Anywhere && inB != Where::Anywhere)
    return say(Overlap::Never,
               a.name + " is in " + nameOf(inA) + ", " + b.name + " in " + std::string(nameOf(inB)));
  if (!isPointer(a) && !isPointer(b) && !(isDynamicShared(a) && isDynamicShared(b)))
    return say(Overlap::Never, "two arrays of their own");
  if (!ofA.isWritten && !ofB.isWritten) return say(Overlap::Harmless, "both are only read");
  if (saidApart(a, b, known)) return say(Overlap::Never, "said to lie apart");
  // __local arguments are given memory one by one.
  if (inA == Where::Shared && inB == Where::Shared && isParameter(a) && isParameter(b))
    return say(Overlap::Never, "two __local arguments");
  for (const auto& [array, use] : {std::pair(&a, ofA), std::pair(&b, ofB)}) {
    if (!array->isRestrict) continue;
    const Array& other = array == &a ? b : a;
    return say(Overlap::Never, array->name + " is restrict: what is written" +
                                   (use.isWritten ? " through it" : "") + " is not touched through " +
                                   other.name + (use.isWritten ? "" : " as well"));
  }
  return std::nullopt;
}

}  // namespace

Aliasing aliasing(LaunchBytes& bytes, ArrayId first, ArrayId second, const KnownApart& known) {
  const KernelModel& model = bytes.model;
  Aliasing answer;
  answer.first = std::min(first, second), answer.second = std::max(first, second);
  if (auto told = withoutAddresses(model, answer.first, answer.second, known)) return *told;
  const Array &a = model.arrays[answer.first], &b = model.arrays[answer.second];
  auto say = [&](Overlap overlap, std::string reason) {
    answer.overlap = overlap;
    answer.reason = std::move(reason);
    return answer;
  };
  const LaunchBytes::Entry &one = bytes.of(answer.first), &two = bytes.of(answer.second);
  if (!one.range || !two.range) return say(Overlap::Unknown, one.range ? two.reason : one.reason);
  answer.ofFirst = one.range, answer.ofSecond = two.range;
  answer.conditions = one.conditions;
  for (const Requirement& r : two.conditions)
    if (std::none_of(one.conditions.begin(), one.conditions.end(), [&](const Requirement& other) {
          return other.value == r.value && other.low == r.low && other.high == r.high;
        }))
      answer.conditions.push_back(r);
  if (isDynamicShared(a) && isDynamicShared(b)) {
    // Both begin where the block's dynamic memory begins.
    const Atoms& atoms = *model.atoms;
    if (atoms.range(answer.ofSecond->low - answer.ofFirst->high).low >= 0 ||
        atoms.range(answer.ofFirst->low - answer.ofSecond->high).low >= 0)
      return say(Overlap::Never, "different parts of the block's dynamic memory");
    return say(Overlap::Test, "both begin where the block's dynamic memory begins");
  }
  return say(Overlap::Test, "two pointers that nothing is promised of");
}

bool mayShare(LaunchBytes& bytes, ArrayId first, ArrayId second, const KnownApart& known) {
  const KernelModel& model = bytes.model;
  if (withoutAddresses(model, std::min(first, second), std::max(first, second), known)) return false;
  // Addresses tell nothing apart but parts of the block's dynamic memory.
  if (!isDynamicShared(model.arrays[first]) || !isDynamicShared(model.arrays[second])) return true;
  return aliasing(bytes, first, second, known).overlap != Overlap::Never;
}

Aliasing aliasing(const KernelModel& model, ArrayId first, ArrayId second, const KnownApart& known) {
  LaunchBytes bytes(model);
  return aliasing(bytes, first, second, known);
}

std::vector<Aliasing> aliasings(const KernelModel& model, const KnownApart& known) {
  ById<ArrayId, bool> isNamed(model.arrays.size());
  for (const Access& a : model.accesses)
    if (a.array.isSome()) isNamed[a.array] = true;
  std::vector<Aliasing> list;
  LaunchBytes bytes(model);
  for (const ArrayId i : model.arrays.ids())
    for (const ArrayId j : model.arrays.idsAfter(i))
      if (isNamed[i] && isNamed[j]) list.push_back(aliasing(bytes, i, j, known));
  return list;
}

Stability staysUnchanged(const KernelModel& model, ArrayId array, const KnownApart& known) {
  LaunchBytes bytes(model);
  return staysUnchanged(bytes, array, known);
}

Stability staysUnchanged(LaunchBytes& bytes, ArrayId array, const KnownApart& known) {
  const KernelModel& model = bytes.model;
  Stability answer;
  const Array& what = model.arrays[array];
  if (whereIs(what) == Where::Constant) {
    answer.isStable = true;
    return answer;
  }
  if (what.isVolatile) {
    answer.reason = what.name + " is volatile";
    return answer;
  }
  ById<ArrayId, bool> isAsked(model.arrays.size());
  for (const Access& a : model.accesses) {
    if (!a.writes()) continue;
    if (a.array == array) {
      answer.reason = what.name + " is written (" + a.handle + ")";
      answer.untested.clear();
      return answer;
    }
    if (a.array.isNone()) {
      // C forbids writing what is reached through a restrict pointer to const, by whatever way.
      if (what.isRestrict && what.isConst) continue;
      answer.reason = a.handle + " writes to memory that is not known";
      answer.untested.clear();
      return answer;
    }
    if (isAsked[a.array]) continue;
    isAsked[a.array] = true;
    const Aliasing pair = aliasing(bytes, array, a.array, known);
    if (pair.overlap == Overlap::Never || pair.overlap == Overlap::Harmless) continue;
    answer.untested.push_back(a.array);
    answer.reason = model.arrays[a.array].name + " is written and may overlap " + what.name;
    if (pair.overlap == Overlap::Unknown) answer.reason += ": " + pair.reason;
  }
  answer.isStable = answer.reason.empty();
  return answer;
}

}  // namespace hone::analysis
