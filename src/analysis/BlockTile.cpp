#include "analysis/BlockTile.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "affine/DigitSums.h"
#include "affine/ElementSets.h"

namespace hone::analysis {

using namespace affine;

namespace {

constexpr int64_t mostElements = 1 << 20;
constexpr size_t mostComparisons = 32;  // of the condition around a load

std::optional<int64_t> integer(const isl::val& v) {
  if (!isl_val_is_int(v.get())) return std::nullopt;
  return isl_val_get_num_si(v.get());
}

class TileFinder {
 public:
  TileFinder(const KernelModel& m, const TileRequest& request)
      : model(m), atoms(*m.atoms), sets(m, nullptr, 8 * IslBudget::usual), relations(sets.relations) {
    tile.what = request;
  }

  Tile run() {
    tile.array = model.accesses[tile.what.accesses.front()].array;
    if (!understood()) return std::move(tile);
    inBlock.own = threadsAndLoops();
    for (LoopId l = loop().isNone() ? loop() : model.loops[loop()].parent; l.isSome();
         l = model.loops[l].parent) {
      around.push_back(l);
      inBlock.own.loops &= ~loopBit(l);
    }
    if (loop().isSome()) {
      // The symbol of the variable's value there comes first, so that sums begin with it.
      atoms.helper("start value of " + model.loops[loop()].handle, nullptr, INT64_MIN, INT64_MAX);
      tile.start = atoms.helper("start of " + model.loops[loop()].handle, nullptr, 0, INT32_MAX);
    }
    auto found = sets.budget.answer([&] { return box() && writtenOnce() && guard(); });
    if (!found) {
      tile.isTooComplex = true;
      fail("what the block reads of " + name() + " is too complex");
    }
    return std::move(tile);
  }

 private:
  LoopId loop() const { return tile.what.loop; }
  std::string name() const { return model.arrays[tile.array].name; }
  // Symbols of one name are one symbol, whose range the first says: that of another tile of the array must
  // have another name.
  Poly symbol(const std::string& what, const Range& range) const {
    return atoms.helper(
        what + " of " + name() + " from " + std::to_string(range.low) + " to " + std::to_string(range.high),
        nullptr, range.low, range.high);
  }
  bool fail(std::string text) {
    if (tile.reason.empty()) tile.reason = std::move(text);
    return false;
  }

  bool understood() {
    const Shape& shape = sets.shape(tile.array);
    const Array& array = model.arrays[tile.array];
    for (AccessId a : tile.what.accesses) {
      const Access& access = model.accesses[a];
      if (!sets.isKnown(a))
        return fail(access.reason.empty()
                        ? "the address of " + access.handle + " is not understood"
                        : "the address of " + access.handle + " is not known: " + access.reason);
      if (access.exactness != Exactness::Exact)
        return fail("when " + access.handle + " happens is not known: " + access.reason);
      if (!array.element || shape.unit != int64_t(ir::sizeOf(*array.element)) || shape.widths[a] != 1 ||
          !ir::sameType(access.place->type, array.element))
        return fail("parts of the elements of " + name() + " are accessed by themselves");
    }
    tile.extents = shape.extents;
    return true;
  }

  // Elements of one access in the iterations of the tile, the loop's own bound left aside.
  isl::set inIterations(AccessId a, const CondPtr& guard, bool withGuard) {
    Access access = model.accesses[a];
    std::erase(access.loops, loop());
    access.guard = guard;
    const Shape& shape = sets.shape(tile.array);
    isl::set s = relations.elementsSummed(access, shape.subscripts[a], 1, inBlock, withGuard, loop());
    if (loop().isSome()) {
      isl::pw_aff counter = relations.counter(loop(), inBlock), first = relations.value(tile.start, inBlock);
      isl::pw_aff end = first.add(relations.number(tile.what.depth));
      s = s.intersect_params(counter.ge_set(first).intersect(counter.lt_set(end)));
    }
    return sets.forget(relations.withRanges(s), inBlock);
  }

  isl::set unite(const std::function<isl::set(AccessId)>& of) {
    const unsigned n = sets.shape(tile.array).dimensions();
    isl::set all = isl::set::empty(isl::space::unit(relations.ctx()).add_unnamed_tuple(n));
    for (AccessId a : tile.what.accesses) all = all.unite(of(a));
    return all;
  }

  // One dimension by itself: the stride of a set's dimension is one only for given values of the others.
  static isl::set alone(const isl::set& whole, unsigned d) {
    const auto n = unsigned(isl_set_dim(whole.get(), isl_dim_set));
    isl_set* s = isl_set_project_out(whole.copy(), isl_dim_set, d + 1, n - d - 1);
    return isl::manage(isl_set_project_out(s, isl_dim_set, 0, d));
  }

  // Where a dimension begins: a function that is never above its least element and as near to it as keeps the
  // extent a number. At clamped borders that is where the box would begin without the border.
  bool dimension(const isl::set& whole, unsigned d, isl::pw_aff_list& lows) {
    auto low = leastOf(whole, d), high = greatestOf(whole, d);
    if (!low || !high) return false;
    std::optional<isl::pw_aff> best;
    int64_t extent = INT64_MAX;
    bool isExact = false;
    low->coalesce().foreach_piece([&](const isl::set&, const isl::multi_aff& piece) {
      isl::pw_aff candidate = piece.at(0);
      auto below = integer(low->sub(candidate).min_val()), reach = integer(high->sub(candidate).max_val());
      if (!below || *below < 0 || !reach || *reach >= extent) return;
      best = candidate, extent = *reach;
      auto above = integer(low->sub(candidate).max_val());
      isExact = above && *above == 0;
    });
    if (!best) return false;
    auto first = polyOf(*best, relations);
    if (!first) return false;
    TileDimension dim;
    dim.first = *first;
    if (isExact)
      if (auto stride = integer(isl::manage(isl_set_get_stride(alone(whole, d).get(), 0)));
          stride && *stride > 1)
        dim.stride = *stride;
    dim.count = extent / dim.stride + 1;
    if (loop().isSome()) dim.followsLoop = dim.first.mentions(tile.start.atoms().front());
    tile.dimensions.push_back(dim);
    lows = lows.add(*best);
    return true;
  }

  std::string unbounded() const {
    return "what a block reads of " + name() +
           (loop().isNone() ? "" : " in some iterations of " + model.loops[loop()].handle) +
           " is no box of a size known before the launch";
  }

  bool box() {
    relations.start();
    const unsigned n = sets.shape(tile.array).dimensions();
    isl::pw_aff_list lows(relations.ctx(), int(n));
    // Guards count only where there is no box without them: a tile for all threads needs fewer conditions
    // around its use.
    bool isFound = false;
    for (bool withGuard : {false, true}) {
      if (isFound) break;
      tile.dimensions.clear();
      lows = isl::pw_aff_list(relations.ctx(), int(n));
      isl::set whole =
          unite([&](AccessId a) { return inIterations(a, model.accesses[a].guard, withGuard); }).coalesce();
      isFound = true;
      for (unsigned d = 0; d < n && isFound; ++d) isFound = dimension(whole, d, lows);
    }
    if (!isFound) return fail(unbounded());
    for (unsigned d = 0; d < n; ++d) {
      if (tile.dimensions[d].count > mostElements || tile.size() > mostElements) return fail(unbounded());
      tile.slots.push_back(symbol("slot " + std::to_string(d), {0, tile.dimensions[d].count - 1}));
    }
    for (unsigned d = 0; d < n; ++d) {
      tile.elements.push_back(symbol("element " + std::to_string(d), atoms.range(tile.element(d))));
    }
    // The box is the tile's own corner grid moved to where it begins.
    std::string names, bounds;
    for (unsigned d = 0; d < n; ++d) {
      const TileDimension& dim = tile.dimensions[d];
      const std::string t = "t" + std::to_string(d);
      names += (d ? ", " : "") + t;
      bounds += (d ? " and 0 <= " : "0 <= ") + t + " < " + std::to_string(dim.stride * dim.count);
      if (dim.stride > 1) bounds += " and " + t + " mod " + std::to_string(dim.stride) + " = 0";
    }
    isl::set grid(relations.ctx(), "{ [" + names + "] : " + bounds + " }");
    isl::multi_pw_aff corner(isl::space::unit(relations.ctx()).add_unnamed_tuple(n), lows);
    isl::set at = corner.as_set();
    grid = isl::manage(isl_set_align_params(grid.release(), isl_set_get_space(at.get())));
    boxSet = isl::manage(isl_map_sum(isl_map_from_range(grid.release()), isl_map_from_range(at.release())))
                 .range();
    // Whether threads that a guard leaves out would stay inside as well.
    isl::set everybody = unite([&](AccessId a) { return inIterations(a, always(), true); });
    tile.isForAll = everybody.is_subset(boxSet);
    const Shape& shape = sets.shape(tile.array);
    for (AccessId a : tile.what.accesses) {
      std::vector<Poly> place;
      int64_t times = model.threads();
      for (unsigned d = 0; d < n; ++d) {
        const TileDimension& dim = tile.dimensions[d];
        const Poly distance = shape.subscripts[a][d] - dim.first;
        place.push_back(distance.isDivisible(dim.stride) ? distance.dividedExactly(dim.stride)
                                                         : atoms.div(distance, dim.stride));
      }
      tile.places.push_back(std::move(place));
      for (LoopId l : model.accesses[a].loops) {
        if (std::find(around.begin(), around.end(), l) != around.end()) continue;
        times = std::min(mostElements,
                         times * (l == loop() ? tile.what.depth : iterationsAtMost(model.loops[l])));
      }
      tile.executions += times;
    }
    return true;
  }

  // As a condition on `elements`, for what lies in the box.
  std::optional<CondPtr> written(const isl::set& touched, const isl::set& box) {
    const isl::set here = isl::manage(isl_set_remove_redundancies(touched.gist(box).release()));
    std::optional<CondPtr> best;
    size_t fewest = SIZE_MAX;
    for (const std::vector<isl::set>& pieces : {merged(here), std::vector<isl::set>{touched.coalesce()}}) {
      std::vector<CondPtr> parts;
      bool isWritten = true;
      for (const isl::set& piece : pieces) {
        if (piece.intersect(box).is_empty()) continue;
        auto cond = condOf(piece.gist(box), relations, tile.elements);
        isWritten = isWritten && cond;
        if (cond) parts.push_back(*cond);
      }
      CondPtr cond = anyOf(std::move(parts));
      if (isWritten && comparisons(cond) < fewest) best = cond, fewest = comparisons(cond);
    }
    return fewest <= mostComparisons ? best : std::nullopt;
  }

  static size_t comparisons(const CondPtr& cond) {
    size_t n = cond->parts.empty() ? 1 : 0;
    for (const CondPtr& part : cond->parts) n += comparisons(part);
    return n;
  }

  // Iterations of a loop where they are a number, or end with a counter of a loop around (the most of them
  // then), else 1.
  int64_t iterationsAtMost(const Loop& loop) const {
    if (!loop.values.empty()) return int64_t(loop.values.size());
    if (const auto iterations = iterationsOf(loop)) return *iterations;
    if (loop.byDistance || !loop.runs || loop.runs->kind != CondKind::AtLeast0) return 1;
    const auto fall = loop.runs->value.coefficient(loop.counter).constant();
    if (!fall || *fall >= 0) return 1;
    const Poly last = loop.runs->value.without(loop.counter);
    int64_t most = last.constantPart();
    for (const auto& [monomial, factor] : last.terms()) {
      if (monomial.empty()) continue;
      const auto outer = std::find_if(model.loops.begin(), model.loops.end(), [&](const Loop& l) {
        return monomial.size() == 1 && l.counter == monomial.front() && iterationsOf(l);
      });
      if (outer == model.loops.end()) return 1;
      if (factor > 0) most += factor * (*iterationsOf(*outer) - 1);
    }
    return std::clamp<int64_t>(most / -*fall + 1, 1, mostElements);
  }

  // Pieces put together where what they span is no more than they are, with bounds that one of them has
  // already: unlike coalescing this makes no slanted ones.
  static std::vector<isl::set> merged(const isl::set& s) {
    std::vector<isl::set> pieces;
    s.foreach_basic_set([&](const isl::basic_set& piece) { pieces.push_back(piece); });
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < pieces.size() && !changed; ++i)
        for (size_t j = i + 1; j < pieces.size() && !changed; ++j) {
          const isl::set both = pieces[i].unite(pieces[j]);
          const isl::set hull = isl::manage(isl_set_from_basic_set(isl_set_simple_hull(both.copy())));
          if (!hull.is_subset(s)) continue;
          pieces[i] = hull;
          pieces.erase(pieces.begin() + std::ptrdiff_t(j));
          changed = true;
        }
    }
    return pieces;
  }

  // Of a store: no two threads of the block write one element.
  bool writtenOnce() {
    if (!tile.what.isStore) return true;
    const AccessId a = tile.what.accesses.front();
    const Point one{"@", inBlock.own}, other{"@other", inBlock.own};
    auto at = [&](const Point& point) {
      return relations.elements(model.accesses[a], sets.shape(tile.array).subscripts[a], 1, point, true);
    };
    const isl::set both = at(one).intersect(at(other));
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (model.block[axis] == 1) continue;
      isl::set differ = relations.thread(axis, one).ne_set(relations.thread(axis, other));
      if (!relations.withRanges(both.intersect_params(differ)).is_empty())
        return fail("threads of a block may write one element of " + name() + " twice");
    }
    return true;
  }

  // What is known anyway of the parameters of a set.
  isl::set rangesOf(const isl::set& s) const {
    return relations.withRanges(isl::manage(isl_set_universe(isl_set_get_space(s.params().get()))));
  }

  // The elements that the launch touches; where they cannot be written down, those that the block touches.
  bool guard() {
    const Point here{"@", Variation{}};
    isl::set context = relations.domain(around, always(), here);
    if (loop().isSome()) {
      const Loop& l = model.loops[loop()];
      if (l.runs)
        context =
            context.intersect(relations.holds(atoms.substitute(l.runs, {{l.counter, tile.start}}), here));
      context = context.intersect(relations.value(tile.start, here).ge_set(relations.number(0)));
    }
    for (const CondPtr& known : tile.what.known) context = context.intersect(relations.holds(known, here));
    const isl::set box = relations.withRanges(boxSet.intersect_params(context));
    for (bool wholeLaunch : {true, false}) {
      if (wholeLaunch && tile.what.isStore) continue;
      relations.start();
      const Point at = wholeLaunch ? Point{"@", everything()} : inBlock;
      isl::set touched = unite([&](AccessId a) {
        const Access& access = model.accesses[a];
        isl::set s =
            relations.elementsSummed(access, sets.shape(tile.array).subscripts[a], 1, at, true, loop());
        if (!wholeLaunch && loop().isSome()) {
          isl::pw_aff counter = relations.counter(loop(), at), first = relations.value(tile.start, at);
          s = s.intersect_params(
              counter.ge_set(first).intersect(counter.lt_set(first.add(relations.number(tile.what.depth)))));
          s = relations.withRanges(s);
        }
        return sets.forget(s, at);
      });
      if (relations.exactness() != Exactness::Exact)
        return fail("which elements of " + name() + " are read is not known exactly: " + relations.reason());
      if (box.intersect_params(rangesOf(touched)).is_subset(touched)) {
        tile.exists = always();
        return true;
      }
      if (auto cond = written(touched, box.intersect_params(rangesOf(touched)))) {
        tile.exists = *cond;
        return true;
      }
    }
    return fail("which elements of " + name() + " are read cannot be written as a condition");
  }

  const KernelModel& model;
  Atoms& atoms;
  ElementSets sets;
  Relations& relations;
  Tile tile;
  Point inBlock;               // threads of the block and the iterations of the tile are its own
  std::vector<LoopId> around;  // loops around the loop of the tile
  isl::set boxSet;
};

}  // namespace

Tile tileOf(const KernelModel& model, const TileRequest& request) {
  try {
    return TileFinder(model, request).run();
  } catch (const TooLarge& e) {
    Tile none;
    none.reason = e.what();
    return none;
  }
}

}  // namespace hone::analysis
