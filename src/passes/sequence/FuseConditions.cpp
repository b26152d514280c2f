#include "passes/sequence/FuseConditions.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "passes/sequence/DigitExpr.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

namespace {

class Conditions {
 public:
  Conditions(const Plan& ofPlan, const LaunchSizes& ofSizes) : plan(ofPlan), sizes(ofSizes) {
    onHost.type = int64();
    onHost.count = sizes.count;
    onHost.size = convert(sizes.size, int64());
    onHost.groups = over(onHost.size, intLit(sizes.count, int64()));
    if (sizes.divisor) onHost.divisor = convert(sizes.lowCount(), int64());
  }

  void require(const ExprPtr& condition) {
    if (isTrue(condition)) return;
    if (std::none_of(parts.begin(), parts.end(), [&](const ExprPtr& part) { return equal(part, condition); }))
      parts.push_back(condition);
  }

  // n = count * p * Q with p and Q of at least 1.
  void sizesFit() {
    // Tested first: the emitted tests are all worked out, so that none of them may divide by 0.
    const ExprPtr factor = intLit(sizes.count, int64());
    ExprPtr by = factor, isPositive;
    if (sizes.divisor) {
      isPositive = ir::binary(BinaryOp::Gt, sizes.lowCount(), intLit(0, sizes.divisor->type));
      require(ir::binary(BinaryOp::Eq, remainder(sizes.divisor, intLit(sizes.share, sizes.divisor->type)),
                         intLit(0, sizes.divisor->type)));
      by = makeExpr(int64(), Select{isPositive, times(onHost.divisor, factor), intLit(1, int64())});
    }
    require(ir::binary(BinaryOp::Eq, remainder(onHost.size, by), intLit(0, int64())));
    if (isPositive) require(isPositive);
    require(ir::binary(BinaryOp::Gt, sizes.size, intLit(0, sizes.size->type)));
    // The grid counts in 32 bits.
    if (sizes.size->type->bits > 32 || !sizes.size->type->isSigned)
      require(ir::binary(BinaryOp::Le, onHost.groups, intLit(INT32_MAX, int64())));
  }

  // The launches had a thread for every number below the bound.
  void threadsRan(const std::vector<const LaunchStep*>& run, const std::vector<LaunchCode>& steps) {
    if (plan.original->language == Language::OpenCL)
      require(ir::binary(BinaryOp::Eq, coord(CoordKind::GlobalOffset, 0, uint64()), intLit(0, uint64())));
    for (size_t s = 0; s < steps.size(); ++s) {
      for (const ExprPtr& one : steps[s].conditions) require(one);
      const ExprPtr threads = times(convert(run[s]->grid[0], int64()), convert(run[s]->block[0], int64()));
      require(ir::binary(BinaryOp::Le, convert(steps[s].bound, int64()), threads));
    }
  }

  void limits(const std::vector<LaunchValues::Limit>& all) {
    const Type& type = *sizes.size->type;
    const Poly size = sizes.groups() * sizes.count;
    const int64_t most =
        type.bits < 64 ? (int64_t{1} << (type.bits - (type.isSigned ? 1 : 0))) - 1 : INT64_MAX;
    std::vector<LaunchValues::Limit> kept = {{size, most}};  // the size itself fits its type
    for (const LaunchValues::Limit& one : all) {
      auto isImplied = [&](const LaunchValues::Limit& other) {
        return other.most <= one.most && isAtLeast0(other.value - one.value);
      };
      if (std::any_of(kept.begin(), kept.end(), isImplied)) continue;
      std::erase_if(kept, [&](const LaunchValues::Limit& other) {
        return &other != &kept[0] && one.most <= other.most && isAtLeast0(one.value - other.value);
      });
      kept.push_back(one);
    }
    for (size_t i = 1; i < kept.size(); ++i)
      require(ir::binary(BinaryOp::Le, onHost.of(kept[i].value), intLit(kept[i].most, int64())));
  }

  void powersOfTwo(const std::vector<ExprPtr>& all) {
    for (const ExprPtr& one : all)
      require(ir::binary(BinaryOp::Eq,
                         makeExpr(one->type, Binary{BinaryOp::BitAnd, one, minus(one, intLit(1, one->type))}),
                         intLit(0, one->type)));
  }

  // No byte that a step writes to one array is touched as part of another.
  Obstacle apart(const std::vector<StepArray>& arrays, const PassContext& context) {
    for (size_t i = 0; i < arrays.size(); ++i)
      for (size_t j = i + 1; j < arrays.size(); ++j) {
        const StepArray *a = &arrays[i], *b = &arrays[j];
        if ((!a->isWritten && !b->isWritten) || context.assumeNoalias) continue;
        if (!isHandedOver(*a->array) || !isHandedOver(*b->array)) continue;
        if (b->array->name < a->array->name) std::swap(a, b);
        // Programs that hand over one array twice in spite of __restrict__ may work launch by launch: tested
        // all the same where that can be.
        if (!a->end || !b->end) {
          if (a->array->type->isRestrict || b->array->type->isRestrict) continue;
          return Refusal{fmt::format("{} may alias {}; add {} or pass --assume-noalias", a->array->name,
                                     b->array->name, restrictWord(plan.original->language)),
                         plan.original->loc};
        }
        require(orElse(endsBefore(*a, *b), endsBefore(*b, *a)));
      }
    return std::nullopt;
  }

  std::vector<ExprPtr> parts;

 private:
  // By the user; what the plan holds itself lies apart.
  bool isHandedOver(const Variable& array) const {
    const auto& params = plan.original->params;
    return std::any_of(params.begin(), params.end(), [&](const VarPtr& p) { return p.get() == &array; });
  }
  ExprPtr endsBefore(const StepArray& a, const StepArray& b) const {
    ExprPtr begin = ref(b.array);
    ExprPtr end = addressOf(subscript(ref(a.array), {onHost.of(*a.end)}), a.array->type->space);
    if (!sameType(a.array->type->element, b.array->type->element))
      begin = convert(begin, uint64(), true), end = convert(end, uint64(), true);
    return makeExpr(boolType(), Binary{BinaryOp::Le, end, begin});
  }

  const Plan& plan;
  const LaunchSizes& sizes;
  DigitExpr onHost;
};

}  // namespace

Result<std::vector<ExprPtr>> fuseConditions(const Plan& plan, const std::vector<const LaunchStep*>& run,
                                            const std::vector<LaunchCode>& steps, const LaunchGroups& groups,
                                            const LaunchFlow& flow, const PassContext& context) {
  Conditions all(plan, groups.sizes);
  all.sizesFit();
  all.threadsRan(run, steps);
  all.limits(flow.limits);
  all.powersOfTwo(flow.powersOfTwo);
  if (Obstacle no = all.apart(flow.arrays, context)) return *no;
  return all.parts;
}

}  // namespace hone::passes
