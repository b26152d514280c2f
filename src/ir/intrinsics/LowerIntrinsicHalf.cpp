// Rules for half, bfloat16, pairs of them, and complex numbers.
#include "ir/intrinsics/LowerIntrinsicRules.h"

namespace hone::ir {
namespace {

using enum BinaryOp;

ExprPtr operate(Lowering& l, BinaryOp op) { return l.op(op, l.arg(0), l.arg(1)); }

ExprPtr unit(Lowering& l, ExprPtr x) {
  return l.same("fmin", l.same("fmax", std::move(x), l.number(0, l.type)), l.number(1, l.type));
}

// A comparison of two halves; unordered ones are true where an operand is NaN.
ExprPtr compareHalves(Lowering& l, const ExprPtr& a, const ExprPtr& b, BinaryOp op, bool isUnordered) {
  if (!isUnordered) return op == Ne ? l.op(LogicalOr, l.op(Lt, a, b), l.op(Gt, a, b)) : l.op(op, a, b);
  switch (op) {
    case Eq: return unary(UnaryOp::Not, compareHalves(l, a, b, Ne, false), l.loc);
    case Lt: return unary(UnaryOp::Not, l.op(Ge, a, b), l.loc);
    case Le: return unary(UnaryOp::Not, l.op(Gt, a, b), l.loc);
    case Gt: return unary(UnaryOp::Not, l.op(Le, a, b), l.loc);
    case Ge: return unary(UnaryOp::Not, l.op(Lt, a, b), l.loc);
    default: return l.op(Ne, a, b);
  }
}

template <BinaryOp op, bool isUnordered>
ExprPtr compareOne(Lowering& l) {
  return compareHalves(l, l.arg(0), l.arg(1), op, isUnordered);
}

template <BinaryOp op, bool isUnordered>
ExprPtr comparePair(Lowering& l) {
  std::vector<ExprPtr> parts;
  const TypePtr& scalar = l.type->element;
  for (unsigned i : {0u, 1u}) {
    ExprPtr isTrue = compareHalves(l, l.lane(l.arg(0), i), l.lane(l.arg(1), i), op, isUnordered);
    parts.push_back(l.select(isTrue, l.number(1, scalar), l.number(0, scalar)));
  }
  return l.construct(l.type, std::move(parts));
}

template <BinaryOp op, bool isUnordered>
ExprPtr compareBoth(Lowering& l) {
  auto part = [&](unsigned i) {
    return compareHalves(l, l.lane(l.arg(0), i), l.lane(l.arg(1), i), op, isUnordered);
  };
  return l.op(LogicalAnd, part(0), part(1));
}

template <BinaryOp op>
void addComparisons(LoweringRules& out, std::string_view one, std::string_view pair, std::string_view both,
                    std::string_view oneUnordered, std::string_view pairUnordered,
                    std::string_view bothUnordered) {
  out.emplace(one, compareOne<op, false>);
  out.emplace(pair, comparePair<op, false>);
  out.emplace(both, compareBoth<op, false>);
  out.emplace(oneUnordered, compareOne<op, true>);
  out.emplace(pairUnordered, comparePair<op, true>);
  out.emplace(bothUnordered, compareBoth<op, true>);
}

// A pair made of these lanes of the arguments: (argument, lane) twice.
ExprPtr pick(Lowering& l, size_t a, unsigned i, size_t b, unsigned j) {
  return l.construct(l.type, {l.lane(l.arg(a), i), l.lane(l.arg(b), j)});
}

ExprPtr complexProduct(Lowering& l, const ExprPtr& a, const ExprPtr& b, const ExprPtr& plus) {
  auto sum = [&](ExprPtr x, unsigned i) { return plus ? l.op(Add, std::move(x), l.lane(plus, i)) : x; };
  ExprPtr re = l.op(Sub, l.op(Mul, l.lane(a, 0), l.lane(b, 0)), l.op(Mul, l.lane(a, 1), l.lane(b, 1)));
  ExprPtr im = l.op(Add, l.op(Mul, l.lane(a, 0), l.lane(b, 1)), l.op(Mul, l.lane(a, 1), l.lane(b, 0)));
  return l.construct(l.type, {sum(re, 0), sum(im, 1)});
}

ExprPtr perLane(Lowering& l, BinaryOp op) {
  auto part = [&](unsigned i) { return l.op(op, l.lane(l.arg(0), i), l.lane(l.arg(1), i)); };
  return l.construct(l.type, {part(0), part(1)});
}

}  // namespace

const LoweringRules& halfLowerings() {
  static const LoweringRules rules = [] {
    LoweringRules out = {
        {"h_add", [](Lowering& l) { return operate(l, Add); }},
        {"h_sub", [](Lowering& l) { return operate(l, Sub); }},
        {"h_mul", [](Lowering& l) { return operate(l, Mul); }},
        {"h_div", [](Lowering& l) { return operate(l, Div); }},
        {"h_add_sat", [](Lowering& l) { return unit(l, operate(l, Add)); }},
        {"h_sub_sat", [](Lowering& l) { return unit(l, operate(l, Sub)); }},
        {"h_mul_sat", [](Lowering& l) { return unit(l, operate(l, Mul)); }},
        {"h_fma_sat", [](Lowering& l) { return unit(l, l.make("fma", l.call.args, l.type)); }},
        {"h_neg", [](Lowering& l) { return unary(UnaryOp::Neg, l.arg(0), l.loc); }},
        {"h_rcp", [](Lowering& l) { return l.op(Div, l.number(1, l.type), l.arg(0)); }},
        {"h_make_pair", [](Lowering& l) { return l.construct(l.type, l.call.args); }},
        {"h_to_pair", [](Lowering& l) { return l.construct(l.type, {l.arg(0), l.arg(0)}); }},
        {"float_to_half_pair",
         [](Lowering& l) {
           ExprPtr half = l.cast(l.arg(0), l.type->element);
           return l.construct(l.type, {half, half});
         }},
        {"floats_to_half_pair",
         [](Lowering& l) {
           return l.construct(l.type, {l.cast(l.arg(0), l.type->element), l.cast(l.arg(1), l.type->element)});
         }},
        {"float2_to_half_pair", [](Lowering& l) { return l.cast(l.arg(0), l.type); }},
        {"pair_to_float2", [](Lowering& l) { return l.cast(l.arg(0), l.type); }},
        {"pair_low", [](Lowering& l) { return l.lane(l.arg(0), 0); }},
        {"pair_high", [](Lowering& l) { return l.lane(l.arg(0), 1); }},
        {"pair_low_float", [](Lowering& l) { return l.cast(l.lane(l.arg(0), 0), l.type); }},
        {"pair_high_float", [](Lowering& l) { return l.cast(l.lane(l.arg(0), 1), l.type); }},
        {"pair_low_twice", [](Lowering& l) { return pick(l, 0, 0, 0, 0); }},
        {"pair_high_twice", [](Lowering& l) { return pick(l, 0, 1, 0, 1); }},
        {"pair_lows", [](Lowering& l) { return pick(l, 0, 0, 1, 0); }},
        {"pair_highs", [](Lowering& l) { return pick(l, 0, 1, 1, 1); }},
        {"pair_swap", [](Lowering& l) { return pick(l, 0, 1, 0, 0); }},
        {"complex_real", [](Lowering& l) { return l.lane(l.arg(0), 0); }},
        {"complex_imag", [](Lowering& l) { return l.lane(l.arg(0), 1); }},
        {"complex_make", [](Lowering& l) { return l.construct(l.type, l.call.args); }},
        {"complex_add", [](Lowering& l) { return perLane(l, Add); }},
        {"complex_sub", [](Lowering& l) { return perLane(l, Sub); }},
        {"complex_mul", [](Lowering& l) { return complexProduct(l, l.arg(0), l.arg(1), nullptr); }},
        {"complex_fma", [](Lowering& l) { return complexProduct(l, l.arg(0), l.arg(1), l.arg(2)); }},
        {"complex_conj",
         [](Lowering& l) {
           return l.construct(l.type, {l.lane(l.arg(0), 0), unary(UnaryOp::Neg, l.lane(l.arg(0), 1), l.loc)});
         }},
        {"complex_abs",
         [](Lowering& l) { return l.same("hypot", l.lane(l.arg(0), 0), l.lane(l.arg(0), 1)); }},
        {"complex_convert",
         [](Lowering& l) {
           const TypePtr& to = l.type->element;
           return l.construct(l.type, {l.cast(l.lane(l.arg(0), 0), to), l.cast(l.lane(l.arg(0), 1), to)});
         }},
    };
    addComparisons<Eq>(out, "h_eq", "h_eq2", "h_beq2", "h_equ", "h_equ2", "h_bequ2");
    addComparisons<Ne>(out, "h_ne", "h_ne2", "h_bne2", "h_neu", "h_neu2", "h_bneu2");
    addComparisons<Lt>(out, "h_lt", "h_lt2", "h_blt2", "h_ltu", "h_ltu2", "h_bltu2");
    addComparisons<Le>(out, "h_le", "h_le2", "h_ble2", "h_leu", "h_leu2", "h_bleu2");
    addComparisons<Gt>(out, "h_gt", "h_gt2", "h_bgt2", "h_gtu", "h_gtu2", "h_bgtu2");
    addComparisons<Ge>(out, "h_ge", "h_ge2", "h_bge2", "h_geu", "h_geu2", "h_bgeu2");
    return out;
  }();
  return rules;
}

}  // namespace hone::ir
