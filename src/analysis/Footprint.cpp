#include "analysis/Footprint.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "affine/ElementSets.h"

namespace hone::analysis {

using namespace affine;

namespace {

// Which coordinates are the instance's own: those that the footprint is a union over.
Variation unionOver(const KernelModel& model, const FootprintOf& question) {
  Variation own = question.scope == Scope::Thread ? loopsOnly() : threadsAndLoops();
  for (LoopId l = question.loop; l.isSome(); l = model.loops[l].parent) own.loops &= ~loopBit(l);
  return own;
}

std::optional<int64_t> difference(const isl::pw_aff& low, const isl::pw_aff& high) {
  isl::val least = high.sub(low).min_val(), most = high.sub(low).max_val();
  if (!isl_val_is_int(least.get()) || !least.eq(most)) return std::nullopt;
  return isl_val_get_num_si(least.get());
}

// The set moved so that its box starts at 0: the same for all parameters, or nothing.
std::optional<isl::set> atOrigin(const isl::set& s) {
  isl::multi_pw_aff low = s.min_multi_pw_aff();
  isl::map moved = isl::manage(
      isl_map_sum(isl_map_from_range(s.copy()), isl_map_from_range(low.neg().as_set().release())));
  isl::set shifted = moved.range();
  isl::set always = shifted.project_out_all_params();
  isl::set params = shifted.params();
  if (!always.intersect_params(params).is_equal(shifted)) return std::nullopt;
  return always;
}

}  // namespace

namespace {

// Whether the first iteration of the loops around an access runs for the first thread of every block.
bool isEntered(const KernelModel& model, const Access& access, const Launch* launch) {
  Atoms& atoms = *model.atoms;
  Atoms::Substitution first;
  for (unsigned axis = 0; axis < 3; ++axis) first[atoms.thread(axis).atoms().front()] = 0;
  if (launch) {
    const affine::Values values(atoms, *launch);
    for (AtomId id = 0; id < atoms.size(); ++id)
      if (atoms[id].kind == AtomKind::Symbol)
        if (const auto value = values.of(id)) first[id] = *value;
  }
  for (const LoopId index : access.loops) {
    const Loop& loop = model.loops[index];
    first[loop.counter] = loop.values.empty() ? 0 : loop.values.front();
    if (atoms.choice(atoms.substitute(loop.runs, first), 1, 0) != Poly(1)) return false;
  }
  return true;
}

}  // namespace

Footprint footprint(const KernelModel& model, const std::vector<AccessId>& accesses,
                    const FootprintOf& question, const Launch* launch) {
  Footprint f;
  if (accesses.empty()) {
    f.reason = "no access";
    return f;
  }
  f.array = model.accesses[accesses.front()].array;
  if (f.array.isNone()) {
    f.reason = model.accesses[accesses.front()].reason;
    return f;
  }
  ElementSets sets(model, launch);
  const Shape& shape = sets.shape(f.array);
  f.unit = shape.unit;
  for (AccessId a : accesses)
    if (!sets.isKnown(a)) {
      f.reason = model.accesses[a].reason.empty()
                     ? "the address of " + model.accesses[a].handle + " is not understood"
                     : model.accesses[a].reason;
      return f;
    }
  Relations& relations = sets.relations;
  Point at{"@", unionOver(model, question)};
  auto whole = sets.budget.answer([&] {
    relations.start();
    if (question.scope != Scope::Warp) return sets.touched(accesses, at, false).coalesce();
    isl::set s = sets.of(accesses, at, false);
    int64_t warps = (int64_t(model.threads()) + 31) / 32;
    isl::pw_aff warp = relations.value(model.atoms->symbol("warp", nullptr, 0, warps - 1), at);
    isl::pw_aff first = warp.scale(isl::val(relations.ctx(), 32)),
                lane = relations.linearThread(at).sub(first);
    s = s.intersect_params(lane.ge_set(relations.number(0)).intersect(lane.lt_set(relations.number(32))));
    return sets.forget(relations.withRanges(s), at).coalesce();
  });
  if (!whole) {
    f.reason = "too complex";
    return f;
  }
  f.exactness = relations.exactness();
  f.reason = relations.reason();
  f.conditions = sets.conditions(accesses);
  // Whether guards take something away, for some value of what is fixed.
  for (AccessId a : accesses) {
    const Access& access = model.accesses[a];
    if (hasUnknown(access.guard)) {
      f.isGuarded = true;
      if (f.exactness == Exactness::Exact)
        f.exactness = Exactness::Over, f.reason = unknownReason(access.guard);
      continue;
    }
    Point anywhere{"@", everything()};
    auto covers = sets.budget.answer([&] {
      return relations.domain(access, anywhere, false).is_subset(relations.domain(access, anywhere, true));
    });
    f.isGuarded |= !covers || !*covers || !isEntered(model, access, launch);
  }
  auto boxed = sets.budget.answer([&] {
    isl::set box = isl::set::universe(whole->space());
    bool isBounded = true;
    for (unsigned d = 0; d < shape.dimensions(); ++d) {
      Extent e;
      auto low = leastOf(*whole, d), high = greatestOf(*whole, d);
      if (low) e.low = polyOf(*low, relations);
      if (high) e.high = polyOf(*high, relations);
      e.text = (low ? textOf(*low, relations) : "?") + " … " + (high ? textOf(*high, relations) : "?");
      if (low && high) {
        if (auto n = difference(*low, *high)) e.count = *n + 1;
      } else {
        isBounded = false;
      }
      f.box.push_back(std::move(e));
    }
    if (isBounded) {
      box = box.lower_bound(whole->min_multi_pw_aff()).upper_bound(whole->max_multi_pw_aff());
      f.isBox = box.intersect_params(whole->params()).is_subset(*whole);
    }
    return true;
  });
  if (!boxed) {
    f.box.clear();
    f.exactness = Exactness::Unknown;
    f.reason = "too complex";
    return f;
  }
  int64_t volume = 1;
  bool isCounted = true;
  for (const Extent& e : f.box) {
    isCounted &= e.count.has_value() && volume <= INT32_MAX && *e.count <= INT32_MAX;
    if (isCounted) volume *= *e.count;
  }
  if (!isCounted) return f;
  if (f.isBox) {
    f.elements = volume;
  } else if (volume <= 1 << 14) {
    auto count = sets.budget.answer([&]() -> int64_t {
      auto origin = atOrigin(*whole);
      if (!origin) return -1;
      return isl_val_get_num_si(isl::manage(isl_set_count_val(origin->get())).get());
    });
    if (count && *count >= 0) f.elements = *count;
  }
  return f;
}

std::optional<std::vector<Halo>> haloAround(const Footprint& tile, const Footprint& what) {
  if (tile.box.size() != what.box.size() || tile.box.empty()) return std::nullopt;
  std::vector<Halo> halo;
  for (size_t d = 0; d < tile.box.size(); ++d) {
    const Extent &inner = tile.box[d], &outer = what.box[d];
    if (!inner.low || !inner.high || !outer.low || !outer.high) return std::nullopt;
    auto before = (*inner.low - *outer.low).constant(), after = (*outer.high - *inner.high).constant();
    if (!before || !after) return std::nullopt;
    halo.push_back({*before, *after});
  }
  return halo;
}

std::optional<std::vector<Halo>> haloAroundThreads(const KernelModel& model, const Footprint& what) {
  Atoms& atoms = *model.atoms;
  std::vector<Halo> halo;
  for (const Extent& e : what.box) {
    if (!e.low || !e.count) return std::nullopt;
    bool found = false;
    for (unsigned axis = 0; axis < 3 && !found; ++axis) {
      AtomId block = atoms.block(axis).atoms().front();
      int64_t size = model.block[axis];
      if (e.low->coefficient(block) != Poly(size)) continue;
      auto offset = e.low->without(block).constant();
      if (!offset) continue;
      halo.push_back({-*offset, *e.count + *offset - size});
      found = true;
    }
    if (!found) return std::nullopt;
  }
  return halo;
}

std::optional<ByteRanges> bytesTouched(const KernelModel& model, const std::vector<AccessId>& accesses,
                                       const Launch& launch, const std::array<int64_t, 3>& block,
                                       uint64_t limit) {
  std::vector<std::pair<int64_t, int64_t>> pieces;
  auto tidy = [&] {
    std::sort(pieces.begin(), pieces.end());
    size_t out = 0;
    for (const auto& piece : pieces) {
      if (out && piece.first <= pieces[out - 1].second)
        pieces[out - 1].second = std::max(pieces[out - 1].second, piece.second);
      else
        pieces[out++] = piece;
    }
    pieces.resize(out);
  };
  size_t tidyAt = 1 << 16;
  for (AccessId a : accesses) {
    const Access& access = model.accesses[a];
    if (!access.isResolved() || access.exactness != Exactness::Exact) return std::nullopt;
    bool done = forEachRequest(model, access, launch, {block}, limit, [&](const WarpRequest& request) {
      for (unsigned lane = 0; lane < 32; ++lane)
        if (request.mask >> lane & 1) {
          int64_t first = request.address[lane], last = first + access.bytes;
          if (!pieces.empty() && pieces.back().second >= first && pieces.back().first <= first)
            pieces.back().second = std::max(pieces.back().second, last);
          else
            pieces.emplace_back(first, last);
        }
      if (pieces.size() >= tidyAt) {
        tidy();
        tidyAt = std::max<size_t>(1 << 16, pieces.size() * 2);
      }
    });
    if (!done) return std::nullopt;
  }
  tidy();
  return pieces;
}

int64_t countBytes(const ByteRanges& ranges) {
  int64_t bytes = 0;
  for (const auto& [first, last] : ranges) bytes += last - first;
  return bytes;
}

ByteRanges common(const ByteRanges& a, const ByteRanges& b) {
  ByteRanges both;
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    int64_t first = std::max(a[i].first, b[j].first), last = std::min(a[i].second, b[j].second);
    if (first < last) both.emplace_back(first, last);
    (a[i].second < b[j].second ? i : j)++;
  }
  return both;
}

}  // namespace hone::analysis
