#include "analysis/Magnitudes.h"

#include <algorithm>
#include <cmath>

#include "ir/intrinsics/Intrinsics.h"

namespace hone::analysis {

using affine::AtomId;
using affine::Monomial;
using affine::Poly;
using ir::addressTaken;
using ir::as;
using ir::Assign;
using ir::assignedVariables;
using ir::Binary;
using ir::BinaryOp;
using ir::Call;
using ir::Cast;
using ir::constantValue;
using ir::Construct;
using ir::Coord;
using ir::CoordKind;
using ir::Counted;
using ir::counted;
using ir::Declare;
using ir::ExprPtr;
using ir::FloatLiteral;
using ir::For;
using ir::IntLiteral;
using ir::Kernel;
using ir::sameType;
using ir::Select;
using ir::Space;
using ir::Stmt;
using ir::StmtPtr;
using ir::Subscript;
using ir::Type;
using ir::TypeKind;
using ir::Unary;
using ir::UnaryOp;
using ir::Variable;
using ir::VarPtr;
using ir::VarRef;
using ir::walkStmts;

namespace {

// Factors between these leave products and quotients by 64-bit integers far from where floats lose digits.
constexpr double smallestFactor = 1e-15, greatestFactor = 1e15;
// More than all roundings on the way can add.
constexpr double forRounding = 1.01;
constexpr size_t mostTerms = 16;

double largestOf(const Type& type) { return type.bits == 64 ? 1e300 : 1e38; }

// Of an integer literal that fits 63 bits and a sign.
std::optional<int64_t> literalValue(const ExprPtr& e) {
  const auto number = as<IntLiteral>(e) ? constantValue(e) : std::nullopt;
  return number && (e->type->isSigned || *number >= 0) ? number : std::nullopt;
}

std::vector<const Stmt*> loopsOf(const StmtPtr& body) {
  std::vector<const Stmt*> out;
  walkStmts(body, [&](const Stmt& s) {
    if (s.is<For>()) out.push_back(&s);
  });
  return out;
}

// Whether a variable is what its loop compares and steps on, as integers of its own type: not a part of it,
// and not what is left of wider integers.
bool countsInItsType(const For& loop, const Counted& c) {
  const Type& own = *c.var->type;
  const auto isItself = [&](const ExprPtr& e) {
    const auto* v = as<VarRef>(e);
    return v && v->var == c.var;
  };
  const auto keepsIt = [&](const ExprPtr& e) {
    const auto* cast = as<Cast>(e);
    if (!cast) return isItself(e);
    const bool isWider = e->type->bits > own.bits;
    return isItself(cast->operand) &&
           (isWider || (e->type->bits == own.bits && (own.isSigned || !e->type->isSigned)));
  };
  const auto* compare = as<Binary>(loop.cond);
  if (!compare || !(keepsIt(compare->lhs) || keepsIt(compare->rhs))) return false;
  if (own.isSigned && !(c.step->type->isSigned && c.step->type->bits <= own.bits)) return false;
  for (const StmtPtr& s : loop.step) {
    const auto* step = as<Assign>(s);
    if (!step || step->op || !isItself(step->place)) continue;
    const auto* sum = as<Binary>(step->value);
    if (!sum || !(isItself(sum->lhs) || isItself(sum->rhs))) return false;
  }
  return true;
}

bool isNumber(const Type& type) { return type.is(TypeKind::Float) && (type.bits == 32 || type.bits == 64); }

}  // namespace

Magnitudes::Magnitudes(const Kernel& kernel) {
  std::set<const Variable*> changed = assignedVariables(kernel.body);
  const std::set<const Variable*> taken = addressTaken(kernel.body);
  changed.insert(taken.begin(), taken.end());
  for (const VarPtr& p : kernel.params)
    if (!changed.contains(p.get()) && !p->isReference && !p->isVolatile) steady.insert(p.get());
  // What the head of a loop declares beside its counter outlives the iteration in which it got its value.
  for (const Stmt* loop : loopsOf(kernel.body))
    for (const StmtPtr& s : loop->as<For>()->init)
      if (const auto* d = as<Declare>(s)) changed.insert(d->var.get());
  walkStmts(kernel.body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (!d || changed.contains(d->var.get()) || d->var->isReference || d->var->isVolatile ||
        d->var->space != Space::Private || !d->init)
      return;
    steady.insert(d->var.get());
    inits[d->var.get()] = d->init;
  });
  for (const Stmt* loop : loopsOf(kernel.body))
    if (const auto c = counted(*loop->as<For>(), &taken); c && c->declares && c->begin)
      addCounter(*c, countsInItsType(*loop->as<For>(), *c));
  spans.clear();  // worked out without what is known of the loops now
}

// The variable has one value in an iteration, and what an iteration declares goes with it.
void Magnitudes::addCounter(const Counted& c, bool countsInItsType) {
  steady.insert(c.var.get());
  if (!countsInItsType) return;
  const Type& type = *c.var->type;
  const Span first = span(c.begin), last = span(c.end), all = span(ref(c.var));
  const auto step = constantValue(c.step);
  if (!step || *step <= 0 || type.bits < 32) return;
  const bool rises =
      c.op == BinaryOp::Add || ((c.op == BinaryOp::Mul || c.op == BinaryOp::Shl) && first.low >= 0);
  const bool falls =
      c.op == BinaryOp::Sub || ((c.op == BinaryOp::Div || c.op == BinaryOp::Shr) && first.low >= 0);
  const bool isBelow = c.compare == BinaryOp::Lt || c.compare == BinaryOp::Le;
  const bool isAbove = c.compare == BinaryOp::Gt || c.compare == BinaryOp::Ge;
  // Without a sign the last step may wrap and the loop go on.
  if (rises && isBelow && last.high <= all.high)
    counters[c.var.get()] = {type.isSigned ? first.low : 0, last.high - (c.compare == BinaryOp::Lt)};
  if (falls && isAbove && type.isSigned && c.end->type->isSigned && last.low >= all.low)
    counters[c.var.get()] = {last.low + (c.compare == BinaryOp::Gt), first.high};
}

Magnitudes::Span Magnitudes::span(const ExprPtr& e) {
  Span type{0, 1};
  if (e->type->is(TypeKind::Int)) {
    const double half = std::ldexp(1.0, e->type->bits - 1);
    type = e->type->isSigned ? Span{-half, half - 1} : Span{0, 2 * half - 1};
    if (e->type->isPlainChar) type = {-half, 2 * half - 1};
  }
  if (!e->type->is(TypeKind::Int)) return type;
  if (const auto number = literalValue(e))
    return {static_cast<double>(*number), static_cast<double>(*number)};
  Span own = type;
  if (const auto* v = as<VarRef>(e)) {
    if (const auto counter = counters.find(v->var.get()); counter != counters.end()) return counter->second;
    const auto init = inits.find(v->var.get());
    if (init == inits.end()) return type;
    const auto [known, isNew] = spans.try_emplace(v->var.get(), type);
    if (isNew) known->second = span(init->second);
    own = spans.at(v->var.get());
  } else if (const auto* coord = as<Coord>(e)) {
    const double threads = coord->axis == 2 ? 64 : 1024;
    if (coord->kind == CoordKind::ThreadIdx) own = {0, threads - 1};
    if (coord->kind == CoordKind::BlockDim) own = {1, threads};
    if (coord->kind == CoordKind::WarpSize) own = {32, 32};
  } else if (const auto* cast = as<Cast>(e)) {
    if (cast->operand->type->isInteger()) own = span(cast->operand);
    // Plain char has a sign or has none.
    if (e->type->isPlainChar && (own.low < 0 || own.high >= std::ldexp(1.0, e->type->bits - 1))) own = type;
  } else if (const auto* minus = as<Unary>(e); minus && minus->op == UnaryOp::Neg) {
    const Span operand = span(minus->operand);
    own = {-operand.high, -operand.low};
  } else if (const auto* choice = as<Select>(e)) {
    const Span yes = span(choice->yes), no = span(choice->no);
    own = {std::min(yes.low, no.low), std::max(yes.high, no.high)};
  } else if (const auto* b = as<Binary>(e)) {
    own = spanOf(*b);
  } else if (const std::vector<ExprPtr> elements = elementsOf(e); !elements.empty()) {
    own = {0, 0};  // those that are not listed
    for (const ExprPtr& one : elements) {
      const Span each = span(one);
      own = {std::min(own.low, each.low), std::max(own.high, each.high)};
    }
  }
  // What leaves the type is undefined where it has a sign, and else anything.
  if (own.low >= type.low && own.high <= type.high) return own;
  return type;
}

std::vector<ExprPtr> Magnitudes::elementsOf(const ExprPtr& e) const {
  const auto* element = as<Subscript>(e);
  const auto* array = element ? as<VarRef>(element->base) : nullptr;
  const auto init =
      array && array->var->type->is(TypeKind::Array) ? inits.find(array->var.get()) : inits.end();
  if (init == inits.end()) return {};
  std::vector<ExprPtr> out, left{init->second};
  while (!left.empty()) {
    const ExprPtr part = left.back();
    left.pop_back();
    const auto* list = as<Construct>(part);
    if (!list && !sameType(part->type, e->type)) return {};
    if (list)
      left.insert(left.end(), list->parts.begin(), list->parts.end());
    else
      out.push_back(part);
  }
  return out;
}

Magnitudes::Span Magnitudes::spanOf(const Binary& b) {
  const Span x = span(b.lhs), y = span(b.rhs);
  constexpr double none = 1e300;
  switch (b.op) {
    case BinaryOp::Add: return {x.low + y.low, x.high + y.high};
    case BinaryOp::Sub: return {x.low - y.high, x.high - y.low};
    case BinaryOp::Mul: {
      const auto [low, high] = std::minmax({x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high});
      return {low, high};
    }
    case BinaryOp::Rem: {
      const double most = std::max(0.0, y.most() - 1);
      return {x.low < 0 ? -std::min(most, x.most()) : 0, x.high > 0 ? std::min(most, x.most()) : 0};
    }
    case BinaryOp::Div: return {x.low < 0 || y.low < 0 ? -x.most() : 0, x.most()};
    case BinaryOp::Shl: {
      const auto by = constantValue(b.rhs);
      if (!by || *by < 0 || *by > 62) break;
      return {std::ldexp(x.low, int(*by)), std::ldexp(x.high, int(*by))};
    }
    case BinaryOp::Shr: return x.low < 0 ? Span{-none, none} : Span{0, x.high};
    case BinaryOp::BitAnd:
      if (x.low >= 0 && y.low >= 0) return {0, std::min(x.high, y.high)};
      if (x.low >= 0) return {0, x.high};
      if (y.low >= 0) return {0, y.high};
      break;
    default: break;
  }
  return {-none, none};
}

Poly Magnitudes::unknown(Unknown u) {
  unknowns.push_back(std::move(u));
  return Poly::atom(static_cast<AtomId>(unknowns.size() - 1));
}

// The integer as a polynomial, exactly.
Poly Magnitudes::poly(const ExprPtr& e) {
  try {
    Poly out = polyOf(e);
    if (out.terms().size() <= mostTerms && out.degree() <= 4) return out;
  } catch (const affine::TooLarge&) {}
  return unknown({span(e), false, std::nullopt});
}

Poly Magnitudes::polyOf(const ExprPtr& e) {
  if (const auto number = literalValue(e)) return Poly(*number);
  if (const auto* v = as<VarRef>(e)) {
    const auto known = polys.find(v->var.get());
    if (known != polys.end()) return known->second;
    // A variable that is named inside what it begins with has no value yet.
    if (!steady.contains(v->var.get())) return unknown({span(e), false, std::nullopt});
    const Poly own = polys[v->var.get()] = unknown({span(e), true, std::nullopt});
    const auto init = inits.find(v->var.get());
    const Poly made = init != inits.end() ? poly(init->second) : own;
    // What is known of one unknown alone is no more than that it is a variable, unless it is a remainder.
    const bool isBare = made.terms().size() == 1 && made.degree() == 1 && made.content() == 1 &&
                        !unknowns[made.atoms().front()].isSame && !unknowns[made.atoms().front()].over;
    return polys[v->var.get()] = isBare ? own : made;
  }
  if (const auto* cast = as<Cast>(e); cast && cast->operand->type->isInteger()) {
    // A value that the type has keeps it.
    const Span before = span(cast->operand), after = span(e);
    if (e->type->is(TypeKind::Int) && before.low == after.low && before.high == after.high)
      return poly(cast->operand);
  }
  if (const auto* minus = as<Unary>(e); minus && minus->op == UnaryOp::Neg && e->type->isSigned)
    return -poly(minus->operand);
  const auto* b = as<Binary>(e);
  if (!b) return unknown({span(e), false, std::nullopt});
  if (b->op == BinaryOp::Rem) return unknown({span(e), true, poly(b->rhs)});
  const auto shift = b->op == BinaryOp::Shl ? constantValue(b->rhs) : std::nullopt;
  const bool isSum = b->op == BinaryOp::Add || b->op == BinaryOp::Sub;
  if (!isSum && b->op != BinaryOp::Mul && !(shift && *shift >= 0 && *shift < 31))
    return unknown({span(e), false, std::nullopt});
  // Without a sign it may wrap, and so may what is shifted, unless the ranges of the operands say that it
  // does not.
  const Span result = spanOf(*b), own = span(e);
  if ((!e->type->isSigned || shift) && (result.low < own.low || result.high > own.high))
    return unknown({own, false, std::nullopt});
  const Poly left = poly(b->lhs);
  if (shift) return left * Poly(int64_t{1} << *shift);
  const Poly right = poly(b->rhs);
  return b->op == BinaryOp::Add ? left + right : b->op == BinaryOp::Sub ? left - right : left * right;
}

// The same for a sum in the denominator: all terms have a remainder by just that.
std::optional<double> Magnitudes::quotientBySum(const Poly& over, const Poly& under) const {
  double sum = 0;
  for (const auto& [monomial, factor] : over.terms()) {
    double size = std::abs(static_cast<double>(factor));
    bool isWithin = false;
    for (AtomId id : monomial) {
      const Unknown& u = unknowns[id];
      if (!isWithin && u.over && *u.over == under)
        isWithin = true;
      else
        size *= u.span.most();
    }
    if (!isWithin) return std::nullopt;
    sum += size;
  }
  return over.terms().empty() ? std::nullopt : std::optional(sum);
}

// The greatest that |over / under| can be; nothing where that is not known, or `under` may be 0.
std::optional<double> Magnitudes::quotient(const Poly& over, const Poly& under) const {
  if (under.terms().size() != 1) return quotientBySum(over, under);
  const auto& [divisors, scale] = *under.terms().begin();
  // Factors that are not 0: of what a remainder was taken by, and those whose range says so.
  std::set<AtomId> apart;
  const auto notNull = [&](const Poly& p) {
    if (p.terms().size() == 1)
      for (AtomId id : p.atoms()) apart.insert(id);
  };
  for (AtomId id : over.atoms())
    if (unknowns[id].over) notNull(*unknowns[id].over);
  for (AtomId id : divisors) {
    const Unknown& u = unknowns[id];
    if (u.over) notNull(*u.over);
    if (u.span.low > 0 || u.span.high < 0) apart.insert(id);
  }
  for (AtomId id : divisors)
    if (!unknowns[id].isSame || !apart.contains(id)) return std::nullopt;
  double sum = 0;
  for (const auto& [monomial, factor] : over.terms()) {
    double size = std::abs(static_cast<double>(factor)) / std::abs(static_cast<double>(scale));
    std::multiset<AtomId> left(divisors.begin(), divisors.end());
    for (AtomId id : monomial) {
      const Unknown& u = unknowns[id];
      if (const auto same = left.find(id); same != left.end()) {
        left.erase(same);
        continue;
      }
      // A remainder is smaller than what it was taken by.
      std::multiset<AtomId> without = left;
      bool isWithin = u.over && u.over->terms().size() == 1;
      if (isWithin)
        for (AtomId by : u.over->terms().begin()->first) {
          const auto same = without.find(by);
          isWithin = isWithin && same != without.end();
          if (isWithin) without.erase(same);
        }
      if (isWithin) {
        size *= std::abs(static_cast<double>(u.over->terms().begin()->second));
        left = without;
      } else {
        size *= u.span.most();
      }
    }
    sum += size;  // what is left of the divisor is 1 at least
  }
  return sum;
}

std::optional<double> Magnitudes::most(const Product& p) const {
  double least = p.under == Poly(1) ? p.most : 1e300;
  if (p.under != Poly(1))
    if (const auto q = quotient(p.over, p.under)) least = p.factor * *q * forRounding;
  if (!(least < 1e300)) return std::nullopt;
  return least;
}

std::optional<double> Magnitudes::most(const ExprPtr& value) {
  const auto p = product(value);
  return p ? most(*p) : std::nullopt;
}

// Nothing where the value may be infinite though `under` is not 0, or leaves the range in which roundings are
// small.
std::optional<Magnitudes::Product> Magnitudes::product(const ExprPtr& e) {
  if (!isNumber(*e->type)) return std::nullopt;
  std::optional<Product> out;
  try {
    out = productOf(e);
  } catch (const affine::TooLarge&) {}
  if (!out || !(out->most < largestOf(*e->type))) return std::nullopt;
  if (out->factor != 0 && (out->factor < smallestFactor || out->factor > greatestFactor)) return std::nullopt;
  const auto isLarge = [](const Poly& p, unsigned degree) {
    return p.terms().size() > mostTerms || p.degree() > degree;
  };
  if (isLarge(out->over, 4) || isLarge(out->under, 2)) return std::nullopt;
  return out;
}

std::optional<Magnitudes::Product> Magnitudes::productOf(const ExprPtr& e) {
  const auto bounded = [](double most) { return Product{most, Poly(1), Poly(1), false, most * forRounding}; };
  if (const auto* literal = as<FloatLiteral>(e)) {
    const double size = std::abs(literal->value);
    return Product{size, Poly(1), Poly(1), true, size};
  }
  if (const auto* v = as<VarRef>(e)) {
    const auto init = inits.find(v->var.get());
    if (init == inits.end()) return std::nullopt;
    const auto [known, isNew] = products.try_emplace(v->var.get(), std::nullopt);
    if (isNew) {
      std::optional<Product> made = product(init->second);
      products[v->var.get()] = made;
    }
    return products.at(v->var.get());
  }
  if (const auto* cast = as<Cast>(e)) {
    if (!cast->operand->type->isInteger()) return product(cast->operand);
    const double most = span(cast->operand).most();
    const Poly number = poly(cast->operand);
    if (const auto constant = number.constant())
      return Product{std::abs(static_cast<double>(*constant)), Poly(1), Poly(1), true, most};
    return Product{1, number, Poly(1), true, most * forRounding};
  }
  if (const auto* minus = as<Unary>(e); minus && minus->op == UnaryOp::Neg) return product(minus->operand);
  if (const auto* choice = as<Select>(e)) {
    const auto yes = most(choice->yes), no = most(choice->no);
    if (!yes || !no) return std::nullopt;
    return bounded(std::max(*yes, *no));
  }
  if (const auto* call = as<Call>(e)) return callOf(*call);
  if (const std::vector<ExprPtr> elements = elementsOf(e); !elements.empty()) {
    double greatest = 0;
    for (const ExprPtr& one : elements) {
      const auto size = most(one);
      if (!size) return std::nullopt;
      greatest = std::max(greatest, *size);
    }
    return bounded(greatest);
  }
  const auto* b = as<Binary>(e);
  if (!b) return std::nullopt;
  const auto x = product(b->lhs), y = product(b->rhs);
  if (!x || !y) return std::nullopt;
  switch (b->op) {
    case BinaryOp::Add:
    case BinaryOp::Sub: {
      const auto left = most(*x), right = most(*y);
      if (!left || !right) return std::nullopt;
      return bounded(*left + *right);
    }
    case BinaryOp::Mul:
      return Product{x->factor * y->factor, x->over * y->over, x->under * y->under, x->isExact && y->isExact,
                     x->most * y->most * forRounding};
    case BinaryOp::Div:
      // An integer that is not 0 is 1 at least.
      if (!y->isExact || y->factor == 0 || y->under != Poly(1)) return std::nullopt;
      return Product{x->factor / y->factor, x->over, x->under * y->over, x->isExact,
                     x->most / y->factor * forRounding};
    default: return std::nullopt;
  }
}

std::optional<Magnitudes::Product> Magnitudes::callOf(const Call& call) {
  if (!call.intrinsic) return std::nullopt;
  const std::string_view id = call.intrinsic->id;
  if (id == "fabs") return product(call.args[0]);
  if ((id == "sin" || id == "cos") && most(call.args[0]))
    return Product{forRounding, Poly(1), Poly(1), false, forRounding};
  return std::nullopt;
}

}  // namespace hone::analysis
