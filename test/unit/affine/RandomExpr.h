// Random integer expressions, each as a polynomial and as a function that computes it directly.
#pragma once

#include <random>

#include "PlainValue.h"

namespace hone::affine {

struct RandomExpr {
  Poly poly;
  std::function<int64_t(const AtomValues&)> direct;
};

class RandomExprs {
 public:
  // `leaves` are single atoms; `divisor` is an atom that is always positive.
  RandomExprs(Atoms& table, std::vector<Poly> leaves, std::optional<Poly> divisor, unsigned seed)
      : atoms(table), unknowns(std::move(leaves)), positive(std::move(divisor)), engine(seed) {}

  int64_t pick(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % static_cast<uint64_t>(high - low + 1));
  }

  RandomExpr expr(int depth) {
    if (depth == 0) return leaf();
    const RandomExpr a = expr(depth - 1), b = expr(static_cast<int>(pick(0, depth - 1)));
    switch (pick(0, 9)) {
      case 0: return {a.poly + b.poly, [=](const AtomValues& p) { return a.direct(p) + b.direct(p); }};
      case 1: return {a.poly - b.poly, [=](const AtomValues& p) { return a.direct(p) - b.direct(p); }};
      case 2: {
        const int64_t k = pick(-9, 9);
        return {a.poly * k + b.poly, [=](const AtomValues& p) { return a.direct(p) * k + b.direct(p); }};
      }
      case 3: {
        const RandomExpr c = leaf();
        return {a.poly * c.poly, [=](const AtomValues& p) { return a.direct(p) * c.direct(p); }};
      }
      case 4:
      case 5: {
        const RandomExpr d = divisor();
        const auto floored = [=](const AtomValues& p) {
          const int64_t x = a.direct(p), y = d.direct(p), r = ((x % y) + y) % y;
          return (x - r) / y;
        };
        return {atoms.div(a.poly, d.poly), floored};
      }
      case 6: {
        const RandomExpr d = divisor();
        return {atoms.mod(a.poly, d.poly), [=](const AtomValues& p) {
                  const int64_t x = a.direct(p), y = d.direct(p);
                  return ((x % y) + y) % y;
                }};
      }
      case 7: {
        const auto [c, holds] = cond(depth - 1);
        return {atoms.choice(c, a.poly, b.poly),
                [=, holds = holds](const AtomValues& p) { return holds(p) ? a.direct(p) : b.direct(p); }};
      }
      case 8: {
        using enum ir::BinaryOp;
        const ir::BinaryOp op = std::array{BitAnd, BitOr, BitXor}[static_cast<size_t>(pick(0, 2))];
        const int64_t k = pick(-1, 3) < 0 ? -(int64_t{1} << pick(0, 5))
                          : pick(0, 1)    ? (int64_t{1} << pick(0, 6)) - 1
                                          : pick(0, 63);
        const bool withNumber = pick(0, 2) != 0;
        return {atoms.bits(op, a.poly, withNumber ? Poly(k) : b.poly), [=](const AtomValues& p) {
                  const int64_t x = a.direct(p), y = withNumber ? k : b.direct(p);
                  return op == BitAnd ? x & y : op == BitOr ? x | y : x ^ y;
                }};
      }
      default: {
        const int64_t k = pick(0, 4);
        if (pick(0, 1))
          return {atoms.bits(ir::BinaryOp::Shl, a.poly, k),
                  [=](const AtomValues& p) { return a.direct(p) * (1 << k); }};
        return {atoms.bits(ir::BinaryOp::Shr, a.poly, k),
                [=](const AtomValues& p) { return a.direct(p) >> k; }};
      }
    }
  }

  std::pair<CondPtr, std::function<bool(const AtomValues&)>> cond(int depth) {
    const RandomExpr a = expr(static_cast<int>(pick(0, depth))), b = expr(0);
    switch (pick(0, depth > 0 ? 5 : 2)) {
      case 0:
        return {atLeast0(a.poly - b.poly), [=](const AtomValues& p) { return a.direct(p) >= b.direct(p); }};
      case 1:
        return {isZero(a.poly - b.poly), [=](const AtomValues& p) { return a.direct(p) == b.direct(p); }};
      case 2:
        return {isNotZero(a.poly - b.poly), [=](const AtomValues& p) { return a.direct(p) != b.direct(p); }};
      case 3: {
        const auto x = cond(depth - 1), y = cond(depth - 1);
        return {both(x.first, y.first), [=](const AtomValues& p) { return x.second(p) && y.second(p); }};
      }
      case 4: {
        const auto x = cond(depth - 1), y = cond(depth - 1);
        return {anyOf({x.first, y.first}), [=](const AtomValues& p) { return x.second(p) || y.second(p); }};
      }
      default: {
        const auto x = cond(depth - 1);
        return {negation(x.first), [=](const AtomValues& p) { return !x.second(p); }};
      }
    }
  }

 private:
  RandomExpr leaf() {
    if (pick(0, 3) == 0) {
      const int64_t k = pick(-20, 20);
      return {k, [=](const AtomValues&) { return k; }};
    }
    const Poly& p = unknowns[static_cast<size_t>(pick(0, static_cast<int64_t>(unknowns.size()) - 1))];
    const AtomId id = p.atoms().front();
    return {p, [=](const AtomValues& at) { return at.at(id); }};
  }
  RandomExpr divisor() {
    const int64_t k = pick(1, 12);
    if (!positive || pick(0, 2) != 0) return {k, [=](const AtomValues&) { return k; }};
    const AtomId id = positive->atoms().front();
    if (pick(0, 1)) return {*positive, [=](const AtomValues& at) { return at.at(id); }};
    return {*positive * k + 2, [=](const AtomValues& at) { return at.at(id) * k + 2; }};
  }

  Atoms& atoms;
  std::vector<Poly> unknowns;
  std::optional<Poly> positive;
  std::mt19937_64 engine;
};

}  // namespace hone::affine
