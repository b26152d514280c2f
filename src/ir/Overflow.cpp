#include "ir/Overflow.h"

#include <algorithm>
#include <optional>
#include <set>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Walk.h"

namespace hone::ir {

namespace {

__extension__ using Wide = __int128;

struct Interval {
  Wide low = 0, high = 0;
  bool isWithin(const Interval& other) const { return low >= other.low && high <= other.high; }
};

constexpr Interval kSigned64 = {INT64_MIN, INT64_MAX};
// Elements from a pointer: what products of two 32-bit numbers and a little more come to, which no launch can
// reach.
constexpr Wide kFarthest = (Wide{1} << 62) + (Wide{1} << 40);

Interval rangeOf(const Type& type) {
  if (type.is(TypeKind::Bool)) return {0, 1};
  if (!type.is(TypeKind::Int)) return kSigned64;
  if (type.isSigned) return {-(Wide{1} << (type.bits - 1)), (Wide{1} << (type.bits - 1)) - 1};
  return {0, (Wide{1} << type.bits) - 1};
}

// What a launch can have; one that has more ends with an error.
Interval rangeOf(const Coord& coord, const Type& type) {
  switch (coord.kind) {
    case CoordKind::GridDim: return {1, (Wide{1} << 31) - 1};
    case CoordKind::BlockDim: return {1, 1 << 16};
    case CoordKind::GlobalSize: return {1, Wide{1} << 47};
    default: return rangeOf(type);
  }
}

bool isVariable(const ExprPtr& e) {
  if (const auto* member = as<Member>(e)) return isVariable(member->base);
  const auto* coord = as<Coord>(e);
  return as<VarRef>(e) || (coord && coord->kind == CoordKind::GlobalOffset);
}

// Of a variable, or of another expression that a test compares with a number.
struct Bound {
  ExprPtr variable;
  Interval interval;
};
using Bounds = std::vector<Bound>;

Interval boundsOf(const ExprPtr& variable, const Bounds& bounds) {
  const auto* coord = as<Coord>(variable);
  Interval range = coord ? rangeOf(*coord, *variable->type) : rangeOf(*variable->type);
  for (const Bound& bound : bounds)
    if (equal(bound.variable, variable))
      range = {std::max(range.low, bound.interval.low), std::min(range.high, bound.interval.high)};
  return range;
}

// Works out what values an expression can have; `overflows` where it leaves 64 bits on the way.
class Evaluation {
 public:
  explicit Evaluation(const Bounds& known, unsigned leastBits = 64) : bounds(known), watched(leastBits) {}
  bool overflows = false;
  std::vector<ExprPtr> variables;  // integers that it uses

  Interval of(const ExprPtr& e) {
    if (const auto constant = constantValue(e)) {
      const bool isLarge = *constant < 0 && e->type->is(TypeKind::Int) && !e->type->isSigned;
      const Wide value = isLarge ? Wide{*constant} + (Wide{1} << 64) : Wide{*constant};
      return {value, value};
    }
    if (isVariable(e) && (e->type->is(TypeKind::Int) || e->type->is(TypeKind::Bool))) {
      if (std::none_of(variables.begin(), variables.end(), [&](const ExprPtr& v) { return equal(v, e); }))
        variables.push_back(e);
      return boundsOf(e, bounds);
    }
    if (const auto* coord = as<Coord>(e)) return rangeOf(*coord, *e->type);
    if (const auto* b = as<Binary>(e)) {
      Interval value = binaryOf(*b, *e->type);
      for (const Bound& bound : bounds)
        if (!isVariable(bound.variable) && equal(bound.variable, e))
          value = {std::max(value.low, bound.interval.low), std::min(value.high, bound.interval.high)};
      return value;
    }
    if (const auto* cast = as<Cast>(e)) return castOf(*cast, *e->type);
    if (const auto* u = as<Unary>(e); u && u->op == UnaryOp::Neg && e->type->is(TypeKind::Int)) {
      const Interval a = of(u->operand);
      return settled({-a.high, -a.low}, *e->type);
    }
    if (const auto* s = as<Select>(e)) {
      of(s->cond);
      const Interval a = of(s->yes), b = of(s->no);
      return {std::min(a.low, b.low), std::max(a.high, b.high)};
    }
    if (const auto* s = as<Subscript>(e))
      subscript(*s);
    else
      forEachChild(*e, [&](const ExprPtr& child) { of(child); });
    return rangeOf(*e->type);
  }

 private:
  const Bounds& bounds;
  const unsigned watched;  // signed types of so many bits must not overflow

  // The value as its type holds it. 32 bits wrap here as in the kernel; 64 with a sign must not.
  Interval settled(const Interval& value, const Type& type) {
    const Interval range = rangeOf(type);
    if (value.isWithin(range)) return value;
    if (type.is(TypeKind::Int) && type.isSigned && type.bits >= watched) overflows = true;
    return range;
  }

  Interval castOf(const Cast& cast, const Type& type) {
    const Interval a = of(cast.operand);
    const bool isNumber = cast.operand->type->is(TypeKind::Int) || cast.operand->type->is(TypeKind::Bool);
    if (!isNumber || !type.is(TypeKind::Int)) return rangeOf(type);
    return settled(a, type);
  }

  Interval binaryOf(const Binary& b, const Type& type) {
    const Interval x = of(b.lhs), y = of(b.rhs);
    if (b.lhs->type->isPointer() && b.rhs->type->is(TypeKind::Int)) offset(y);
    if (!type.is(TypeKind::Int)) return rangeOf(type);
    switch (b.op) {
      case BinaryOp::Add: return settled({x.low + y.low, x.high + y.high}, type);
      case BinaryOp::Sub: return settled({x.low - y.high, x.high - y.low}, type);
      case BinaryOp::Mul: {
        // Operands fit 64 bits and a sign, so products fit 128 but where both are unsigned and huge.
        if (x.high > kSigned64.high && y.high > kSigned64.high) return settled({0, Wide{1} << 126}, type);
        const auto [low, high] =
            std::minmax({x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high});
        return settled({low, high}, type);
      }
      case BinaryOp::Div:
        if (y.low >= 1) return {x.low / (x.low < 0 ? y.low : y.high), x.high / (x.high < 0 ? y.high : y.low)};
        if (x.low == kSigned64.low && y.low <= -1 && type.bits == 64) overflows = true;
        break;
      case BinaryOp::Rem:
        if (x.low >= 0 && y.low >= 1) return {0, std::min(x.high, y.high - 1)};
        if (y.low >= 1) return {1 - y.high, y.high - 1};
        break;
      case BinaryOp::Shr:
        if (x.low >= 0 && y.low >= 0 && y.high < 64) return {x.low >> int(y.high), x.high >> int(y.low)};
        break;
      case BinaryOp::Shl:
        if (y.low == y.high && y.low >= 0 && y.low < 63)
          return settled({x.low * (Wide{1} << int(y.low)), x.high * (Wide{1} << int(y.low))}, type);
        return settled({kSigned64.low - 1, kSigned64.high + 1}, type);
      case BinaryOp::BitAnd:
        if (x.low >= 0 && y.low >= 0) return {0, std::min(x.high, y.high)};
        break;
      default: break;
    }
    return rangeOf(type);
  }

  void offset(const Interval& elements) {
    if (elements.low < -kFarthest || elements.high > kFarthest) overflows = true;
  }

  void subscript(const Subscript& s) {
    of(s.base);
    for (size_t i = 0; i < s.indices.size(); ++i) {
      const Interval index = of(s.indices[i]);
      if (i == 0 && s.base->type->isPointer()) offset(index);
    }
  }
};

// What tests say of variables and other integers that they compare: with numbers first, then with what these
// leave. Parts that say less than all is known are right all the same.
class Comparisons {
 public:
  explicit Comparisons(const std::vector<ExprPtr>& tests) {
    for (const bool isNumber : {true, false})
      for (const ExprPtr& test : tests) add(test, isNumber);
  }
  Bounds bounds;

 private:
  static ExprPtr unwidened(ExprPtr e) {
    while (const auto* cast = as<Cast>(e)) {
      const Type& from = *cast->operand->type;
      if (!from.is(TypeKind::Int) || !rangeOf(from).isWithin(rangeOf(*e->type))) break;
      e = cast->operand;
    }
    return e;
  }

  void add(const ExprPtr& test, bool isNumber) {
    const auto* compared = as<Binary>(test);
    if (!compared || !isComparison(compared->op) || !compared->lhs->type->is(TypeKind::Int)) return;
    for (const bool turned : {false, true}) {
      const ExprPtr subject = unwidened(turned ? compared->rhs : compared->lhs);
      const ExprPtr& limit = turned ? compared->lhs : compared->rhs;
      if (constantValue(limit).has_value() != isNumber || constantValue(subject)) continue;
      if (!isVariable(subject) && !(isNumber && as<Binary>(subject))) continue;
      Evaluation evaluation(bounds);
      const Interval value = evaluation.of(limit);
      if (evaluation.overflows) continue;
      Interval said = rangeOf(*subject->type);
      const BinaryOp op = compared->op;
      const bool isLess = op == BinaryOp::Le || op == BinaryOp::Lt,
                 isMore = op == BinaryOp::Ge || op == BinaryOp::Gt;
      if (op == BinaryOp::Eq || (turned ? isMore : isLess)) said.high = value.high;
      if (op == BinaryOp::Eq || (turned ? isLess : isMore)) said.low = value.low;
      bounds.push_back({subject, said});
    }
  }
};

bool mayOverflow(const ExprPtr& test, const Bounds& bounds) {
  Evaluation evaluation(bounds);
  evaluation.of(test);
  return evaluation.overflows;
}

// Unsigned numbers of 64 bits are compared as such with what is not negative, whatever they are.
ExprPtr comparedUnsigned(const ExprPtr& test, const Bounds& bounds) {
  const auto* compared = as<Binary>(test);
  if (!compared || !isComparison(compared->op) || !sameType(compared->lhs->type, int64())) return test;
  auto widened = [](const ExprPtr& e) {
    const auto* cast = as<Cast>(e);
    return cast && sameType(cast->operand->type, uint64()) && isVariable(cast->operand);
  };
  for (const bool turned : {false, true}) {
    const ExprPtr &one = turned ? compared->rhs : compared->lhs,
                  &other = turned ? compared->lhs : compared->rhs;
    if (!widened(one)) continue;
    Evaluation evaluation(bounds);
    const Interval range = evaluation.of(other);
    if (range.low < 0 || evaluation.overflows) continue;
    const ExprPtr a = as<Cast>(one)->operand, b = convert(other, uint64());
    return makeExpr(test->type, Binary{compared->op, turned ? b : a, turned ? a : b}, test->loc);
  }
  return test;
}

// A variable must lie within -most and most.
void tighten(Bounds& bounds, const ExprPtr& variable, Wide most) {
  for (Bound& bound : bounds)
    if (equal(bound.variable, variable)) {
      bound.interval.high = std::min(bound.interval.high, most);
      bound.interval.low = std::max(bound.interval.low, -most);
      return;
    }
  bounds.push_back({variable, {-most, most}});
}

// Tests of the bounds that the types of the variables do not keep anyway.
ExprPtr testsOf(const Bounds& bounds) {
  ExprPtr all;
  for (const auto& [variable, interval] : bounds) {
    const Interval range = boundsOf(variable, {});
    const auto number = [&, type = variable->type](Wide value) {
      return named(static_cast<int64_t>(value), {RoleKind::Limit}, type);
    };
    if (interval.low > range.low) all = andAlso(all, binary(BinaryOp::Ge, variable, number(interval.low)));
    if (interval.high < range.high) all = andAlso(all, binary(BinaryOp::Le, variable, number(interval.high)));
  }
  return all;
}

}  // namespace

bool mayOverflow(const ExprPtr& condition) {
  const std::vector<ExprPtr> tests = conjuncts(condition);
  const Bounds bounds = Comparisons(tests).bounds;
  return std::any_of(tests.begin(), tests.end(),
                     [&](const ExprPtr& test) { return mayOverflow(test, bounds); });
}

ExprPtr withoutOverflow(const ExprPtr& condition) {
  if (!mayOverflow(condition)) return condition;
  const Bounds known = Comparisons(conjuncts(condition)).bounds;
  Bounds needed;  // besides, by tests that come first
  const auto both = [&](const Bounds& further) {
    Bounds all = known;
    all.insert(all.end(), further.begin(), further.end());
    return all;
  };
  ExprPtr tests;
  for (const ExprPtr& given : conjuncts(condition)) {
    const Bounds before = both(needed);
    const ExprPtr part = comparedUnsigned(given, before);
    if (mayOverflow(part, before)) {
      Evaluation uses(before);
      uses.of(part);
      const auto bounded = [&](int bits) {
        Bounds more = needed;
        for (const ExprPtr& variable : uses.variables) tighten(more, variable, Wide{1} << bits);
        return more;
      };
      int bits = 62;
      while (bits > 0 && mayOverflow(part, both(bounded(bits)))) --bits;
      if (bits) needed = bounded(bits);
    }
    tests = andAlso(tests, part);
  }
  ExprPtr all = testsOf(needed);
  for (const ExprPtr& part : conjuncts(tests)) all = andAlso(all, part);
  return all;
}

bool isLimit(const ExprPtr& test) {
  const auto* compared = as<Binary>(test);
  const auto* number = compared ? as<IntLiteral>(compared->rhs) : nullptr;
  return number && number->role.kind == RoleKind::Limit;
}

ExprPtr asSigned(const ExprPtr& variable) {
  Bounds bounds;
  if (isVariable(variable) && sameType(variable->type, uint64())) tighten(bounds, variable, Wide{1} << 62);
  return testsOf(bounds);
}

bool mayOverflowAt(const Kernel& kernel, const std::map<std::string, int64_t>& values) {
  Bounds bounds;
  std::set<const Variable*> made;  // the parameters, and what is made of them
  for (const VarPtr& param : kernel.params)
    if (const auto value = values.find(param->name); value != values.end()) {
      const bool isLarge = value->second < 0 && !param->type->isSigned;
      const Wide number =
          isLarge ? Wide{value->second} + (Wide{1} << param->type->bits) : Wide{value->second};
      bounds.push_back({ref(param), {number, number}});
      made.insert(param.get());
    }
  const auto uses = [&](const ExprPtr& e) {
    bool found = false;
    walkExprs(e, [&](const Expr& part) {
      const auto* var = part.as<VarRef>();
      found = found || (var && made.contains(var->var.get()));
    });
    return found;
  };
  for (size_t before = 0; before != made.size();) {
    before = made.size();
    walkStmts(kernel.body, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>(); d && d->init && uses(d->init)) made.insert(d->var.get());
      if (const auto* a = s.as<Assign>(); a && uses(a->value))
        if (const VarPtr root = rootVariable(a->place)) made.insert(root.get());
    });
  }
  bool overflows = false;
  walkExprs(kernel.body, [&](const Expr& e) {
    const auto* b = e.as<Binary>();
    const bool isArithmetic =
        e.is<Unary>() || (b && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub || b->op == BinaryOp::Mul));
    if (overflows || !isArithmetic || !e.type->is(TypeKind::Int)) return;
    const ExprPtr whole = makeExpr(e.type, e.node, e.loc);
    if (!uses(whole)) return;
    Evaluation evaluation(bounds, 32);
    evaluation.of(whole);
    overflows = evaluation.overflows;
  });
  return overflows;
}

}  // namespace hone::ir
