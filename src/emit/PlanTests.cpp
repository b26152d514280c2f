#include "emit/PlanTests.h"

#include <algorithm>

#include "emit/PlanFormula.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Walk.h"

namespace hone::emit {

using namespace ir;

std::vector<ExprPtr> distinctTests(const ExprPtr& condition) {
  std::vector<ExprPtr> out;
  auto isTurned = [](const ExprPtr& a, const ExprPtr& b) {
    const auto *x = as<Binary>(a), *y = as<Binary>(b);
    return x && y && x->op == BinaryOp::LogicalOr && y->op == BinaryOp::LogicalOr && equal(x->lhs, y->rhs) &&
           equal(x->rhs, y->lhs);
  };
  for (const ExprPtr& part : conjuncts(condition))
    if (std::none_of(out.begin(), out.end(),
                     [&](const ExprPtr& known) { return equal(known, part) || isTurned(known, part); }))
      out.push_back(part);
  return out;
}

size_t kindOfTest(const ExprPtr& test) {
  bool isOfLaunch = false, isOfPointers = false, isOfAddresses = false, isOfRests = false;
  bool isOfSizes = false;
  walkExprs(test, [&](const Expr& e) {
    const auto* b = e.as<Binary>();
    isOfLaunch = isOfLaunch || e.is<Coord>();
    const auto* number = e.as<IntLiteral>();
    isOfSizes = isOfSizes || (number && number->role.kind == RoleKind::Threshold);
    isOfPointers = isOfPointers || (b && isComparison(b->op) && b->lhs->type->isPointer());
    const auto* cast = e.as<Cast>();
    isOfAddresses = isOfAddresses || (cast && cast->operand->type->isPointer());
    isOfRests = isOfRests || (b && b->op == BinaryOp::Rem);
  });
  if (isOfSizes) return kPays;
  // Pointers to different types are compared as numbers.
  if (isOfPointers || (isOfAddresses && !isOfRests)) return 1;
  const auto* compared = as<Binary>(test);
  if (isOfLaunch) {
    const bool isBelow = compared && (compared->op == BinaryOp::Le || compared->op == BinaryOp::Lt);
    return isBelow && constantValue(compared->rhs) ? kInRange : 0;
  }
  return isOfRests ? 2 : kInRange;
}

ExprPtr shortTest(const ExprPtr& test) {
  struct Shorten : Rewriter {
    static bool fits(const ExprPtr& e) {
      auto number = constantValue(e);
      return number && *number == static_cast<int32_t>(*number);
    }
    // A signed number of 32 bits that was widened.
    static ExprPtr narrow(const ExprPtr& e) {
      if (as<IntLiteral>(e) && fits(e)) return intLit(*constantValue(e));
      const auto* cast = as<Cast>(e);
      return cast && sameType(e->type, int64()) && sameType(cast->operand->type, int32()) ? cast->operand
                                                                                          : nullptr;
    }
    ExprPtr mapExpr(const ExprPtr& e) override {
      if (const auto* s = as<Subscript>(e); s && s->indices.size() == 1 && s->base->type->isPointer()) {
        ExprPtr index = narrow(s->indices[0]);
        return index ? makeExpr(e->type, Subscript{s->base, {index}}, e->loc) : e;
      }
      const auto* b = as<Binary>(e);
      if (!b || !isComparison(b->op) || !sameType(b->lhs->type, int64())) return e;
      ExprPtr l = narrow(b->lhs), r = narrow(b->rhs);
      if (!l || !r) l = b->lhs, r = b->rhs;
      BinaryOp op = b->op;
      if (constantValue(l) && !constantValue(r)) {
        std::swap(l, r);
        op = op == BinaryOp::Le   ? BinaryOp::Ge
             : op == BinaryOp::Lt ? BinaryOp::Gt
             : op == BinaryOp::Ge ? BinaryOp::Le
             : op == BinaryOp::Gt ? BinaryOp::Lt
                                  : op;
      }
      return makeExpr(e->type, Binary{op, l, r}, e->loc);
    }
  };
  return Shorten().rewrite(test);
}

std::string testText(const ExprPtr& test, Language language) {
  const bool isOpenCL = language == Language::OpenCL;
  const Names names(language);
  const std::map<ConstantRole, Emitter::ChosenConstant> constants;  // numbers as they are
  const PlanFormula formula(names, constants, [&](const Coord& c) {
    if (!isOpenCL)
      return std::string(c.kind == CoordKind::GridDim ? "gridDim." : "blockDim.") + "xyz"[c.axis];
    const std::string axis = "(" + std::to_string(c.axis) + ")";
    switch (c.kind) {
      case CoordKind::GridDim: return "get_num_groups" + axis;
      case CoordKind::GlobalSize: return "get_global_size" + axis;
      case CoordKind::GlobalOffset: return "get_global_offset" + axis;
      default: return "get_local_size" + axis;
    }
  });
  return "`" + formula.of(shortTest(test)) + "` (" + kTestNames[kindOfTest(test)] + ")";
}

}  // namespace hone::emit
