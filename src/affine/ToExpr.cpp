#include "affine/ToExpr.h"

#include <algorithm>

#include "ir/Build.h"

namespace hone::affine {

using namespace ir;

namespace {

std::optional<ExprPtr> none() { return std::nullopt; }

}  // namespace

ExprPtr fieldAt(ExprPtr place, std::string_view path) {
  while (place && !path.empty()) {
    if (path[0] != '.' || !place->type->is(TypeKind::Struct)) return nullptr;
    const size_t end = std::min(path.find('.', 1), path.size());
    const std::string_view name = path.substr(1, end - 1);
    const auto& fields = place->type->record->fields;
    const auto at =
        std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
    if (at == fields.end()) return nullptr;
    place = member(place, static_cast<unsigned>(at - fields.begin()));
    path.remove_prefix(end);
  }
  return place;
}

ExprPtr symbolExpr(const Atom& symbol, const SymbolPlaces& places) {
  if (symbol.is(SymbolKind::GridDim)) return places.grid(symbol.axis);
  if (symbol.is(SymbolKind::GlobalOffset)) return coord(CoordKind::GlobalOffset, symbol.axis, uint64());
  if (!symbol.variable) return nullptr;
  if (!symbol.name.starts_with(symbol.variable->name)) return nullptr;
  const ExprPtr value = fieldAt(places.variable(symbol.variable),
                                std::string_view(symbol.name).substr(symbol.variable->name.size()));
  return value && value->type->isInteger() ? value : nullptr;
}

ToExpr::ToExpr(const KernelModel& model, TypePtr computeType)
    : kernel(model), atoms(*model.atoms), type(std::move(computeType)) {}

std::optional<ExprPtr> ToExpr::of(const Poly& p) {
  written = 0;
  return sum(withLoopValues(p));
}

std::optional<ExprPtr> ToExpr::of(const CondPtr& c) {
  written = 0;
  return condition(withLoopValues(c));
}

// Counters replaced by (variable - first) / step, so that first + step * counter is the variable again.
Poly ToExpr::withLoopValues(const Poly& p) {
  Atoms::Substitution values;
  std::vector<AtomId> met;
  atoms.forEachAtom(p, [&](AtomId id) { met.push_back(id); });
  for (AtomId id : met) {
    const Atom& a = atoms[id];
    if (a.kind != AtomKind::Loop || given.contains(id) || values.contains(id)) continue;
    const Loop& loop = kernel.loops[a.loop];
    if (!loop.var && !loopValues.contains(a.loop)) continue;
    if (!loopSymbols.contains(a.loop)) {
      // The name keeps it apart from parameters and from other loops over a variable of the same name.
      const auto steps = loop.step.constant();
      const bool rises = loop.values.empty() && steps && *steps > 0;
      Poly symbol = atoms.helper("value of " + loop.handle, loop.var.get(),
                                 rises ? atoms.range(loop.first).low : INT64_MIN, INT64_MAX);
      AtomId own = symbol.atoms().front();
      loopSymbols[a.loop] = own;
      if (loopValues.contains(a.loop))
        given[own] = loopValues[a.loop];
      else
        given[own] = ref(loop.var);
    }
    Poly value = Poly::atom(loopSymbols[a.loop]);
    if (!loop.values.empty()) {
      values[id] = value;
      continue;
    }
    Poly distance = value - withLoopValues(loop.first);
    auto step = loop.step.constant();
    values[id] = loop.byDistance || step == 1 ? distance : step == -1 ? -distance : Poly();
    if (loop.byDistance || (step && (*step == 1 || *step == -1))) continue;
    if (!step) {
      values.erase(id);
      continue;
    }
    // A multiple of the step: exact, and worked out where the polynomial multiplies it by the step anyway.
    values[id] = *step > 0 ? atoms.div(distance, *step) : atoms.div(-distance, -*step);
  }
  // step * floor(distance / step) is the distance itself, since counters are whole.
  Poly scaled = p;
  for (const auto& [id, value] : values) {
    const Loop& loop = kernel.loops[atoms[id].loop];
    auto step = loop.step.constant();
    if (loop.byDistance || !step || *step == 1 || *step == -1 || !loop.values.empty()) continue;
    Poly factor = scaled.coefficient(id);
    if (!factor.isDivisible(*step < 0 ? -*step : *step) || factor.mentions(id)) continue;
    Poly distance = Poly::atom(loopSymbols[atoms[id].loop]) - withLoopValues(loop.first);
    Poly perStep = factor.dividedExactly(*step < 0 ? -*step : *step);
    scaled = scaled.without(id) + (*step < 0 ? -perStep : perStep) * distance;
  }
  return values.empty() ? p : atoms.substitute(scaled, values);
}

CondPtr ToExpr::withLoopValues(const CondPtr& c) {
  switch (c->kind) {
    case CondKind::AtLeast0: return atLeast0(withLoopValues(c->value));
    case CondKind::Zero: return affine::isZero(withLoopValues(c->value));
    case CondKind::And:
    case CondKind::Or: {
      std::vector<CondPtr> parts;
      for (const CondPtr& part : c->parts) parts.push_back(withLoopValues(part));
      return c->kind == CondKind::And ? allOf(parts) : anyOf(parts);
    }
    default: return c;
  }
}

std::optional<ExprPtr> ToExpr::sum(const Poly& p) {
  // Products of unknowns first, then single ones, those of threads behind the others, the constant last; what
  // is subtracted after what is added.
  std::vector<std::pair<Monomial, int64_t>> terms(p.terms().begin(), p.terms().end());
  auto isThread = [&](const Monomial& m) {
    return m.size() == 1 && atoms[m.front()].kind == AtomKind::Thread;
  };
  std::sort(terms.begin(), terms.end(), [&](const auto& a, const auto& b) {
    if (a.first.empty() != b.first.empty()) return b.first.empty();
    if ((a.second < 0) != (b.second < 0)) return b.second < 0;
    if (a.first.size() != b.first.size()) return a.first.size() > b.first.size();
    if (isThread(a.first) != isThread(b.first)) return isThread(b.first);
    return a.first < b.first;
  });
  ExprPtr out;
  for (const auto& [monomial, factor] : terms) {
    const bool isSubtracted = out && factor < 0 && factor != INT64_MIN;
    ExprPtr product;
    for (AtomId id : monomial) {
      auto one = atom(id);
      if (!one) return none();
      product = product ? times(product, *one) : *one;
    }
    const int64_t scale = isSubtracted ? -factor : factor;
    ExprPtr number = intLit(scale, type);
    product = !product      ? number
              : scale == 1  ? product
              : scale == -1 ? unary(UnaryOp::Neg, product)
                            : times(product, number);
    out = !out ? product : isSubtracted ? minus(out, product) : plus(out, product);
  }
  return out ? out : intLit(0, type);
}

std::optional<ExprPtr> ToExpr::atom(AtomId id) {
  // Choices among choices double with each; what would take pages is not written.
  if (++written > 2000) return none();
  if (auto found = given.find(id); found != given.end()) return convert(found->second, type);
  const Atom& a = atoms[id];
  switch (a.kind) {
    case AtomKind::Block: return convert(coord(CoordKind::BlockIdx, a.axis), type);
    case AtomKind::Thread: return convert(coord(CoordKind::ThreadIdx, a.axis), type);
    case AtomKind::Symbol: return symbol(a);
    case AtomKind::Loop: return none();  // one without a variable
    case AtomKind::Div: {
      auto value = sum(a.value), divisor = sum(a.divisor);
      if (!value || !divisor) return none();
      if (atoms.range(a.value).low >= 0) return over(*value, *divisor);
      // C rounds towards zero, this towards minus infinity.
      ExprPtr last = minus(*divisor, intLit(1, type));
      ExprPtr isNegative = binary(BinaryOp::Lt, *value, intLit(0, type));
      return makeExpr(type, Select{isNegative, over(minus(*value, last), *divisor), over(*value, *divisor)});
    }
    case AtomKind::Choice: {
      auto cond = condition(a.cond), yes = sum(a.yes), no = sum(a.no);
      if (!cond || !yes || !no) return none();
      return makeExpr(type, Select{*cond, *yes, *no});
    }
    case AtomKind::Bits: {
      auto value = sum(a.value), other = sum(a.divisor);
      if (!value || !other) return none();
      return binary(a.op, *value, *other);
    }
    case AtomKind::Opaque: break;
  }
  return none();
}

std::optional<ExprPtr> ToExpr::symbol(const Atom& a) {
  auto variable = [this](const Variable* wanted) -> ExprPtr {
    for (const VarPtr& param : kernel.kernel->params)
      if (param.get() == wanted) return isChanged(wanted) ? nullptr : ref(param);
    ExprPtr found;  // one outside of functions: where the kernel names it
    walkExprs(kernel.kernel->body, [&](const Expr& e) {
      if (const auto* r = e.as<VarRef>(); r && r->var.get() == wanted) found = ref(r->var);
    });
    return found;
  };
  const ExprPtr value =
      symbolExpr(a, {variable, [](unsigned axis) { return coord(CoordKind::GridDim, axis); }});
  return value ? std::optional(convert(value, type)) : none();
}

// The symbol is what the launch hands over, which a parameter that the kernel assigns does not hold later.
bool ToExpr::isChanged(const Variable* param) {
  if (!changed) changed = assignedVariables(kernel.kernel->body);
  return changed->contains(param);
}

// Whether 32 bits do for a side of a comparison. It is no sum that the kernel computed: i - m < 100 becomes i
// < m + 100. Whoever writes ids of threads and variables of loops makes sure that they fit, and the next few
// as well; a parameter of 32 bits fits by itself. Of sums of these nothing is known.
bool ToExpr::staysNarrow(const Poly& p) const {
  constexpr int64_t few = 4096;
  bool isOfIds = true;
  for (AtomId id : p.atoms()) {
    const Atom& a = atoms[id];
    const bool isInner = a.kind == AtomKind::Div || a.kind == AtomKind::Bits;
    if (isInner && !(staysNarrow(a.value) && staysNarrow(a.divisor))) return false;
    if (a.kind == AtomKind::Choice && !(staysNarrow(a.yes) && staysNarrow(a.no))) return false;
  }
  atoms.forEachAtom(p, [&](AtomId id) {
    const Atom& a = atoms[id];
    isOfIds = isOfIds && (a.kind != AtomKind::Symbol || a.is(SymbolKind::GridDim) || given.contains(id));
  });
  auto fits = [&](const Poly& sum) { return atoms.range(sum).isWithin(INT32_MIN, INT32_MAX); };
  if (fits(p)) return true;
  const int64_t number = p.constantPart();
  const Poly rest = p - Poly(number);
  const bool isOne = rest.terms().size() == 1 && rest.degree() == 1 && rest.terms().begin()->second == 1;
  if (!isOfIds && !(isOne && fits(rest))) return false;
  return number == 0 || (isOfIds && number > 0 && number < few) ||
         (number < 0 && number >= INT32_MIN && atoms.range(rest).low >= 0);
}

// value >= 0 (or == 0) with what is subtracted on the left: w - 1 - x >= 0 is x < w.
std::optional<ExprPtr> ToExpr::comparison(const Poly& value, bool isEquality) {
  Poly added, subtracted;
  for (const auto& [monomial, factor] : value.terms()) {
    if (monomial.empty()) continue;
    if (factor > 0)
      added.add(monomial, factor);
    else
      subtracted.add(monomial, -factor);
  }
  int64_t rest = value.constantPart();
  BinaryOp op = isEquality ? BinaryOp::Eq : BinaryOp::Le;
  if (!isEquality && rest < 0 && !subtracted.isZero()) {
    op = BinaryOp::Lt;
    ++rest;
  }
  Poly left = subtracted, right = added;
  if (rest < 0)
    left += Poly(-rest);
  else
    right += Poly(rest);
  const TypePtr usual = type;
  if (type->bits < 64 && !(staysNarrow(left) && staysNarrow(right))) {
    // x - 3 <= w may be less than x <= w + 3.
    const Poly less = rest < 0 ? added + Poly(rest) : subtracted - Poly(rest);
    const Poly& other = rest < 0 ? subtracted : added;
    if (!less.constant() && staysNarrow(less) && staysNarrow(other))
      left = rest < 0 ? other : less, right = rest < 0 ? less : other;
    else
      type = int64();
  }
  auto a = sum(left), b = sum(right);
  type = usual;
  if (!a || !b) return none();
  if (subtracted.isZero() && !isEquality) return binary(BinaryOp::Ge, *b, *a);
  if (subtracted.isZero()) return binary(BinaryOp::Eq, *b, *a);
  return binary(op, *a, *b);
}

std::optional<ExprPtr> ToExpr::condition(const CondPtr& c) {
  switch (c->kind) {
    case CondKind::True: return boolLit(true);
    case CondKind::False: return boolLit(false);
    case CondKind::AtLeast0: return comparison(c->value, false);
    case CondKind::Zero: return comparison(c->value, true);
    case CondKind::And:
    case CondKind::Or: {
      ExprPtr out;
      for (const CondPtr& part : c->parts) {
        auto one = condition(part);
        if (!one) return none();
        out = !out ? *one : c->kind == CondKind::And ? andAlso(out, *one) : orElse(out, *one);
      }
      return out ? out : boolLit(c->kind == CondKind::And);
    }
    case CondKind::Unknown: break;
  }
  return none();
}

TypePtr indexType(const Access& access) {
  bool isWide = false;
  walkExprs(access.place, [&](const Expr& e) {
    const auto* s = e.as<Subscript>();
    if (!s) return;
    for (const ExprPtr& index : s->indices) {
      ExprPtr inner = index;
      while (const auto* cast = ir::as<Cast>(inner)) inner = cast->operand;
      isWide = isWide || (inner->type->is(TypeKind::Int) && inner->type->bits > 32);
    }
  });
  return isWide ? int64() : int32();
}

}  // namespace hone::affine
