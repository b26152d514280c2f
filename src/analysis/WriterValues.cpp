// Values of whoever wrote an element; declared in TileFills.h.
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include "affine/ElementSets.h"
#include "analysis/TileFills.h"

namespace hone::analysis {

using namespace affine;

namespace {

// The writer of an element, its own coordinates with a suffix.
Point writerOf(const Inverse& inverse) {
  Point at{"@", threadsAndLoops()};
  at.own.loops = 0;
  for (const SolvedLoop& l : inverse.loops) at.own.loops |= loopBit(l.loop);
  return at;
}

isl::set writtenBy(ElementSets& sets, const Inverse& inverse, const Point& at) {
  return sets.relations.elements(sets.model.accesses[inverse.access], inverse.subscripts, 1, at);
}

// Where a statement about elements fails among those written.
template <class Fails>
bool holdsWhereWritten(const KernelModel& model, const Inverse& inverse, Fails fails) {
  ElementSets sets(model);
  const Point at = writerOf(inverse);
  auto holds = sets.budget.answer([&] {
    const isl::set written = sets.forget(writtenBy(sets, inverse, at), at).coalesce();
    // A subscript that is one number there makes products with it linear.
    Atoms::Substitution numbers;
    isl::id_list ids(sets.relations.ctx(), int(inverse.element.size()));
    for (size_t d = 0; d < inverse.element.size(); ++d) {
      const isl::pw_aff placeholder = sets.relations.value(inverse.element[d], at);
      ids = ids.add(isl::manage(isl_pw_aff_get_dim_id(placeholder.get(), isl_dim_param, 0)));
      if (auto one = valuesOf(written, unsigned(d), 1); one && one->size() == 1)
        numbers[inverse.element[d].atoms().front()] = Poly(one->front());
    }
    const isl::set where = written.bind(isl::multi_id(written.space(), ids));
    return sets.relations.withRanges(where.intersect(fails(sets.relations, at, numbers))).is_empty();
  });
  return holds && *holds;
}

}  // namespace

bool sameWhereWritten(const KernelModel& model, const Inverse& inverse, const Poly& p, const Poly& q) {
  if (p == q) return true;
  return holdsWhereWritten(model, inverse,
                           [&](Relations& relations, const Point& at, const Atoms::Substitution& numbers) {
                             const Poly gap = model.atoms->substitute(p - q, numbers);
                             if (gap.isZero()) return isl::set::empty(isl::space::unit(relations.ctx()));
                             return relations.value(gap, at).ne_set(relations.number(0));
                           });
}

bool sameWhereWritten(const KernelModel& model, const Inverse& inverse, const CondPtr& c, const CondPtr& d) {
  if (sameCond(c, d)) return true;
  if (hasUnknown(c) || hasUnknown(d)) return false;
  return holdsWhereWritten(
      model, inverse, [&](Relations& relations, const Point& at, const Atoms::Substitution& numbers) {
        const CondPtr one = model.atoms->substitute(c, numbers), other = model.atoms->substitute(d, numbers);
        return relations.holds(both(one, negation(other)), at)
            .unite(relations.holds(both(negation(one), other), at));
      });
}

// Parts of values that the element determines, asked of isl one by one.
class WriterValues::Parts {
 public:
  Parts(const KernelModel& m, const Inverse& of)
      : model(m), atoms(*m.atoms), inverse(of), at(writerOf(of)), sets(m) {
    whole = sets.budget.answer([&] { return writtenBy(sets, inverse, at); });
  }

  std::optional<Poly> value(const Poly& p) {
    // Terms by what they are multiplied with that is no coordinate of the writer.
    std::map<Monomial, Poly> groups;
    Poly sum;
    for (const auto& [monomial, factor] : p.terms()) {
      Monomial given;
      std::optional<AtomId> own;
      for (AtomId id : monomial) {
        if (!isOwn(Poly::atom(id))) {
          given.push_back(id);
          continue;
        }
        if (own) return std::nullopt;
        own = id;
      }
      if (own)
        groups[given] += Poly::atom(*own, factor);
      else
        sum.add(monomial, factor);
    }
    for (const auto& [given, group] : groups) {
      const auto part = together(group);
      if (!part) return std::nullopt;
      Poly by;
      by.add(given, 1);
      sum += *part * by;
    }
    return sum;
  }

  std::optional<CondPtr> condition(const CondPtr& c) {
    if (c->kind == CondKind::Unknown) return std::nullopt;
    if (c->kind == CondKind::And || c->kind == CondKind::Or) {
      std::vector<CondPtr> parts;
      for (const CondPtr& part : c->parts) {
        const auto one = condition(part);
        if (!one) return std::nullopt;
        parts.push_back(*one);
      }
      return c->kind == CondKind::And ? allOf(std::move(parts)) : anyOf(std::move(parts));
    }
    if (c->kind == CondKind::True || c->kind == CondKind::False) return c;
    const auto v = value(c->value);
    if (!v) return std::nullopt;
    return c->kind == CondKind::Zero ? isZero(*v) : atLeast0(*v);
  }

 private:
  bool isOwn(const Poly& p) const {
    bool found = false;
    atoms.forEachAtom(p, [&](AtomId id) {
      const Atom& a = atoms[id];
      if (a.kind == AtomKind::Thread) found |= model.block[a.axis] != 1;
      if (a.kind == AtomKind::Loop) found |= (at.own.loops & loopBit(a.loop)) != 0;
      if (a.kind == AtomKind::Opaque) found |= !a.varies.isUniform() || (a.varies.loops & at.own.loops);
    });
    return found;
  }

  // A sum of coordinates, or its terms one by one.
  std::optional<Poly> together(const Poly& group) {
    if (auto known = determined(group)) return known;
    Poly sum;
    for (const auto& [monomial, factor] : group.terms()) {
      const Atom& a = atoms[monomial.front()];
      const Poly self = Poly::atom(monomial.front());
      std::optional<Poly> one = group.terms().size() > 1 ? determined(self) : std::nullopt;
      if (!one && a.kind == AtomKind::Choice) {
        const auto cond = condition(a.cond);
        const auto yes = value(a.yes), no = value(a.no);
        if (cond && yes && no) one = atoms.choice(*cond, *yes, *no);
      } else if (!one && a.kind == AtomKind::Div && !isOwn(a.divisor)) {
        if (const auto divided = value(a.value)) one = atoms.div(*divided, a.divisor);
      }
      if (!one) return std::nullopt;
      sum += *one * Poly(factor);
    }
    return sum;
  }

  std::optional<Poly> determined(const Poly& p) {
    if (!whole) return std::nullopt;
    auto found = sets.budget.answer([&]() -> std::optional<Poly> {
      sets.relations.start();
      const isl::id id = sets.relations.named("value of the writer");
      const isl::pw_aff wanted = sets.relations.value(p, at);
      if (sets.relations.exactness() != Exactness::Exact) return std::nullopt;
      const isl::set is = isl::pw_aff::param_on_domain(sets.relations.universe(), id).eq_set(wanted);
      const isl::set s = sets.forget(sets.relations.withRanges(whole->intersect_params(is)), at);
      const isl::space space = isl::space::unit(sets.relations.ctx()).add_unnamed_tuple(1);
      const isl::map toValue =
          s.unbind_params_insert_domain(isl::multi_id(space, isl::id_list(id))).reverse().coalesce();
      if (!toValue.is_single_valued()) return std::nullopt;
      const isl::pw_multi_aff f = isl::manage(isl_pw_multi_aff_from_map(toValue.copy()));
      isl::pw_aff one = isl::manage(isl_pw_multi_aff_get_pw_aff(f.get(), 0));
      one = one.gist(toValue.domain());
      return polyOf(one, sets.relations, inverse.element);
    });
    return found ? *found : std::nullopt;
  }

  const KernelModel& model;
  Atoms& atoms;
  const Inverse& inverse;
  Point at;
  ElementSets sets;
  std::optional<isl::set> whole;
};

WriterValues::WriterValues(const KernelModel& m, const Inverse& of) : model(m), inverse(of) {}
WriterValues::~WriterValues() = default;

std::optional<Poly> WriterValues::of(const Poly& value) {
  if (auto known = atWriter(model, inverse, value, inverse.element)) return known;
  if (!parts) parts = std::make_unique<Parts>(model, inverse);
  return parts->value(value);
}

std::optional<CondPtr> WriterValues::of(const CondPtr& cond) {
  if (cond->kind == CondKind::AtLeast0 || cond->kind == CondKind::Zero) {
    const auto value = of(cond->value);
    if (!value) return std::nullopt;
    return cond->kind == CondKind::Zero ? isZero(*value) : atLeast0(*value);
  }
  if (cond->kind == CondKind::Unknown) return std::nullopt;
  std::vector<CondPtr> list;
  for (const CondPtr& part : cond->parts) {
    const auto one = of(part);
    if (!one) return std::nullopt;
    list.push_back(*one);
  }
  if (cond->kind == CondKind::And) return allOf(std::move(list));
  return cond->kind == CondKind::Or ? anyOf(std::move(list)) : cond;
}

}  // namespace hone::analysis
