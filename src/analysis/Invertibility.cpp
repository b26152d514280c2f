#include "analysis/Invertibility.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <set>

#include "affine/ElementSets.h"
#include "analysis/Digits.h"
#include "analysis/TileFills.h"

namespace hone::analysis {

using namespace affine;

namespace {

bool contains(const std::vector<LoopId>& list, LoopId what) {
  return std::find(list.begin(), list.end(), what) != list.end();
}

// Pitches made of numbers are better left in the address: the inverse has quotients and remainders then.
bool isFlat(const Shape& shape) {
  return !shape.isDeclared && std::all_of(shape.extents.begin(), shape.extents.end(),
                                          [](const Poly& e) { return e.constant().has_value(); });
}

std::vector<Poly> subscriptsOf(const KernelModel& model, const Shape& shape, AccessId access) {
  if (isFlat(shape)) return {model.accesses[access].address.dividedExactly(shape.unit)};
  return shape.subscripts[access];
}

// Where one number says which element it is, no dimension relies on anything.
std::vector<Requirement> conditionsOf(ElementSets& sets, const std::vector<AccessId>& accesses) {
  if (!isFlat(sets.shape(sets.model.accesses[accesses.front()].array))) return sets.conditions(accesses);
  std::set<unsigned> numbers;
  for (AccessId a : accesses)
    numbers.insert(sets.model.accesses[a].requirements.begin(), sets.model.accesses[a].requirements.end());
  std::vector<Requirement> list;
  for (unsigned r : numbers) list.push_back(sets.model.requirements[r]);
  return list;
}

struct Asked {
  unsigned axis = 0;
  LoopId loop;  // none: a thread axis
  bool isMentioned = false;
};

class Inverter {
 public:
  Inverter(const KernelModel& m, AccessId index, const std::vector<LoopId>& fixedLoops, const Launch* launch)
      : model(m), access(m.accesses[index]), atoms(*m.atoms), sets(m, launch), fixed(fixedLoops) {
    answer.access = index;
    at.own = threadsAndLoops();
    for (LoopId l : fixed)
      for (LoopId outer = l; outer.isSome(); outer = model.loops[outer].parent)
        at.own.loops &= ~loopBit(outer);
  }

  Inverse run() {
    const AccessId index = answer.access;
    if (access.array.isNone() || !sets.isKnown(index)) {
      answer.reason = access.reason.empty() ? "the address is not understood" : access.reason;
      return answer;
    }
    const Shape& shape = sets.shape(access.array);
    answer.subscripts = subscriptsOf(model, shape, index);
    answer.unit = shape.unit;
    if (!isFlat(shape)) answer.extents = shape.extents;
    for (size_t d = 0; d < answer.subscripts.size(); ++d)
      answer.element.push_back(atoms.symbol("element." + std::to_string(d), nullptr, INT64_MIN, INT64_MAX));
    answer.conditions = conditionsOf(sets, {index});
    auto built = sets.budget.answer([&] {
      sets.relations.start();
      whole = sets.relations.elements(access, answer.subscripts, shape.widths[index], at);
      return true;
    });
    if (!built) {
      answer.reason = "too complex";
      return answer;
    }
    answer.exactness = sets.relations.exactness();
    answer.reason = sets.relations.reason();
    auto never = sets.budget.answer([&] { return whole.is_empty(); });
    if (never && *never) {
      answer.reason = "it never happens";
      return answer;
    }
    answer.isInjective = answer.isWritten = true;
    solveByHand(shape.widths[index]);
    for (unsigned axis = 0; axis < 3; ++axis) {
      answer.axes[axis] = CoordinateRole::Fixed;
      if (model.block[axis] == 1) {
        answer.thread[axis] = Poly(0);
        continue;
      }
      const AtomId atom = atoms.thread(axis).atoms().front();
      Asked c{axis, LoopId::none(), isMentioned(atom)};
      answer.axes[axis] = solve(c, answer.thread[axis]);
    }
    for (LoopId l : access.loops) {
      if (!(at.own.loops & loopBit(l))) continue;
      SolvedLoop solved;
      solved.loop = l;
      Asked c{0, l, isMentioned(model.loops[l].counter)};
      solved.role = solve(c, solved.iteration);
      answer.loops.push_back(std::move(solved));
    }
    if (isTooMuch) return answer;
    auto dense = sets.budget.answer([&] {
      isl::set written = sets.forget(whole, at).coalesce();
      isl::set box = isl::set::universe(written.space())
                         .lower_bound(written.min_multi_pw_aff())
                         .upper_bound(written.max_multi_pw_aff());
      return box.intersect_params(written.params()).is_subset(written);
    });
    answer.isDense = dense && *dense;
    return answer;
  }

 private:
  // Shorter formulas than isl's, which has cases for the ends of a range.
  void solveByHand(int64_t width) {
    if (width != 1) return;
    std::vector<Coordinate> coordinates;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (model.block[axis] != 1)
        coordinates.push_back({atoms.thread(axis).atoms().front(), {0, int64_t(model.block[axis]) - 1}});
    for (LoopId l : access.loops) {
      if (!(at.own.loops & loopBit(l))) continue;
      const Loop& loop = model.loops[l];
      Range range = atoms.range(Poly::atom(loop.counter));
      if (!loop.byDistance && loop.values.empty()) range.low = std::max<int64_t>(range.low, 0);
      coordinates.push_back({loop.counter, range});
    }
    std::vector<Equation> equations;
    for (size_t d = 0; d < answer.subscripts.size(); ++d)
      equations.push_back({answer.subscripts[d], answer.element[d]});
    byDigits = solveByDigits(atoms, std::move(equations), coordinates);
  }

  bool isMentioned(AtomId atom) const {
    bool found = false;
    for (const Poly& p : answer.subscripts) atoms.forEachAtom(p, [&](AtomId id) { found |= id == atom; });
    return found;
  }

  std::string nameOf(const Asked& c) const {
    if (c.loop.isNone()) return std::string("threadIdx.") + "xyz"[c.axis];
    const Loop& loop = model.loops[c.loop];
    return "iteration of the loop " + (loop.var ? "over " + loop.var->name : loop.handle);
  }

  CoordinateRole solve(const Asked& c, std::optional<Poly>& value) {
    enum Result : uint8_t { Single, Several };
    // One question that is too much is enough: the others are no easier.
    if (isTooMuch) return CoordinateRole::Mixed;
    std::string example;
    auto found = sets.budget.answer([&]() -> Result {
      const isl::id id =
          c.loop.isNone() ? sets.relations.threadId(c.axis, at) : sets.relations.counterId(c.loop, at);
      isl::set s = sets.forget(whole, at, {id});
      // A coordinate that nothing mentions has its range all the same.
      isl::pw_aff p = isl::pw_aff::param_on_domain(sets.relations.universe(), id);
      if (c.loop.isNone())
        s = s.intersect_params(p.ge_set(sets.relations.number(0))
                                   .intersect(p.lt_set(sets.relations.number(model.block[c.axis]))));
      isl::space space = isl::space::unit(sets.relations.ctx()).add_unnamed_tuple(1);
      isl::map toCoordinate =
          s.unbind_params_insert_domain(isl::multi_id(space, isl::id_list(id))).reverse().coalesce();
      if (toCoordinate.is_single_valued()) {
        isl::pw_multi_aff f = isl::manage(isl_pw_multi_aff_from_map(toCoordinate.copy()));
        isl::pw_aff one = isl::manage(isl_pw_multi_aff_get_pw_aff(f.get(), 0));
        one = one.gist(toCoordinate.domain());
        value = polyOf(one, sets.relations, answer.element);
        return Single;
      }
      isl::map both = toCoordinate.reverse().apply_range(toCoordinate);
      both = both.subtract(isl::manage(isl_map_identity(both.get_space().release())));
      isl::set pair = both.wrap().project_out_all_params().lexmin();
      isl::point point = pair.sample_point();
      auto at0 = isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_set, 0));
      auto at1 = isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_set, 1));
      example = std::to_string(isl_val_get_num_si(at0.get())) + " and " +
                std::to_string(isl_val_get_num_si(at1.get()));
      return Several;
    });
    if (found && *found == Single) {
      const AtomId atom =
          c.loop.isNone() ? atoms.thread(c.axis).atoms().front() : model.loops[c.loop].counter;
      if (auto it = byDigits.find(atom); it != byDigits.end())
        if (!value || atoms.str(*value).size() > atoms.str(it->second).size()) value = it->second;
      if (!value) {
        answer.isWritten = false;
        if (answer.reason.empty()) answer.reason = "the inverse for " + nameOf(c) + " has several cases";
      }
      return CoordinateRole::Solved;
    }
    if (!c.isMentioned && found) return CoordinateRole::Free;
    answer.isInjective = answer.isWritten = false;
    if (!found)
      answer.reason = "too complex", isTooMuch = true;
    else
      answer.reason = nameOf(c) + " = " + example + " touch one element";
    return CoordinateRole::Mixed;
  }

  const KernelModel& model;
  const Access& access;
  Atoms& atoms;
  ElementSets sets;
  std::vector<LoopId> fixed;
  Point at;
  isl::set whole;
  std::map<AtomId, Poly> byDigits;
  bool isTooMuch = false;
  Inverse answer;
};

// What stands at an element where a store was made of what a load read: bytes from the start of the load's
// array.
std::optional<Poly> sourceAddress(const KernelModel& model, const Inverse& inverse, AccessId load,
                                  const std::vector<Poly>& element) {
  return atWriter(model, inverse, model.accesses[load].address, element);
}

}  // namespace

std::vector<LoopId> iterationsBetweenBarriers(const KernelModel& model, AccessId access) {
  std::vector<LoopId> list;
  for (LoopId l : model.accesses[access].loops)
    for (const BarrierPoint& b : model.barriers)
      if (b.scope >= ir::SyncScope::Block && contains(b.loops, l)) {
        list.push_back(l);
        break;
      }
  return list;
}

Inverse invert(const KernelModel& model, AccessId access, const std::vector<LoopId>& fixed,
               const Launch* launch) {
  try {
    return Inverter(model, access, fixed, launch).run();
  } catch (const TooLarge& e) {
    Inverse answer;
    answer.access = access;
    answer.reason = e.what();
    return answer;
  }
}

Inverse invert(const KernelModel& model, AccessId access) {
  return invert(model, access, iterationsBetweenBarriers(model, access));
}

std::optional<Poly> atWriter(const KernelModel& model, const Inverse& inverse, const Poly& value,
                             const std::vector<Poly>& element) {
  Atoms& atoms = *model.atoms;
  if (!inverse.isInjective || element.size() != inverse.element.size()) return std::nullopt;
  Atoms::Substitution here;
  for (size_t d = 0; d < element.size(); ++d) here[inverse.element[d].atoms().front()] = element[d];
  Atoms::Substitution writer;
  std::vector<AtomId> open;
  auto put = [&](AtomId id, const std::optional<Poly>& solution) {
    if (solution)
      writer[id] = atoms.substitute(*solution, here);
    else
      open.push_back(id);
  };
  for (unsigned axis = 0; axis < 3; ++axis)
    if (model.block[axis] != 1) put(atoms.thread(axis).atoms().front(), inverse.thread[axis]);
  for (const SolvedLoop& l : inverse.loops) put(model.loops[l.loop].counter, l.iteration);
  bool isOpen = false;
  atoms.forEachAtom(value, [&](AtomId id) {
    isOpen |= std::find(open.begin(), open.end(), id) != open.end();
    // A value nothing is known of but what it varies with belongs to the thread that has it.
    const Atom& atom = atoms[id];
    if (atom.kind == AtomKind::Opaque) isOpen |= !atom.varies.isUniform() || atom.varies.loops != 0;
  });
  if (isOpen) return std::nullopt;
  return atoms.substitute(value, writer);
}

std::optional<std::vector<Poly>> elementOf(const KernelModel& model, const Inverse& inverse,
                                           AccessId access) {
  if (inverse.access.isNone() || inverse.element.empty()) return std::nullopt;
  const ArrayId array = model.accesses[inverse.access].array;
  if (model.accesses[access].array != array) return std::nullopt;
  const Shape shape = shapeOf(model, array);
  if (!shape.fits(access)) return std::nullopt;
  return subscriptsOf(model, shape, access);
}

Agreement sourcesAgree(const KernelModel& model, const Inverse& first, AccessId firstLoad,
                       const Inverse& second, AccessId secondLoad) {
  Agreement answer;
  Atoms& atoms = *model.atoms;
  const Access &a = model.accesses[firstLoad], &b = model.accesses[secondLoad];
  if (a.array != b.array || a.array.isNone()) {
    answer.reason = "they read different arrays";
    return answer;
  }
  if (first.element.size() != second.element.size() || first.element.empty()) {
    answer.reason = "the stores are not understood in the same dimensions";
    return answer;
  }
  auto p = sourceAddress(model, first, firstLoad, first.element);
  auto q = sourceAddress(model, second, secondLoad, first.element);
  if (!p || !q) {
    const Inverse& open = p ? second : first;
    answer.reason =
        open.reason.empty() ? "the source differs between threads that write one element" : open.reason;
    return answer;
  }
  answer.agrees = *p == *q || sameWhereWritten(model, second, *p, *q);
  if (!answer.agrees) answer.reason = atoms.str(*p) + " differs from " + atoms.str(*q);
  return answer;
}

Coverage coveredBy(const KernelModel& model, AccessId load, const std::vector<AccessId>& stores,
                   const Launch* launch) {
  Coverage answer;
  const Access& read = model.accesses[load];
  ElementSets sets(model, launch);
  for (AccessId a : stores) {
    if (model.accesses[a].array != read.array || !sets.isKnown(a)) {
      answer.reason = "the address of " + model.accesses[a].handle + " is not understood";
      return answer;
    }
  }
  if (read.array.isNone() || !sets.isKnown(load)) {
    answer.reason = "the address of " + read.handle + " is not understood";
    return answer;
  }
  if (stores.empty()) {
    answer.verdict = Coverage::Uncovered;
    answer.reason = "no store";
    return answer;
  }
  // The iterations that are the same for all of them.
  uint64_t shared = 0;
  for (LoopId l : iterationsBetweenBarriers(model, load))
    if (std::all_of(stores.begin(), stores.end(),
                    [&](AccessId s) { return contains(model.accesses[s].loops, l); }))
      shared |= loopBit(l);
  Point reader{"@r", threadsAndLoops()}, writer{"@w", threadsAndLoops()};
  reader.own.loops &= ~shared, writer.own.loops &= ~shared;
  std::vector<AccessId> all = stores;
  all.push_back(load);
  answer.conditions = conditionsOf(sets, all);
  bool isExact = true;
  auto uncovered = sets.budget.answer([&] {
    sets.relations.start();
    const Shape& shape = sets.shape(read.array);
    auto elements = [&](AccessId a, const Point& at) {
      return sets.relations.elements(model.accesses[a], subscriptsOf(model, shape, a), shape.widths[a], at);
    };
    isl::set written = elements(stores.front(), writer);
    for (AccessId a : stores) written = written.unite(elements(a, writer));
    written = sets.forget(written, writer).coalesce();
    isExact = sets.relations.exactness() == Exactness::Exact;
    answer.reason = sets.relations.reason();
    isl::set wanted = sets.forget(elements(load, reader), reader).coalesce();
    // What only one of them mentions keeps its range on both sides.
    return sets.relations.withRanges(wanted.subtract(written));
  });
  if (!uncovered) {
    answer.reason = "too complex";
    return answer;
  }
  auto verdict = sets.budget.answer([&]() -> Coverage {
    Coverage c = answer;
    c.reason.clear();
    if (uncovered->is_empty()) {
      // What may be written is a superset of what is: all inside it proves nothing.
      c.verdict = isExact ? Coverage::Covered : Coverage::Unknown;
      if (!isExact) c.reason = answer.reason;
      return c;
    }
    if (sets.relations.exactness() != Exactness::Exact) {
      c.reason = sets.relations.reason();
      return c;
    }
    c.verdict = Coverage::Uncovered;
    isl::point point = uncovered->project_out_all_params().sample_point();
    for (unsigned d = 0; d < unsigned(uncovered->tuple_dim()); ++d) {
      isl::val v = isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_set, int(d)));
      c.reason += "[" + std::to_string(isl_val_get_num_si(v.get())) + "]";
    }
    return c;
  });
  if (verdict) return *verdict;
  answer.reason = "too complex";
  return answer;
}

}  // namespace hone::analysis
