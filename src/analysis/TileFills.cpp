#include "analysis/TileFills.h"

#include <isl/set.h>

#include <algorithm>

#include "affine/ElementSets.h"

namespace hone::analysis {

using namespace affine;

namespace {

bool isOneOf(const std::vector<LoopId>& list, LoopId what) {
  return std::find(list.begin(), list.end(), what) != list.end();
}

class FillFinder {
 public:
  FillFinder(const KernelModel& m, AccessId read) : model(m), load(read), sets(m) {
    position.resize(model.accesses.size());
    for (size_t e = 0; e < model.events.size(); ++e)
      if (model.events[e].kind == EventKind::Access) position[model.events[e].access] = int(e);
  }

  TileFills run() {
    const ArrayId array = model.accesses[load].array;
    if (array.isNone() || !sets.isKnown(load)) return unknown("the address of " + nameOf(load));
    // 1. The stores that may have written what is read.
    std::vector<TileFill> all;
    for (const AccessId s : accessesOf(model, array)) {
      if (!model.accesses[s].writes()) continue;
      TileFill fill;
      fill.store = s;
      for (LoopId l : model.accesses[s].loops)
        if (isOneOf(model.accesses[load].loops, l)) fill.fixed.push_back(l);
      fill.inverse = invert(model, s, fill.fixed);
      if (fill.inverse.subscripts.empty()) return unknown("the address of " + nameOf(s));
      if (mayMeet(s, load)) all.push_back(std::move(fill));
    }
    if (all.empty()) return no("nothing is written to what " + nameOf(load) + " reads");
    const auto element = elementOf(model, all.front().inverse, load);
    if (!element) return unknown("the address of " + nameOf(load));
    answer.element = *element;
    if (!all.front().inverse.extents.empty()) answer.conditions = sets.shape(array).conditions;
    for (const TileFill& fill : all)
      if (sets.shape(array).widths[fill.store] != 1 || sets.shape(array).widths[load] != 1)
        return no("several elements are accessed at once");
    // 2. Those before it, in the same iteration of the loops that they share. What is filled anew inside of a
    // loop is not what stood there before the loop.
    for (TileFill& fill : all) {
      if (position[fill.store] > position[load]) continue;
      const bool isOlder = std::any_of(all.begin(), all.end(), [&](const TileFill& other) {
        return other.fixed.size() > fill.fixed.size() && mayMeet(fill.store, other.store);
      });
      if (!isOlder) answer.fills.push_back(fill);
    }
    if (answer.fills.empty()) return no("what is read was written in an iteration before");
    const auto done = sets.budget.answer([&] {
      cover();
      return true;
    });
    if (!done) return no("too complex");
    return std::move(answer);
  }

 private:
  static constexpr const char* ofReader = "@r";
  static constexpr const char* ofWriter = "@w";

  std::string nameOf(AccessId a) const { return model.accesses[a].handle; }
  void fail(std::string why) {
    answer.fills.clear();
    answer.reason = std::move(why);
  }
  TileFills no(std::string why) {
    fail(std::move(why));
    return std::move(answer);
  }
  TileFills unknown(const std::string& what) { return no(what + " is not understood"); }

  // In any iterations, as far as can be told. By flat numbers, which rely on no dimensions.
  bool mayMeet(AccessId a, AccessId b) {
    auto apart = sets.budget.answer([&] {
      const Point first{ofWriter, threadsAndLoops()}, second{ofReader, threadsAndLoops()};
      const isl::set x = sets.forget(sets.flat(a, first), first),
                     y = sets.forget(sets.flat(b, second), second);
      return sets.relations.withRanges(x.intersect(y)).is_empty();
    });
    return !apart || !*apart;
  }

  isl::set elements(AccessId access, const std::vector<Poly>& subscripts, const std::vector<LoopId>& fixed,
                    const char* suffix) {
    Point at{suffix, threadsAndLoops()};
    for (LoopId l : fixed) at.own.loops &= ~loopBit(l);
    return sets.forget(sets.relations.elements(model.accesses[access], subscripts, 1, at), at).coalesce();
  }

  // 3. Together they must have written all that is read.
  void cover() {
    std::vector<LoopId> shared;
    for (const TileFill& fill : answer.fills)
      if (fill.fixed.size() > shared.size()) shared = fill.fixed;
    const isl::set wanted = elements(load, answer.element, shared, ofReader);
    std::vector<isl::set> written;
    std::vector<TileFill> needed;
    sets.relations.start();
    for (TileFill& fill : answer.fills) {
      isl::set own = elements(fill.store, fill.inverse.subscripts, fill.fixed, ofWriter);
      if (sets.relations.withRanges(wanted.intersect(own)).is_empty()) continue;
      written.push_back(std::move(own));
      needed.push_back(std::move(fill));
    }
    if (sets.relations.exactness() != Exactness::Exact) {
      fail("which elements are written is not known: " + sets.relations.reason());
      return;
    }
    isl::set left = wanted;
    for (const isl::set& own : written) left = left.subtract(own);
    left = sets.relations.withRanges(left);
    if (!left.is_empty()) {
      fail(exampleOf(left) + " is read, which was not written before in the same iteration");
      return;
    }
    for (size_t i = 0; i < needed.size(); ++i) {
      for (size_t j = 0; j < needed.size(); ++j)
        if (i != j &&
            !sets.relations.withRanges(written[i].intersect(written[j]).intersect(wanted)).is_empty())
          needed[i].meets.push_back(needed[j].store);
      const isl::set others = sets.relations.withRanges(wanted.subtract(written[i]));
      needed[i].where = others.is_empty() ? std::optional(always())
                                          : condOf(written[i].gist(sets.relations.withRanges(wanted)),
                                                   sets.relations, needed[i].inverse.element);
    }
    answer.fills = std::move(needed);
    answer.isKnown = true;
  }

  static std::string exampleOf(const isl::set& s) {
    const isl::point point = s.project_out_all_params().sample_point();
    std::string text = "element ";
    for (unsigned d = 0; d < unsigned(s.tuple_dim()); ++d) {
      const isl::val v = isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_set, int(d)));
      text += "[" + std::to_string(isl_val_get_num_si(v.get())) + "]";
    }
    return text;
  }

  const KernelModel& model;
  AccessId load;
  ElementSets sets;
  ById<AccessId, int> position;
  TileFills answer;
};

}  // namespace

TileFills fillsOf(const KernelModel& model, AccessId load) {
  try {
    return FillFinder(model, load).run();
  } catch (const TooLarge& e) {
    TileFills answer;
    answer.reason = e.what();
    return answer;
  }
}

}  // namespace hone::analysis
