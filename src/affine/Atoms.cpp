#include "affine/Atoms.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

namespace hone::affine {
namespace {

void appendKey(std::string& out, const Poly& p) {
  for (const auto& [monomial, factor] : p.terms()) {
    out += std::to_string(factor);
    for (const AtomId id : monomial) out += '*' + std::to_string(id);
    out += ';';
  }
  out += '|';
}

void appendKey(std::string& out, const CondPtr& c) {
  out += static_cast<char>('A' + static_cast<int>(c->kind));
  appendKey(out, c->value);
  out += std::to_string(c->number) + (c->negated ? "-" : "+");
  // Without a number an unknown condition is the same as itself only.
  if (c->kind == CondKind::Unknown && c->number == 0)
    out += std::to_string(reinterpret_cast<uintptr_t>(c.get()));
  for (const CondPtr& part : c->parts) appendKey(out, part);
  out += ')';
}

std::string keyOf(const Atom& a) {
  std::string out = std::to_string(static_cast<int>(a.kind)) + ' ';
  switch (a.kind) {
    case AtomKind::Block:
    case AtomKind::Thread: out += std::to_string(a.axis); break;
    case AtomKind::Loop: out += std::to_string(a.loop.number()); break;
    case AtomKind::Symbol:
      out += std::to_string(static_cast<int>(a.symbol)) + ' ' + std::to_string(a.axis) + ' ' + a.name;
      break;
    case AtomKind::Bits: out += std::to_string(static_cast<int>(a.op)); [[fallthrough]];
    case AtomKind::Div:
      appendKey(out, a.value);
      appendKey(out, a.divisor);
      break;
    case AtomKind::Choice:
      appendKey(out, a.cond);
      appendKey(out, a.yes);
      appendKey(out, a.no);
      break;
    case AtomKind::Opaque: break;
  }
  return out;
}

Atom symbolOf(SymbolKind kind, std::string name, int64_t low, int64_t high, unsigned axis = 0) {
  Atom a;
  a.kind = AtomKind::Symbol;
  a.symbol = kind;
  a.axis = static_cast<uint8_t>(axis);
  a.name = std::move(name);
  a.low = low;
  a.high = high;
  return a;
}

Atom gridDimOf(unsigned axis) {
  return symbolOf(SymbolKind::GridDim, std::string("gridDim.") + "xyz"[axis], 1, INT32_MAX, axis);
}

// The term of the highest degree, and of these the last: what a division looks for first.
std::pair<Monomial, int64_t> leadingTerm(const Poly& p) {
  std::pair<Monomial, int64_t> out;
  for (const auto& [monomial, factor] : p.terms())
    if (monomial.size() >= out.first.size()) out = {monomial, factor};
  return out;
}

// The quotient of a polynomial by one that is not a number, as far as multiples of the whole divisor stand in
// it.
Poly wholeMultiples(const Poly& value, const Poly& divisor) {
  const auto [lead, leadFactor] = leadingTerm(divisor);
  Poly out, rest = value;
  for (const auto& [monomial, factor] : value.terms()) {
    if (factor % leadFactor != 0 || !std::ranges::includes(monomial, lead)) continue;
    if (const auto at = rest.terms().find(monomial); at == rest.terms().end() || at->second != factor)
      continue;
    Monomial quotient;
    std::ranges::set_difference(monomial, lead, std::back_inserter(quotient));
    Poly part;
    part.add(quotient, factor / leadFactor);
    Poly next = rest - part * divisor;
    // Only what makes the rest shorter by all it took: the others leave terms that were not there.
    if (next.terms().size() + divisor.terms().size() > rest.terms().size()) {
      const bool changesConstantOnly = (next - next.constantPart()).terms().size() + divisor.terms().size() -
                                           (divisor.constantPart() != 0 ? 1 : 0) <=
                                       (rest - rest.constantPart()).terms().size();
      if (!changesConstantOnly) continue;
    }
    out += part;
    rest = std::move(next);
  }
  return out;
}

bool isPowerOf2(int64_t v) { return v > 0 && std::has_single_bit(static_cast<uint64_t>(v)); }

}  // namespace

AtomId Atoms::intern(Atom atom) {
  std::string key = keyOf(atom);
  if (atom.kind != AtomKind::Opaque)
    if (const auto at = byKey.find(key); at != byKey.end()) return at->second;
  const auto id = static_cast<AtomId>(table.size());
  byKey.emplace(std::move(key), id);
  table.push_back(std::move(atom));
  return id;
}

Poly Atoms::block(unsigned axis) {
  Atom a;
  a.kind = AtomKind::Block;
  a.axis = static_cast<uint8_t>(axis);
  a.low = 0;
  a.high = axis == 0 ? INT32_MAX - 1 : 65534;
  return Poly::atom(intern(std::move(a)));
}

Poly Atoms::thread(unsigned axis) {
  Atom a;
  a.kind = AtomKind::Thread;
  a.axis = static_cast<uint8_t>(axis);
  a.low = 0;
  a.high = int64_t{blockShape[axis]} - 1;
  return Poly::atom(intern(std::move(a)));
}

Poly Atoms::loop(LoopId loop) {
  Atom a;
  a.kind = AtomKind::Loop;
  a.loop = loop;
  return Poly::atom(intern(std::move(a)));
}

Poly Atoms::symbol(const std::string& name, const ir::Variable* variable, int64_t low, int64_t high) {
  Atom a = symbolOf(SymbolKind::Value, name, low, high);
  a.variable = variable;
  return Poly::atom(intern(std::move(a)));
}

Poly Atoms::helper(const std::string& name, const ir::Variable* variable, int64_t low, int64_t high) {
  Atom a = symbolOf(SymbolKind::Helper, name, low, high);
  a.variable = variable;
  return Poly::atom(intern(std::move(a)));
}

Poly Atoms::gridDim(unsigned axis) { return Poly::atom(intern(gridDimOf(axis))); }

Poly Atoms::globalOffset(unsigned axis) {
  return Poly::atom(intern(
      symbolOf(SymbolKind::GlobalOffset, std::string("globalOffset.") + "xyz"[axis], 0, INT32_MAX, axis)));
}

Poly Atoms::workDim() { return Poly::atom(intern(symbolOf(SymbolKind::WorkDim, "workDim", 1, 3))); }

Poly Atoms::opaque(std::string name, std::string reason, Variation varies, int64_t low, int64_t high) {
  Atom a;
  a.kind = AtomKind::Opaque;
  a.name = std::move(name);
  a.reason = std::move(reason);
  a.varies = varies;
  a.low = low;
  a.high = high;
  return Poly::atom(intern(std::move(a)));
}

void Atoms::bound(AtomId id, int64_t low, int64_t high) {
  table[id].low = std::max(table[id].low, low);
  table[id].high = std::min(table[id].high, high);
  ranges.clear();
}

void Atoms::setRange(AtomId id, int64_t low, int64_t high) {
  if (table[id].low == low && table[id].high == high) return;
  table[id].low = low;
  table[id].high = high;
  ranges.clear();
}

std::optional<AtomId> Atoms::find(const Atom& atom) const {
  const auto at = byKey.find(keyOf(atom));
  return at == byKey.end() ? std::nullopt : std::optional(at->second);
}

std::optional<AtomId> Atoms::findSymbol(const std::string& name) const {
  return find(symbolOf(SymbolKind::Value, name, 0, 0));
}

std::optional<AtomId> Atoms::findGridDim(unsigned axis) const { return find(gridDimOf(axis)); }

Poly Atoms::divByNumber(const Poly& value, int64_t divisor) {
  if (divisor == 1) return value;
  // Exact multiples come out; the constant is left in [0, divisor).
  Poly whole, rest;
  for (const auto& [monomial, factor] : value.terms()) {
    if (monomial.empty()) {
      whole += floorDiv(factor, divisor);
      rest += floorMod(factor, divisor);
    } else if (factor % divisor == 0) {
      whole.add(monomial, factor / divisor);
    } else {
      rest.add(monomial, factor);
    }
  }
  if (const std::optional<int64_t> number = rest.constant()) return whole + floorDiv(*number, divisor);
  if (const Range r = range(rest); r.low != INT64_MIN && r.high != INT64_MAX)
    if (const int64_t q = floorDiv(r.low, divisor); q == floorDiv(r.high, divisor)) return whole + q;
  // floor((g*x + k) / (g*c)) = floor((x + floor(k/g)) / c)
  const int64_t constant = rest.constantPart();
  if (const int64_t common = std::gcd((rest - constant).content(), divisor); common > 1)
    return whole + divByNumber((rest - constant).dividedExactly(common) + floorDiv(constant, common),
                               divisor / common);
  // floor((floor(x/a) + k) / b) = floor((x + k*a) / (a*b))
  const Poly inner = rest - constant;
  if (inner.terms().size() == 1 && inner.terms().begin()->second == 1 && inner.degree() == 1) {
    const Atom& a = table[inner.terms().begin()->first.front()];
    if (a.kind == AtomKind::Div) return whole + div(a.value + a.divisor * constant, a.divisor * divisor);
  }
  Atom a;
  a.kind = AtomKind::Div;
  a.value = std::move(rest);
  a.divisor = divisor;
  return whole + Poly::atom(intern(std::move(a)));
}

Poly Atoms::div(const Poly& value, const Poly& divisor) {
  if (const std::optional<int64_t> number = divisor.constant()) {
    // A divisor that is not positive has no meaning here; it stays visible and evaluates to nothing.
    if (*number > 0) return divByNumber(value, *number);
  } else {
    const Poly whole = wholeMultiples(value, divisor);
    const Poly rest = value - whole * divisor;
    if (rest.isZero()) return whole;
    const Range r = range(rest), margin = range(divisor - rest);
    if (r.low >= 0 && margin.low >= 1) return whole;
    if (r.high != INT64_MAX && r.high < 0 && range(divisor + rest).low >= 0) return whole - 1;
    if (!whole.isZero()) return whole + div(rest, divisor);
    if (rest.terms().size() == 1 && rest.terms().begin()->second == 1 && rest.degree() == 1) {
      const Atom& a = table[rest.terms().begin()->first.front()];
      if (a.kind == AtomKind::Div) return div(a.value, a.divisor * divisor);
    }
    // A number that divides both sides.
    if (const int64_t common = std::gcd(rest.content(), divisor.content()); common > 1)
      return div(rest.dividedExactly(common), divisor.dividedExactly(common));
  }
  Atom a;
  a.kind = AtomKind::Div;
  a.value = value;
  a.divisor = divisor;
  return Poly::atom(intern(std::move(a)));
}

Poly Atoms::choice(const CondPtr& cond, const Poly& yes, const Poly& no) {
  if (yes == no) return yes;
  if (const std::optional<bool> known = decided(cond)) return *known ? yes : no;
  Atom a;
  a.kind = AtomKind::Choice;
  a.cond = cond;
  a.yes = yes;
  a.no = no;
  return Poly::atom(intern(std::move(a)));
}

Poly Atoms::bits(ir::BinaryOp op, const Poly& value, const Poly& other) {
  using enum ir::BinaryOp;
  const std::optional<int64_t> left = value.constant(), right = other.constant();
  if (op == Shl || op == Shr) {
    if (right && *right >= 0 && *right < 62)
      return op == Shl ? value * (int64_t{1} << *right) : divByNumber(value, int64_t{1} << *right);
  } else {
    if (left && !right) return bits(op, other, value);  // commutes; the number is the second
    if (left && right) return op == BitAnd ? *left & *right : op == BitOr ? *left | *right : *left ^ *right;
    if (value == other) return op == BitXor ? Poly() : value;
    const Range r = range(value), s = range(other);
    if (right && *right == 0) return op == BitAnd ? Poly() : value;
    if (right && *right == -1) return op == BitAnd ? value : op == BitOr ? Poly(-1) : -value - 1;
    if (op == BitAnd && right && *right > 0) {
      // Bits that stand together: a mask of `width` bits from bit `from` on.
      const auto mask = static_cast<uint64_t>(*right);
      const int from = std::countr_zero(mask);
      const int width = std::countr_one(mask >> from);
      if (from + width < 62 && mask >> (from + width) == 0)
        return mod(divByNumber(value, int64_t{1} << from), int64_t{1} << width) * (int64_t{1} << from);
    }
    if (op == BitAnd && right && isPowerOf2(-*right)) return value - mod(value, -*right);
    if (op != BitAnd) {
      // No bit in both: a multiple of 2^k and less than 2^k.
      const auto apart = [](const Poly& high, const Range& low) {
        const int64_t content = high.content();
        const int64_t unit = content & -content;
        return low.low >= 0 && low.high < unit;
      };
      if (apart(value, s) || apart(other, r)) return value + other;
    }
    // All bits of what lies below 2^k turned over.
    if (op == BitXor && right && *right > 0 && isPowerOf2(*right + 1) && r.isWithin(0, *right))
      return *right - value;
    if (value < other && !right) return bits(op, other, value);  // one order
  }
  Atom a;
  a.kind = AtomKind::Bits;
  a.op = op;
  a.value = value;
  a.divisor = other;
  return Poly::atom(intern(std::move(a)));
}

namespace {

template <typename Fn>
struct AtomWalk {
  const Atoms& atoms;
  const Fn& fn;
  std::set<AtomId> seen;

  void poly(const Poly& p) {
    for (const auto& [monomial, factor] : p.terms())
      for (const AtomId id : monomial) atom(id);
  }
  void cond(const CondPtr& c) {
    poly(c->value);
    for (const CondPtr& part : c->parts) cond(part);
  }
  void atom(AtomId id) {
    if (!seen.insert(id).second) return;
    const Atom& a = atoms[id];
    poly(a.value);
    poly(a.divisor);
    if (a.kind == AtomKind::Choice) {
      cond(a.cond);
      poly(a.yes);
      poly(a.no);
    }
    fn(id);
  }
};

void addUnknowns(const CondPtr& c, Variation& out) {
  if (c->kind == CondKind::Unknown) out |= c->varies;
  for (const CondPtr& part : c->parts) addUnknowns(part, out);
}

Variation variationOf(const Atom& a, const std::array<unsigned, 3>& shape) {
  Variation out;
  switch (a.kind) {
    case AtomKind::Block: out.blockAxes = static_cast<uint8_t>(1u << a.axis); break;
    case AtomKind::Thread:
      if (shape[a.axis] > 1) out.threadAxes = static_cast<uint8_t>(1u << a.axis);
      break;
    case AtomKind::Loop: out.loops = loopBit(a.loop); break;
    case AtomKind::Opaque: out = a.varies; break;
    case AtomKind::Choice: addUnknowns(a.cond, out); break;
    case AtomKind::Symbol:
    case AtomKind::Div:
    case AtomKind::Bits: break;
  }
  return out;
}

}  // namespace

void Atoms::forEachAtom(const Poly& p, const std::function<void(AtomId)>& fn) const {
  AtomWalk<std::function<void(AtomId)>>{*this, fn, {}}.poly(p);
}

void Atoms::forEachAtom(const CondPtr& c, const std::function<void(AtomId)>& fn) const {
  AtomWalk<std::function<void(AtomId)>>{*this, fn, {}}.cond(c);
}

Variation Atoms::variation(const Poly& p) const {
  Variation out;
  forEachAtom(p, [&](AtomId id) { out |= variationOf(table[id], blockShape); });
  return out;
}

Variation Atoms::variation(const CondPtr& c) const {
  Variation out;
  addUnknowns(c, out);
  forEachAtom(c, [&](AtomId id) { out |= variationOf(table[id], blockShape); });
  return out;
}

bool Atoms::isLaunchUniform(const Poly& p) const {
  bool out = true;
  forEachAtom(p, [&](AtomId id) {
    const AtomKind kind = table[id].kind;
    if (kind == AtomKind::Choice)
      out &= !hasUnknown(table[id].cond);
    else
      out &= kind == AtomKind::Symbol || kind == AtomKind::Div || kind == AtomKind::Bits;
  });
  return out;
}

namespace {

// Replaces atoms, each looked at once.
class Replacement {
 public:
  Replacement(Atoms& table, const Atoms::Substitution& given) : atoms(table), done(given) {}

  Poly poly(const Poly& p) {
    Poly out;
    for (const auto& [monomial, factor] : p.terms()) {
      Poly term = factor;
      for (const AtomId id : monomial) term = term * atom(id);
      out += term;
    }
    return out;
  }

  CondPtr cond(const CondPtr& c) {
    switch (c->kind) {
      case CondKind::AtLeast0: return atLeast0(poly(c->value));
      case CondKind::Zero: return isZero(poly(c->value));
      case CondKind::And:
      case CondKind::Or: {
        std::vector<CondPtr> parts;
        for (const CondPtr& part : c->parts) parts.push_back(cond(part));
        return c->kind == CondKind::And ? allOf(std::move(parts)) : anyOf(std::move(parts));
      }
      case CondKind::True:
      case CondKind::False:
      case CondKind::Unknown: break;
    }
    return c;
  }

 private:
  const Poly& atom(AtomId id) {
    if (const auto at = done.find(id); at != done.end()) return at->second;
    const Atom& a = atoms[id];
    Poly out = Poly::atom(id);
    if (a.kind == AtomKind::Div || a.kind == AtomKind::Bits) {
      const Poly value = poly(a.value), divisor = poly(a.divisor);
      if (value != a.value || divisor != a.divisor)
        out = a.kind == AtomKind::Div ? atoms.div(value, divisor) : atoms.bits(a.op, value, divisor);
    } else if (a.kind == AtomKind::Choice) {
      const CondPtr c = cond(a.cond);
      const Poly yes = poly(a.yes), no = poly(a.no);
      if (!sameCond(c, a.cond) || yes != a.yes || no != a.no) out = atoms.choice(c, yes, no);
    }
    return done.emplace(id, std::move(out)).first->second;
  }

  Atoms& atoms;
  Atoms::Substitution done;
};

}  // namespace

Poly Atoms::substitute(const Poly& p, const Substitution& values) {
  return Replacement(*this, values).poly(p);
}

CondPtr Atoms::substitute(const CondPtr& c, const Substitution& values) {
  return Replacement(*this, values).cond(c);
}

}  // namespace hone::affine
