#include "affine/ElementSets.h"

#include <isl/set.h>

#include <algorithm>

namespace hone::affine {

ElementSets::ElementSets(const KernelModel& m, const Launch* numbers, unsigned long operations)
    : model(m), budget(operations), relations(budget, m, numbers), launch(numbers) {}

const Shape& ElementSets::shape(ArrayId array) {
  auto it = shapes.find(array);
  if (it == shapes.end()) it = shapes.emplace(array, shapeOf(model, array, launch)).first;
  return it->second;
}

bool ElementSets::isKnown(AccessId access) {
  const Access& a = model.accesses[access];
  return a.isResolved() && shape(a.array).fits(access);
}

isl::set ElementSets::of(AccessId access, const Point& at, bool withGuard) {
  return keep(access, at, withGuard, false);
}

isl::set ElementSets::touched(AccessId access, const Point& at, bool withGuard) {
  return keep(access, at, withGuard, true);
}

isl::set ElementSets::keep(AccessId access, const Point& at, bool withGuard, bool isSummed) {
  const Variation& own = at.own;
  std::string key = (isSummed ? "touched " : "") + std::to_string(access.number()) + at.suffix +
                    (withGuard ? "+" : "-") + std::to_string(own.threadAxes) + "," +
                    std::to_string(own.blockAxes) + "," + std::to_string(own.loops) +
                    (own.anyThread ? "!" : "");
  auto it = kept.find(key);
  if (it == kept.end()) {
    Exactness before = relations.exactness();
    std::string why = relations.reason();
    relations.start();
    isl::set s = make(access, at, withGuard, isSummed);
    if (isSummed) s = forget(s, at);
    it = kept.emplace(key, Kept{s, relations.exactness(), relations.reason()}).first;
    relations.start();
    relations.note(before, why);
  }
  relations.note(it->second.exactness, it->second.reason);
  return it->second.elements;
}

isl::set ElementSets::make(AccessId access, const Point& at, bool withGuard, bool isSummed) {
  const Access& a = model.accesses[access];
  const Shape& s = shape(a.array);
  if (!s.fits(access)) {
    relations.note(Exactness::Over,
                   a.reason.empty() ? "the address of " + a.handle + " is not understood" : a.reason);
    isl::set all = isl::space::unit(relations.ctx()).add_unnamed_tuple(s.dimensions()).universe_set();
    return all.intersect_params(relations.domain(a, at, withGuard));
  }
  if (a.exactness == Exactness::Unknown) relations.note(Exactness::Over, a.reason);
  return isSummed ? relations.elementsSummed(a, s.subscripts[access], s.widths[access], at, withGuard)
                  : relations.elements(a, s.subscripts[access], s.widths[access], at, withGuard);
}

isl::set ElementSets::flat(AccessId access, const Point& at) {
  const Access& a = model.accesses[access];
  if (!a.isResolved()) {
    relations.note(Exactness::Over,
                   a.reason.empty() ? "the address of " + a.handle + " is not understood" : a.reason);
    isl::set all = isl::space::unit(relations.ctx()).add_unnamed_tuple(1).universe_set();
    return all.intersect_params(relations.domain(a, at, true));
  }
  if (a.exactness == Exactness::Unknown) relations.note(Exactness::Over, a.reason);
  const Shape& s = shape(a.array);
  return relations.elements(a, {a.address.dividedExactly(s.unit)}, s.widths[access], at, true);
}

isl::set ElementSets::of(const std::vector<AccessId>& accesses, const Point& at, bool withGuard) {
  isl::set all = none(accesses.front());
  for (AccessId a : accesses) all = all.unite(of(a, at, withGuard));
  return all;
}

isl::set ElementSets::touched(const std::vector<AccessId>& accesses, const Point& at, bool withGuard) {
  isl::set all = none(accesses.front());
  for (AccessId a : accesses) all = all.unite(touched(a, at, withGuard));
  return all;
}

isl::set ElementSets::none(AccessId access) {
  const Shape& s = shape(model.accesses[access].array);
  return isl::set::empty(isl::space::unit(relations.ctx()).add_unnamed_tuple(s.dimensions()));
}

isl::set ElementSets::forget(const isl::set& set, const Point& at, const std::vector<isl::id>& but) const {
  isl::set s = set;
  for (int i = int(isl_set_dim(s.get(), isl_dim_param)) - 1; i >= 0; --i) {
    const char* name = isl_set_get_dim_name(s.get(), isl_dim_param, unsigned(i));
    std::string text = name ? name : "";
    size_t mark = text.find('@');
    if (mark == std::string::npos || text.substr(mark) != at.suffix) continue;
    if (std::any_of(but.begin(), but.end(), [&](const isl::id& id) { return id.name() == text; })) continue;
    s = isl::manage(isl_set_project_out(s.release(), isl_dim_param, unsigned(i), 1));
  }
  return s;
}

std::vector<Requirement> ElementSets::conditions(const std::vector<AccessId>& accesses) {
  std::vector<Requirement> list;
  auto add = [&](const Requirement& r) {
    for (const Requirement& other : list)
      if (other.value == r.value && other.low == r.low && other.high == r.high) return;
    list.push_back(r);
  };
  for (AccessId a : accesses) {
    for (unsigned r : model.accesses[a].requirements) add(model.requirements[r]);
    if (model.accesses[a].array.isSome())
      for (const Requirement& r : shape(model.accesses[a].array).conditions) add(r);
  }
  return list;
}

std::vector<AccessId> accessesOf(const KernelModel& model, ArrayId array) {
  std::vector<AccessId> list;
  for (const AccessId i : model.accesses.ids())
    if (model.accesses[i].array == array) list.push_back(i);
  return list;
}

}  // namespace hone::affine
