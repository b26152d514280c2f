#include "affine/Relation.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <bit>
#include <set>

#include "affine/DigitSums.h"
#include "affine/Implied.h"

namespace hone::affine {

using ir::BinaryOp;

Variation threadsAndLoops() {
  Variation v;
  v.threadAxes = 7, v.anyThread = true, v.loops = ~uint64_t(0);
  return v;
}

Variation everything() {
  Variation v = threadsAndLoops();
  v.blockAxes = 7;
  return v;
}

Variation loopsOnly() {
  Variation v;
  v.loops = ~uint64_t(0);
  return v;
}

Relations::Relations(IslBudget& budget, const KernelModel& model, const Launch* numbersOfLaunch)
    : context(budget.ctx()), kernel(model), atoms(*model.atoms), launch(numbersOfLaunch) {
  if (launch) numbers.emplace(atoms, *launch);
}

void Relations::note(Exactness e, const std::string& why) {
  if (e <= precision) return;
  precision = e;
  words = why;
}

isl::id Relations::named(const std::string& name) const {
  return isl::manage(isl_id_alloc(isl::ctx(context).get(), name.c_str(), nullptr));
}

isl::set Relations::universe() const { return isl::space::unit(context).universe_set(); }

isl::pw_aff Relations::number(int64_t n) const { return universe().pw_aff_on_domain(isl::val(context, n)); }

std::optional<int64_t> Relations::numberOf(const Poly& p) const {
  if (auto c = p.constant()) return c;
  if (!numbers || !atoms.isLaunchUniform(p)) return std::nullopt;
  // Atoms made since the launch was read have no slot in its table of values.
  return Values(atoms, *launch).value(p);
}

std::optional<Poly> Relations::meaning(const std::string& parameter) const {
  auto it = meanings.find(parameter.substr(0, parameter.find('@')));
  if (it == meanings.end()) return std::nullopt;
  return it->second;
}

bool Relations::isOwn(const Variation& v, const Point& at) const {
  return (v.threadAxes & at.own.threadAxes) || (v.blockAxes & at.own.blockAxes) || (v.loops & at.own.loops) ||
         (v.anyThread && (at.own.anyThread || at.own.threadAxes || at.own.blockAxes));
}

isl::pw_aff Relations::parameter(const std::string& name, const Poly& meaning, bool own, const Point& at) {
  std::string full = own ? name + at.suffix : name;
  isl::id id = named(full);
  isl::pw_aff p = isl::pw_aff::param_on_domain(universe(), id);
  if (!ranges.count(full)) {
    meanings.emplace(name, meaning);
    Range r = atoms.range(meaning);
    isl::set s = universe();
    if (r.low != INT64_MIN) s = s.intersect(p.ge_set(number(r.low)));
    if (r.high != INT64_MAX) s = s.intersect(p.le_set(number(r.high)));
    ranges.emplace(full, s);
  }
  return p;
}

isl::pw_aff Relations::freeValue(const Poly& p, const Point& at, const std::string& why) {
  bool own = isOwn(atoms.variation(p), at);
  if (own) note(Exactness::Over, why);
  // Two unknowns of one name are still two.
  std::string name = atoms.str(p);
  for (AtomId id : p.atoms()) name += "#" + std::to_string(id);
  return parameter(name, p, own, at);
}

isl::pw_aff Relations::thread(unsigned axis, const Point& at) {
  Poly t = atoms.thread(axis);
  if (auto c = t.constant()) return number(*c);
  return atomValue(t.atoms().front(), at);
}

isl::pw_aff Relations::block(unsigned axis, const Point& at) {
  Poly b = atoms.block(axis);
  if (auto c = b.constant()) return number(*c);
  return atomValue(b.atoms().front(), at);
}

isl::pw_aff Relations::counter(LoopId loop, const Point& at) {
  return atomValue(kernel.loops[loop].counter, at);
}

isl::id Relations::threadId(unsigned axis, const Point& at) {
  thread(axis, at);
  const char* names[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z"};
  return named(std::string(names[axis]) + (at.own.threadAxes >> axis & 1 ? at.suffix : ""));
}

isl::id Relations::blockId(unsigned axis, const Point& at) {
  block(axis, at);
  const char* names[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z"};
  return named(std::string(names[axis]) + (at.own.blockAxes >> axis & 1 ? at.suffix : ""));
}

isl::id Relations::counterId(LoopId loop, const Point& at) {
  counter(loop, at);
  std::string name = "counter." + std::to_string(loop.number());
  return named(name + (at.own.loops & loopBit(loop) ? at.suffix : ""));
}

isl::pw_aff Relations::linearThread(const Point& at) {
  auto [bx, by, bz] = kernel.block;
  isl::pw_aff rows = thread(1, at).add(thread(2, at).scale(isl::val(context, long(by))));
  return thread(0, at).add(rows.scale(isl::val(context, long(bx))));
}

// x op c, bit by bit: exact for two's complement of any width.
isl::pw_aff Relations::bitsValue(const Atom& atom, AtomId id, const Point& at) {
  Poly varying = atom.value;
  std::optional<int64_t> mask = numberOf(atom.divisor);
  if (!mask && atom.op != BinaryOp::Shl && atom.op != BinaryOp::Shr)
    if (auto left = numberOf(atom.value)) mask = left, varying = atom.divisor;
  std::string why = "bit operation on two unknowns (" + atoms.str(Poly::atom(id)) + ")";
  if (!mask) return freeValue(Poly::atom(id), at, why);
  if (atom.op == BinaryOp::Shl || atom.op == BinaryOp::Shr) {
    if (*mask < 0 || *mask > 62) return freeValue(Poly::atom(id), at, why);
    isl::pw_aff x = value(varying, at);
    isl::val by(context, int64_t(1) << *mask);
    return atom.op == BinaryOp::Shl ? x.scale(by) : x.scale_down(by).floor();
  }
  bool flip = *mask < 0;
  uint64_t bits = uint64_t(flip ? ~*mask : *mask);
  if (std::popcount(bits) > 12) return freeValue(Poly::atom(id), at, why);
  isl::pw_aff x = value(varying, at);
  isl::pw_aff both = number(0);  // x & bits
  for (int b = 0; b < 62; ++b)
    if (bits >> b & 1) {
      isl::pw_aff low = x.scale_down(isl::val(context, int64_t(1) << b)).floor();
      isl::pw_aff high = x.scale_down(isl::val(context, int64_t(1) << (b + 1))).floor();
      both = both.add(low.sub(high.scale(isl::val(context, 2))).scale(isl::val(context, int64_t(1) << b)));
    }
  isl::pw_aff m = number(*mask);
  // With a negative mask, x & m = x - (x & ~m); then x | m = x + m - (x & m) and x ^ m = x + m - 2 (x & m).
  isl::pw_aff conj = flip ? x.sub(both) : both;
  if (atom.op == BinaryOp::BitAnd) return conj;
  isl::pw_aff sum = x.add(m);
  return atom.op == BinaryOp::BitOr ? sum.sub(conj) : sum.sub(conj.scale(isl::val(context, 2)));
}

isl::pw_aff Relations::atomValue(AtomId id, const Point& at) {
  if (auto it = stands.find(id); it != stands.end()) return it->second;
  const std::string key = at.suffix + std::to_string(at.own.threadAxes) + "," +
                          std::to_string(at.own.blockAxes) + "," + std::to_string(at.own.loops);
  // A copy: translating may grow the table of atoms.
  const Atom atom = atoms[id];
  bool plain = atom.kind == AtomKind::Block || atom.kind == AtomKind::Thread || atom.kind == AtomKind::Loop ||
               atom.kind == AtomKind::Symbol;
  if (plain)
    if (auto it = known.find({id, key}); it != known.end()) return it->second;
  auto keep = [&](const isl::pw_aff& p) { return known.insert_or_assign({id, key}, p).first->second; };
  Poly self = Poly::atom(id);
  switch (atom.kind) {
    case AtomKind::Thread: {
      const char* names[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z"};
      bool own = at.own.threadAxes >> atom.axis & 1;
      isl::pw_aff p = parameter(names[atom.axis], self, own, at);
      isl::set& r = ranges[std::string(names[atom.axis]) + (own ? at.suffix : "")];
      r = p.ge_set(number(0)).intersect(p.lt_set(number(kernel.block[atom.axis])));
      return keep(p);
    }
    case AtomKind::Block: {
      const char* names[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z"};
      bool own = at.own.blockAxes >> atom.axis & 1;
      isl::pw_aff p = parameter(names[atom.axis], self, own, at);
      isl::set& r = ranges[std::string(names[atom.axis]) + (own ? at.suffix : "")];
      const isl::pw_aff grid = launch ? number(launch->grid[atom.axis]) : value(atoms.gridDim(atom.axis), at);
      r = p.ge_set(number(0)).intersect(p.lt_set(grid));
      return keep(p);
    }
    case AtomKind::Loop: {
      bool own = at.own.loops & loopBit(atom.loop);
      return keep(parameter("counter." + std::to_string(atom.loop.number()), self, own, at));
    }
    case AtomKind::Symbol:
      if (auto n = numberOf(self)) return keep(number(*n));
      // A field of a parameter may be called as a coordinate of ours is: `gridDim.x`.
      return keep(parameter(atom.is(SymbolKind::Value) && atom.name.find('.') != std::string::npos
                                ? atom.name + "#" + std::to_string(id)
                                : atom.name,
                            self, false, at));
    case AtomKind::Div: {
      if (auto n = numberOf(self)) return number(*n);
      auto by = numberOf(atom.divisor);
      const std::vector<AtomId> divided = atom.value.atoms();
      if (by && *by > 0 && divided.size() == 1 && atom.value == Poly::atom(divided.front()) &&
          atoms[divided.front()].kind == AtomKind::Loop) {
        // A whole number beside the counter: isl projects it out with far less work than a quotient.
        const LoopId loop = atoms[divided.front()].loop;
        const std::string name = "counter." + std::to_string(loop.number()) + "/" + std::to_string(*by);
        const bool own = at.own.loops & loopBit(loop);
        isl::pw_aff p = parameter(name, self, own, at);
        isl::pw_aff left = value(atom.value, at).sub(p.scale(isl::val(context, *by)));
        ranges[name + (own ? at.suffix : "")] = left.ge_set(number(0)).intersect(left.lt_set(number(*by)));
        return p;
      }
      if (by && *by > 0) return value(atom.value, at).scale_down(isl::val(context, *by)).floor();
      return freeValue(self, at, "division by an unknown (" + atoms.str(self) + ")");
    }
    case AtomKind::Choice: {
      isl::set yes = holds(atom.cond, at);
      if (hasUnknown(atom.cond)) note(Exactness::Over, "a value chosen by " + unknownReason(atom.cond));
      isl::pw_aff first = value(atom.yes, at).intersect_domain(yes);
      isl::pw_aff second = value(atom.no, at).intersect_domain(yes.complement());
      return isl::manage(isl_pw_aff_union_add(first.release(), second.release()));
    }
    case AtomKind::Bits: return bitsValue(atom, id, at);
    case AtomKind::Opaque:
      return freeValue(self, at, atom.reason.empty() ? atom.name + " is not known" : atom.reason);
  }
  return number(0);
}

isl::pw_aff Relations::product(const Monomial& monomial, const Point& at) {
  int64_t factor = 1;
  Monomial rest;
  for (AtomId id : monomial) {
    const Atom& atom = atoms[id];
    std::optional<int64_t> n = numberOf(Poly::atom(id));
    if (!n && atom.kind == AtomKind::Thread && kernel.block[atom.axis] == 1) n = 0;
    if (n)
      factor = checkedMul(factor, *n);
    else
      rest.push_back(id);
  }
  if (factor == 0) return number(0);
  isl::val by(context, factor);
  if (rest.empty()) return number(factor);
  if (rest.size() == 1) return atomValue(rest.front(), at).scale(by);
  Poly p;
  p.add(rest, 1);
  return freeValue(p, at, "product of unknowns (" + atoms.str(p) + ")").scale(by);
}

isl::pw_aff Relations::value(const Poly& p, const Point& at) {
  isl::pw_aff sum = number(0);
  for (const auto& [monomial, factor] : p.terms())
    sum = sum.add(product(monomial, at).scale(isl::val(context, factor)));
  return sum;
}

isl::set Relations::holds(const CondPtr& c, const Point& at) {
  switch (c->kind) {
    case CondKind::True: return universe();
    case CondKind::False: return isl::set::empty(isl::space::unit(context));
    case CondKind::AtLeast0: return value(c->value, at).ge_set(number(0));
    case CondKind::Zero: return value(c->value, at).eq_set(number(0));
    case CondKind::And: {
      isl::set s = universe();
      for (const CondPtr& part : c->parts) s = s.intersect(holds(part, at));
      return s;
    }
    case CondKind::Or: {
      isl::set s = isl::set::empty(isl::space::unit(context));
      for (const CondPtr& part : c->parts) s = s.unite(holds(part, at));
      return s;
    }
    case CondKind::Unknown: {
      note(Exactness::Over, c->reason);
      std::string name = "condition." + std::to_string(c->number) + (isOwn(c->varies, at) ? at.suffix : "");
      isl::pw_aff p = isl::pw_aff::param_on_domain(universe(), named(name));
      ranges.try_emplace(name, p.ge_set(number(0)).intersect(p.le_set(number(1))));
      return p.eq_set(number(c->negated ? 0 : 1));
    }
  }
  return universe();
}

CondPtr Relations::worthAsking(const CondPtr& c, const Point& at, const std::vector<AtomId>& about) {
  switch (c->kind) {
    case CondKind::And:
    case CondKind::Or: {
      std::vector<CondPtr> parts;
      for (const CondPtr& part : c->parts) parts.push_back(worthAsking(part, at, about));
      return c->kind == CondKind::And ? allOf(std::move(parts)) : anyOf(std::move(parts));
    }
    case CondKind::AtLeast0:
    case CondKind::Zero: {
      std::string why;
      atoms.forEachAtom(c->value, [&](AtomId id) {
        const Atom& atom = atoms[id];
        if (atom.kind != AtomKind::Opaque || !isOwn(atom.varies, at)) return;
        if (std::find(about.begin(), about.end(), id) == about.end())
          why = atom.reason.empty() ? atom.name : atom.reason;
      });
      if (why.empty()) return c;
      note(Exactness::Over, "happens under a condition that is not known: " + why);
      return always();
    }
    default: return c;
  }
}

isl::set Relations::loopDomain(const Loop& loop, const Point& at, const std::vector<AtomId>& about) {
  if (loop.exactness != Exactness::Exact) note(Exactness::Over, loop.inexact);
  isl::pw_aff c = atomValue(loop.counter, at);
  isl::set s = universe();
  if (!loop.values.empty()) {
    s = isl::set::empty(isl::space::unit(context));
    for (int64_t v : loop.values) s = s.unite(c.eq_set(number(v)));
  } else if (loop.byDistance) {
    if (auto step = numberOf(loop.step); step && *step != 0) {
      s = s.intersect(c.mod(isl::val(context, *step < 0 ? -*step : *step)).eq_set(number(0)));
      s = s.intersect(*step > 0 ? c.ge_set(number(0)) : c.le_set(number(0)));
    } else {
      note(Exactness::Over, "the step " + atoms.str(loop.step) + " is known at run time only");
      if (int64_t content = loop.step.content(); content > 1)
        s = s.intersect(c.mod(isl::val(context, content)).eq_set(number(0)));
      Range r = atoms.range(loop.step);
      if (r.low >= 0) s = s.intersect(c.ge_set(number(0)));
      if (r.high <= 0) s = s.intersect(c.le_set(number(0)));
    }
  } else {
    s = s.intersect(c.ge_set(number(0)));
  }
  return loop.runs ? s.intersect(holds(worthAsking(loop.runs, at, about), at)) : s;
}

isl::set Relations::constraints(const std::vector<LoopId>& loops, const CondPtr& guard, const Point& at,
                                const Poly& about) {
  std::vector<AtomId> mentioned;
  atoms.forEachAtom(about, [&](AtomId id) { mentioned.push_back(id); });
  isl::set s = guard ? holds(worthAsking(guard, at, mentioned), at) : universe();
  for (LoopId l : loops) s = s.intersect(loopDomain(kernel.loops[l], at, mentioned));
  return s;
}

isl::set Relations::domain(const std::vector<LoopId>& loops, const CondPtr& guard, const Point& at) {
  return withRanges(constraints(loops, guard, at, Poly()));
}

isl::set Relations::domain(const Access& access, const Point& at, bool withGuard) {
  if (access.exactness == Exactness::Over) note(Exactness::Over, access.reason);
  return withRanges(
      constraints(access.loops, withGuard ? access.guard : insideBlock(access.guard), at, access.address));
}

CondPtr Relations::insideBlock(const CondPtr& guard) const {
  std::vector<CondPtr> kept;
  for (const CondPtr& part : conjuncts(guard)) {
    bool isInside = !hasUnknown(part);
    atoms.forEachAtom(part, [&](AtomId id) {
      const AtomKind kind = atoms[id].kind;
      isInside &= kind != AtomKind::Symbol && kind != AtomKind::Block && kind != AtomKind::Opaque;
    });
    if (isInside) kept.push_back(part);
  }
  return allOf(std::move(kept));
}

isl::set Relations::elements(const Access& access, const std::vector<Poly>& subscripts, int64_t width,
                             const Point& at, bool withGuard) {
  isl::pw_aff_list list(context, int(subscripts.size()));
  for (const Poly& p : subscripts) list = list.add(value(p, at));
  isl::space space = isl::space::unit(context).add_unnamed_tuple(unsigned(subscripts.size()));
  isl::multi_pw_aff tuple(space, list);
  isl::set s = tuple.as_set();
  if (width > 1) {
    // { [s0, s1] -> [s0, t] : 0 <= t - s1 < width }
    std::string outer, last;
    for (size_t i = 0; i < subscripts.size(); ++i) {
      last = "s" + std::to_string(i);
      if (i + 1 < subscripts.size()) outer += last + ", ";
    }
    isl::map wide(context, "{ [" + outer + last + "] -> [" + outer + "t] : 0 <= t - " + last + " < " +
                               std::to_string(width) + " }");
    s = s.apply(wide);
  }
  if (access.exactness == Exactness::Over) note(Exactness::Over, access.reason);
  return withRanges(s.intersect_params(
      constraints(access.loops, withGuard ? access.guard : insideBlock(access.guard), at, access.address)));
}

isl::set Relations::elementsSummed(const Access& access, const std::vector<Poly>& subscripts, int64_t width,
                                   const Point& at, bool withGuard, LoopId kept) {
  Access without = access;
  without.guard = withoutImplied(atoms, withGuard ? access.guard : insideBlock(access.guard));
  const DigitSums sums = digitSums(kernel, without, subscripts, at.own, kept);
  if (sums.counts.empty()) return elements(without, subscripts, width, at);
  std::vector<isl::pw_aff> parameters;
  for (size_t k = 0; k < sums.counts.size(); ++k) {
    const std::string name = "sum." + std::to_string(k) + "." + std::to_string(sums.counts[k]) + at.suffix;
    isl::pw_aff p = isl::pw_aff::param_on_domain(universe(), named(name));
    ranges.try_emplace(name, p.ge_set(number(0)).intersect(p.lt_set(number(sums.counts[k]))));
    parameters.push_back(p);
  }
  struct Cleared {
    std::map<AtomId, isl::pw_aff>& map;
    ~Cleared() { map.clear(); }
  } cleared{stands};
  for (const auto& [atom, parts] : sums.stands) {
    isl::pw_aff sum = number(0);
    for (const auto& [k, factor] : parts) sum = sum.add(parameters[k].scale(isl::val(context, factor)));
    stands.insert_or_assign(atom, sum);
  }
  std::erase_if(without.loops, [&](LoopId l) {
    return std::find(sums.loops.begin(), sums.loops.end(), l) != sums.loops.end();
  });
  return elements(without, subscripts, width, at);
}

isl::map Relations::relation(const Access& access, const std::vector<Poly>& subscripts, int64_t width) {
  Point at{"@", everything()};
  isl::set s = elements(access, subscripts, width, at);
  std::vector<isl::id> ids;
  for (unsigned axis = 0; axis < 3; ++axis) ids.push_back(blockId(axis, at));
  for (unsigned axis = 0; axis < 3; ++axis) ids.push_back(threadId(axis, at));
  for (LoopId l : access.loops) ids.push_back(counterId(l, at));
  isl::id_list list(context, int(ids.size()));
  for (const isl::id& id : ids) {
    list = list.add(id);
    // A coordinate that the address does not mention has its range all the same.
    if (auto it = ranges.find(id.name()); it != ranges.end()) s = s.intersect_params(it->second);
  }
  isl::space space = isl::space::unit(context).add_unnamed_tuple(unsigned(ids.size()));
  isl::multi_id tuple(space, list);
  isl::map m = s.unbind_params_insert_domain(tuple);
  // What remains of the instance is free values, which are nobody's coordinates.
  int n = int(isl_map_dim(m.get(), isl_dim_param));
  for (int i = n - 1; i >= 0; --i) {
    const char* name = isl_map_get_dim_name(m.get(), isl_dim_param, unsigned(i));
    if (name && std::string(name).find('@') != std::string::npos)
      m = isl::manage(isl_map_project_out(m.release(), isl_dim_param, unsigned(i), 1));
  }
  return m;
}

// Ranges are put together first: intersecting a large set with each by itself costs an emptiness test every
// time.
isl::set Relations::withRanges(isl::set s) const {
  std::set<std::string> seen;
  std::vector<std::string> todo;
  auto parametersOf = [&](const isl::set& of) {
    int n = int(isl_set_dim(of.get(), isl_dim_param));
    for (int i = 0; i < n; ++i) {
      const char* name = isl_set_get_dim_name(of.get(), isl_dim_param, unsigned(i));
      if (name && seen.insert(name).second) todo.push_back(name);
    }
  };
  parametersOf(s);
  isl::set all = universe();
  while (!todo.empty()) {
    auto it = ranges.find(todo.back());
    todo.pop_back();
    if (it == ranges.end()) continue;
    parametersOf(it->second);
    all = all.intersect(it->second);
  }
  return s.intersect_params(all);
}

isl::set Relations::forget(isl::set s, const Point& at) const {
  for (int i = int(isl_set_dim(s.get(), isl_dim_param)) - 1; i >= 0; --i) {
    const char* name = isl_set_get_dim_name(s.get(), isl_dim_param, unsigned(i));
    std::string text = name ? name : "";
    size_t mark = text.find('@');
    if (mark != std::string::npos && text.substr(mark) == at.suffix)
      s = isl::manage(isl_set_project_out(s.release(), isl_dim_param, unsigned(i), 1));
  }
  return s;
}

isl::set Relations::forgetAll(isl::set s) const { return s.project_out_all_params(); }

}  // namespace hone::affine
