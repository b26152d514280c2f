#include "analysis/Ranges.h"

#include <isl/point.h>
#include <isl/set.h>

#include "affine/ElementSets.h"

namespace hone::analysis {

using namespace affine;

namespace {

// Numbers for every unknown of one execution of an access.
struct Example {
  Launch launch;
  std::map<AtomId, int64_t> coordinates;  // blocks, threads, loop counters
};

class RangeQuestion {
 public:
  RangeQuestion(ElementSets& known, AccessId index, const Launch* numbers)
      : model(known.model),
        access(known.model.accesses[index]),
        atoms(*known.model.atoms),
        sets(known),
        launch(numbers),
        number(index) {}

  RangeAnswer run(const ArraySizes& sizes) {
    if (access.array.isNone())
      return unknown(access.reason.empty() ? "memory that is not known" : access.reason);
    if (!sets.isKnown(number))
      return unknown(access.reason.empty() ? "the address is not understood" : access.reason);
    auto elements = sizeOf(sizes);
    if (!elements) return unknown("the size of " + model.arrays[access.array].name + " is not given");
    const Shape& shape = sets.shape(access.array);
    const int64_t bytes = int64_t(ir::sizeOf(*model.arrays[access.array].element));
    size = inNumbers(*elements * Poly(bytes / shape.unit));
    width = shape.widths[number];
    flat = inNumbers(access.address.dividedExactly(shape.unit));
    for (unsigned r : access.requirements) answer.conditions.push_back(model.requirements[r]);

    if (staysIn({flat, size - Poly(width) - flat}) || staysInDimensions(shape)) {
      answer.within = Within::Yes;
      return answer;
    }
    // Where the address itself is linear, a hit is found directly; with a width known at run time dimension
    // by dimension.
    leave({-flat - 1});
    leave({flat - size + Poly(width - 1)});
    if (!answer.isBelow && !answer.isAbove && shape.dimensions() > 1) leavesByDimensions(shape);
    if (answer.isBelow || answer.isAbove)
      answer.within = Within::MayLeave;
    else
      answer.reason = doubt.empty() ? "neither proved nor refuted" : doubt;
    return answer;
  }

 private:
  RangeAnswer unknown(std::string why) {
    answer.reason = std::move(why);
    return answer;
  }

  Poly inNumbers(const Poly& p) {
    if (!launch) return p;
    Atoms::Substitution values;
    atoms.forEachAtom(p, [&](AtomId id) {
      if (atoms[id].kind != AtomKind::Symbol) return;
      if (auto n = sets.relations.numberOf(Poly::atom(id))) values[id] = Poly(*n);
    });
    return values.empty() ? p : atoms.substitute(p, values);
  }

  std::optional<Poly> sizeOf(const ArraySizes& sizes) const {
    if (auto it = sizes.find(access.array); it != sizes.end()) return it->second;
    const Array& array = model.arrays[access.array];
    // A scalar in memory is an array of one; a pointer's target has no size of its own.
    if (array.extents.empty() &&
        (!array.var || array.var->type->isPointer() || array.name != array.var->name))
      return std::nullopt;
    int64_t product = 1;
    for (int64_t e : array.extents) {
      if (e < 0) return std::nullopt;
      product = checkedMul(product, e);
    }
    return Poly(product);
  }

  isl::set domain() { return sets.relations.domain(access, at); }

  // Whether none of these is ever negative; what is not proved adds to staysIf.
  bool staysIn(const std::vector<Poly>& slacks) {
    std::vector<Requirement> needs;
    bool isProved = true, isWritten = true;
    for (const Poly& slack : slacks) {
      if (atoms.range(slack).low >= 0) continue;
      auto holds = sets.budget.answer([&] {
        isl::set fails = sets.relations.value(slack, at).lt_set(sets.relations.number(0));
        return sets.relations.withRanges(fails.intersect(domain())).is_empty();
      });
      if (holds && *holds) continue;
      isProved = false;
      auto least = sets.budget.answer([&]() -> std::optional<Poly> {
        isl::set values = sets.relations.elements(access, {slack}, 1, at);
        values = sets.forget(values, at).coalesce();
        auto low = leastOf(values, 0);
        if (!low) return std::nullopt;
        return polyOf(*low, sets.relations);
      });
      if (least && *least && atoms.isLaunchUniform(**least))
        needs.push_back({**least, 0, INT64_MAX, atoms.str(**least) + " must not be negative", access.loc});
      else
        isWritten = false;
    }
    if (!isProved && isWritten && answer.staysIf.empty()) answer.staysIf = needs;
    if (isProved) answer.staysIf.clear();
    return isProved;
  }

  // The outermost extent that makes the dimensions fill the array exactly.
  std::optional<Poly> outermost(const Shape& shape) const {
    Poly row = 1;
    for (const Poly& e : shape.extents) row = row * e;
    if (row.isZero()) return std::nullopt;
    Quotient q = divide(size, row);
    if (!q.rest.isZero()) return std::nullopt;
    return q.quotient;
  }

  Poly room(const Shape& shape, const Poly& outer, unsigned d) const {
    const bool isLast = d + 1 == shape.dimensions();
    return (d ? shape.extents[d - 1] : outer) - Poly(isLast ? width : 1);
  }

  bool staysInDimensions(const Shape& shape) {
    if (shape.dimensions() < 2) return false;
    auto outer = outermost(shape);
    if (!outer) return false;
    std::vector<Poly> slacks;
    for (unsigned d = 0; d < shape.dimensions(); ++d) {
      const Poly s = inNumbers(shape.subscripts[number][d]);
      slacks.push_back(s);
      slacks.push_back(inNumbers(room(shape, *outer, d)) - s);
    }
    return staysIn(slacks);
  }

  // Past the last element: the leading subscripts are the last ones, the next is beyond; before the first
  // likewise.
  void leavesByDimensions(const Shape& shape) {
    auto outer = outermost(shape);
    if (!outer) return;
    for (bool isAbove : {false, true})
      for (unsigned d = 0; d < shape.dimensions(); ++d) {
        std::vector<Poly> all;
        for (unsigned e = 0; e < shape.dimensions(); ++e) {
          const Poly s = inNumbers(shape.subscripts[number][e]), last = inNumbers(room(shape, *outer, e));
          if (e < d)
            all.push_back(isAbove ? s - last : -s), all.push_back(isAbove ? last - s : s);
          else if (e == d)
            all.push_back(isAbove ? s - last - 1 : -s - 1);
          else
            all.push_back(isAbove ? s : last - s);
        }
        if (!(isAbove ? answer.isAbove : answer.isBelow)) leave(all);
      }
  }

  // Looks for an execution where none of these is negative. What isl finds is checked with numbers, which
  // also say on which side it is.
  void leave(const std::vector<Poly>& atLeastZero) {
    const auto found = sets.budget.answer([&]() -> std::optional<Example> {
      sets.relations.start();
      isl::set where = domain();
      for (const Poly& p : atLeastZero)
        where = where.intersect(sets.relations.value(p, at).ge_set(sets.relations.number(0)));
      for (unsigned r : access.requirements) {
        const Requirement& must = model.requirements[r];
        isl::pw_aff v = sets.relations.value(must.value, at);
        if (must.low != INT64_MIN) where = where.intersect(v.ge_set(sets.relations.number(must.low)));
        if (must.high != INT64_MAX) where = where.intersect(v.le_set(sets.relations.number(must.high)));
      }
      where = sets.relations.withRanges(where);
      if (where.is_empty()) return std::nullopt;
      // Small examples read better; the first kind that exists is taken.
      for (int64_t limit : {int64_t(64), int64_t(4096), INT64_MAX})
        for (int64_t least : {int64_t(1), INT64_MIN}) {
          isl::set some = withSymbols(where, least, limit);
          if (some.is_empty()) continue;
          Example e = exampleIn(some);
          if (elementIn(e)) return e;
        }
      if (doubt.empty())
        doubt = sets.relations.reason().empty() ? "not proved, and no example was found"
                                                : sets.relations.reason();
      return std::nullopt;
    });
    if (!found && doubt.empty()) doubt = "too complex";
    if (!found || !*found) return;
    (*elementIn(**found) < 0 ? answer.isBelow : answer.isAbove) = true;
    if (answer.reason.empty()) answer.reason = inWords(**found);
  }

  isl::set withSymbols(isl::set s, int64_t least, int64_t most) {
    const int n = int(isl_set_dim(s.get(), isl_dim_param));
    for (int i = 0; i < n; ++i) {
      const char* name = isl_set_get_dim_name(s.get(), isl_dim_param, unsigned(i));
      const bool isSymbol = name && std::string(name).find('@') == std::string::npos;
      isl::pw_aff p = isl::pw_aff::param_on_domain(
          sets.relations.universe(), isl::manage(isl_set_get_dim_id(s.get(), isl_dim_param, unsigned(i))));
      if (isSymbol && least != INT64_MIN) s = s.intersect(p.ge_set(sets.relations.number(least)));
      if (most != INT64_MAX) s = s.intersect(p.le_set(sets.relations.number(most)));
    }
    return s;
  }

  Example exampleIn(const isl::set& s) {
    Example e;
    if (launch) e.launch = *launch;
    isl::point point = s.sample_point();
    const int n = int(isl_set_dim(s.get(), isl_dim_param));
    for (int i = 0; i < n; ++i) {
      const char* name = isl_set_get_dim_name(s.get(), isl_dim_param, unsigned(i));
      isl::val v = isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_param, i));
      auto meaning = name ? sets.relations.meaning(name) : std::nullopt;
      if (!meaning || !isl_val_is_int(v.get()) || isl_val_n_abs_num_chunks(v.get(), 8) > 1) continue;
      const int64_t value = isl_val_get_num_si(v.get());
      const std::vector<AtomId> ids = meaning->atoms();
      if (ids.size() != 1 || *meaning != Poly::atom(ids[0])) continue;
      const Atom& atom = atoms[ids[0]];
      if (atom.is(affine::SymbolKind::GridDim))
        e.launch.grid[atom.axis] = value;
      else if (atom.is(affine::SymbolKind::GlobalOffset))
        e.launch.globalOffset[atom.axis] = value;
      else if (atom.is(affine::SymbolKind::WorkDim))
        e.launch.workDim = value;
      else if (atom.kind == AtomKind::Symbol)
        e.launch.symbols[atom.name] = value;
      else if (atom.kind == AtomKind::Block || atom.kind == AtomKind::Thread || atom.kind == AtomKind::Loop)
        e.coordinates[ids[0]] = value;
    }
    return e;
  }

  // The element touched in the example, where the access happens at all and outside the array. Nothing of isl
  // is used.
  std::optional<int64_t> elementIn(const Example& e) {
    Values values(atoms, e.launch);
    for (unsigned axis = 0; axis < 3; ++axis) values.setBlock(axis, 0), values.setThread(axis, 0);
    for (const auto& [id, v] : e.coordinates) {
      const Atom& atom = atoms[id];
      if (atom.kind == AtomKind::Block)
        values.setBlock(atom.axis, v);
      else if (atom.kind == AtomKind::Thread)
        values.setThread(atom.axis, v);
    }
    for (LoopId l : access.loops)
      if (!runs(model.loops[l], values, e)) return std::nullopt;
    if (!values.holds(access.guard).value_or(false) || access.exactness != Exactness::Exact)
      return std::nullopt;
    for (unsigned r : access.requirements) {
      auto v = values.value(model.requirements[r].value);
      if (!v || *v < model.requirements[r].low || *v > model.requirements[r].high) return std::nullopt;
    }
    auto element = values.value(flat), last = values.value(size);
    if (!element || !last || (*element >= 0 && *element + width <= *last)) return std::nullopt;
    return element;
  }

  // Sets the counter, having looked at every iteration before.
  bool runs(const Loop& loop, Values& values, const Example& e) {
    auto it = e.coordinates.find(loop.counter);
    const int64_t iteration =
        it == e.coordinates.end() ? (loop.values.empty() ? 0 : loop.values.front()) : it->second;
    if (loop.exactness != Exactness::Exact) return false;
    std::vector<int64_t> iterations;
    if (!loop.values.empty()) {
      for (int64_t v : loop.values) {
        iterations.push_back(v);
        if (v == iteration) break;
      }
    } else {
      int64_t step = 1;
      if (loop.byDistance) step = values.value(loop.step).value_or(0);
      if (step == 0 || iteration % step != 0 || iteration / step > 100'000 || iteration / step < 0)
        return false;
      for (int64_t c = 0; c != iteration; c += step) iterations.push_back(c);
      iterations.push_back(iteration);
    }
    if (iterations.empty() || iterations.back() != iteration) return false;
    for (int64_t c : iterations) {
      values.set(loop.counter, c);
      if (loop.runs && !values.holds(loop.runs).value_or(false)) return false;
    }
    return true;
  }

  std::string inWords(const Example& e) {
    std::string words;
    auto add = [&](const std::string& name, int64_t v) {
      words += (words.empty() ? "" : ", ") + name + " = " + std::to_string(v);
    };
    Values values(atoms, e.launch);
    for (unsigned axis = 0; axis < 3; ++axis) values.setBlock(axis, 0), values.setThread(axis, 0);
    for (const auto& [id, v] : e.coordinates) {
      const Atom& atom = atoms[id];
      if (atom.kind == AtomKind::Block) values.setBlock(atom.axis, v);
      if (atom.kind == AtomKind::Thread) values.setThread(atom.axis, v);
      if (atom.kind == AtomKind::Loop) values.set(id, v);
      if (atom.kind != AtomKind::Loop) add(atoms.str(Poly::atom(id)), v);
    }
    for (LoopId l : access.loops) {
      const Loop& loop = model.loops[l];
      auto it = e.coordinates.find(loop.counter);
      if (it == e.coordinates.end()) continue;
      auto first = values.value(loop.first), step = values.value(loop.step);
      if (loop.var && first && step && loop.values.empty())
        add(loop.var->name, *first + (loop.byDistance ? it->second : *step * it->second));
      else
        add("iteration of " + loop.handle, it->second);
    }
    if (!launch) {
      std::map<std::string, int64_t> numbers = e.launch.symbols;
      for (unsigned axis = 0; axis < 3; ++axis)
        if (const auto offset = e.launch.globalOffset[axis])
          numbers[atoms.str(atoms.globalOffset(axis))] = *offset;
      if (e.launch.workDim) numbers[atoms.str(atoms.workDim())] = *e.launch.workDim;
      for (const auto& [name, v] : numbers) add(name, v);
    }
    auto element = values.value(flat), all = values.value(size);
    if (!element || !all) return words;
    const int64_t unit = sets.shape(access.array).unit;
    const int64_t bytes = int64_t(ir::sizeOf(*model.arrays[access.array].element));
    words += (words.empty() ? "element " : ": element ") + std::to_string(floorDiv(*element * unit, bytes));
    if (*element >= 0) words += " of " + std::to_string(*all * unit / bytes);
    return words;
  }

  const KernelModel& model;
  const Access& access;
  Atoms& atoms;
  ElementSets& sets;
  const Launch* launch;
  AccessId number;
  const Point at{"@", everything()};
  Poly flat, size;
  int64_t width = 1;
  std::string doubt;
  RangeAnswer answer;
};

RangeAnswer answerWith(ElementSets& sets, AccessId access, const ArraySizes& sizes, const Launch* launch) {
  try {
    return RangeQuestion(sets, access, launch).run(sizes);
  } catch (const TooLarge& e) {
    RangeAnswer answer;
    answer.reason = e.what();
    return answer;
  }
}

}  // namespace

RangeAnswer withinArray(const KernelModel& model, AccessId access, const ArraySizes& sizes,
                        const Launch* launch) {
  ElementSets sets(model, launch);
  return answerWith(sets, access, sizes, launch);
}

ById<AccessId, RangeAnswer> withinArrays(const KernelModel& model, const ArraySizes& sizes,
                                         const Launch* launch) {
  ById<AccessId, RangeAnswer> answers(model.accesses.size());
  const auto answer = [&](ArrayId array) {
    // One budget per array, so that one that is too much does not leave the others without.
    ElementSets sets(model, launch);
    for (AccessId a : accessesOf(model, array)) answers[a] = answerWith(sets, a, sizes, launch);
  };
  answer(ArrayId::none());
  for (const ArrayId array : model.arrays.ids()) answer(array);
  return answers;
}

}  // namespace hone::analysis
