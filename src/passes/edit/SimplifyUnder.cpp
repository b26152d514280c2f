#include "passes/edit/SimplifyUnder.h"

#include <algorithm>
#include <optional>

#include "affine/Poly.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Walk.h"

namespace hone::passes {

using namespace ir;

namespace {

// Widths do not matter to what follows: plans that wrap are kept out by the conditions themselves.
class WithoutCasts : public Rewriter {
 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* cast = ir::as<Cast>(e); cast && e->type->isInteger() && cast->operand->type->isInteger())
      return cast->operand;
    const auto* b = ir::as<Binary>(e);
    if (b && e->type->isInteger() && !isComparison(b->op))
      return makeExpr(int64(), Binary{b->op, b->lhs, b->rhs});
    if (const auto* i = ir::as<IntLiteral>(e); i && e->type->is(TypeKind::Int))
      return intLit(*constantValue(e), int64());
    return e;
  }
};

ExprPtr plain(const ExprPtr& e) { return WithoutCasts().rewrite(e); }

// a <= b, however it is written.
struct AtMost {
  ExprPtr low, high;
};
std::optional<AtMost> asAtMost(const ExprPtr& e) {
  const auto* b = ir::as<Binary>(e);
  if (!b) return std::nullopt;
  if (b->op == BinaryOp::Le) return AtMost{plain(b->lhs), plain(b->rhs)};
  if (b->op == BinaryOp::Ge) return AtMost{plain(b->rhs), plain(b->lhs)};
  return std::nullopt;
}

// x of (x + c - 1) / c, with c.
struct RoundedUp {
  ExprPtr value;
  int64_t by = 1;
};
std::optional<RoundedUp> asQuotient(const ExprPtr& e) {
  const auto* quotient = ir::as<Binary>(e);
  if (!quotient || quotient->op != BinaryOp::Div) return std::nullopt;
  const auto* raised = ir::as<Binary>(quotient->lhs);
  auto by = constantValue(quotient->rhs);
  if (!raised || raised->op != BinaryOp::Add || !by || constantValue(raised->rhs) != *by - 1)
    return std::nullopt;
  return RoundedUp{raised->lhs, *by};
}

// x, where e is x rounded up to a multiple of something, or x itself.
ExprPtr roundedFrom(const ExprPtr& e) {
  const auto* product = ir::as<Binary>(e);
  if (!product || product->op != BinaryOp::Mul) return e;
  for (const auto& [factor, other] :
       {std::pair(product->lhs, product->rhs), std::pair(product->rhs, product->lhs)}) {
    auto number = constantValue(other);
    auto quotient = asQuotient(factor);
    if (number && quotient && quotient->by == *number) return quotient->value;
  }
  return e;
}

// Whether e is x rounded up to whole blocks of the launch: (x + blockDim - 1) / blockDim * blockDim.
bool isInWholeBlocks(const ExprPtr& e, const ExprPtr& x) {
  const auto* product = ir::as<Binary>(e);
  const auto* quotient = product && product->op == BinaryOp::Mul ? ir::as<Binary>(product->lhs) : nullptr;
  const auto* raised = quotient && quotient->op == BinaryOp::Div ? ir::as<Binary>(quotient->lhs) : nullptr;
  const auto* sum = raised && raised->op == BinaryOp::Sub ? ir::as<Binary>(raised->lhs) : nullptr;
  const auto* size = sum && sum->op == BinaryOp::Add ? ir::as<Coord>(sum->rhs) : nullptr;
  return size && size->kind == CoordKind::BlockDim &&
         constantValue(raised->rhs) == std::optional<int64_t>(1) && equal(sum->rhs, quotient->rhs) &&
         equal(sum->rhs, product->rhs) && equal(sum->lhs, x);
}

class Simplifier : public Rewriter {
 public:
  explicit Simplifier(const std::vector<ExprPtr>& conditions) {
    for (const ExprPtr& condition : conditions)
      if (auto known = asAtMost(condition)) bounds.push_back(*known);
  }

  bool follows(const ExprPtr& e) const {
    auto wanted = asAtMost(e);
    if (!wanted) return false;
    if (isInWholeBlocks(wanted->high, wanted->low)) return true;
    const ExprPtr top = roundedFrom(wanted->high);
    for (const AtMost& known : bounds) {
      if (equal(known.low, wanted->low) && (equal(known.high, wanted->high) || equal(known.high, top)))
        return true;
      // T <= N bounds T / c from above.
      auto most = constantValue(known.high), limit = constantValue(wanted->high);
      auto quotient = asQuotient(wanted->low);
      if (most && limit && quotient && *most >= 0 && equal(known.low, quotient->value) &&
          (*most + quotient->by - 1) / quotient->by <= *limit)
        return true;
      if (most && limit && equal(known.low, wanted->low) && *most <= *limit) return true;
    }
    return false;
  }

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* s = ir::as<Select>(e);
    return s && follows(s->cond) ? convert(s->yes, e->type) : e;
  }

 private:
  std::vector<AtMost> bounds;
};

// Sums of products in 64 bits with equal terms taken together: k + k * (m - 1) is k * m.
class Collect : public Rewriter {
 public:
  ExprPtr rewrite(const ExprPtr& e) override {
    if (!isArithmetic(e)) return Rewriter::rewrite(e);
    std::optional<affine::Poly> sum = polyOf(e);
    return sum ? exprOf(*sum) : Rewriter::rewrite(e);
  }
  StmtList rewrite(const StmtPtr& s) override { return Rewriter::rewrite(s); }

 private:
  static bool isArithmetic(const ExprPtr& e) {
    const auto* b = ir::as<Binary>(e);
    return b && sameType(e->type, int64()) &&
           (b->op == BinaryOp::Add || b->op == BinaryOp::Sub || b->op == BinaryOp::Mul);
  }
  std::optional<affine::Poly> polyOf(const ExprPtr& e) {
    if (auto number = constantValue(e)) return affine::Poly(*number);
    if (!isArithmetic(e)) {
      for (size_t i = 0; i < leaves.size(); ++i)
        if (equal(leaves[i], e)) return affine::Poly::atom(affine::AtomId(i));
      leaves.push_back(e);
      return affine::Poly::atom(affine::AtomId(leaves.size() - 1));
    }
    const auto* b = ir::as<Binary>(e);
    auto x = polyOf(b->lhs), y = polyOf(b->rhs);
    if (!x || !y) return std::nullopt;
    try {
      return b->op == BinaryOp::Add ? *x + *y : b->op == BinaryOp::Sub ? *x - *y : *x * *y;
    } catch (const affine::TooLarge&) {
      return std::nullopt;
    }
  }
  ExprPtr exprOf(const affine::Poly& sum) const {
    std::vector<std::pair<affine::Monomial, int64_t>> terms(sum.terms().begin(), sum.terms().end());
    std::sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) {
      if ((a.second < 0) != (b.second < 0)) return b.second < 0;
      return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a.first < b.first;
    });
    ExprPtr out;
    for (const auto& [monomial, factor] : terms) {
      const bool isTaken = out && factor < 0;
      ExprPtr product;
      for (affine::AtomId id : monomial) product = product ? times(product, leaves[id]) : leaves[id];
      ExprPtr scale = intLit(isTaken ? -factor : factor, int64());
      product = product ? times(product, scale) : scale;
      out = !out ? product : isTaken ? minus(out, product) : plus(out, product);
    }
    return out ? out : intLit(0, int64());
  }

  std::vector<ExprPtr> leaves;
};

}  // namespace

ExprPtr simplifiedUnder(const std::vector<ExprPtr>& known, const ExprPtr& condition) {
  std::vector<ExprPtr> all = known;
  ExprPtr out;
  for (const ExprPtr& part : conjuncts(condition)) {
    Simplifier simplifier(all);
    if (simplifier.follows(part)) continue;
    ExprPtr shorter = simplified(Collect().rewrite(simplifier.rewrite(part)));
    if (isTrue(shorter)) continue;
    bool isKnown = false;
    for (const ExprPtr& k : all) isKnown = isKnown || equal(k, shorter);
    if (isKnown) continue;
    all.push_back(shorter);
    out = andAlso(out, shorter);
  }
  return out;
}

}  // namespace hone::passes
