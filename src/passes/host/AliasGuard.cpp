#include "passes/host/AliasGuard.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/WithoutGrid.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/HostConditions.h"

namespace hone::passes {

using namespace ir;
using analysis::Overlap;

namespace {

// The address `bytes` behind a pointer; as a number where `asNumber`.
ExprPtr addressAt(const LaunchStep& launch, const affine::KernelModel& model, const ExprPtr& pointer,
                  const affine::Poly& bytes, bool asNumber) {
  auto address = [&](const ExprPtr& e) { return asNumber ? convert(e, uint64(), true) : e; };
  const int64_t size = static_cast<int64_t>(sizeOf(*pointer->type->element));
  const auto zero = bytes.constant();
  if (zero && *zero == 0) return address(pointer);
  const bool whole = size > 0 && bytes.isDivisible(size);
  ExprPtr distance = hostValue(launch, model, whole ? bytes.dividedExactly(size) : bytes);
  if (!distance) return nullptr;
  if (whole) return address(addressOf(subscript(pointer, {distance}), pointer->type->space));
  if (!asNumber) return nullptr;
  return plus(convert(pointer, uint64(), true), convert(distance, uint64()));
}

// Bytes, times each size, that bounds of what a launch touches may be off the start of an array.
constexpr int64_t farthest = int64_t(1) << 31;

analysis::LaunchBytes& bytesOf(const affine::KernelModel& model, analysis::LaunchBytes& own,
                               const PassContext& context) {
  analysis::Facts* facts = context.facts.find(model);
  return facts ? facts->launchBytes() : own;
}

}  // namespace

AliasGuard::AliasGuard(const LaunchStep& step, const affine::KernelModel& kernelModel,
                       const PassContext& context)
    : launch(step),
      model(kernelModel),
      ownBytes(kernelModel),
      bytes(bytesOf(kernelModel, ownBytes, context)) {
  known.allParameters = context.assumeNoalias;
}

Refusal AliasGuard::mayAlias(affine::ArrayId first, affine::ArrayId second, const std::string& why) const {
  return Refusal{fmt::format("{} may alias {}{}; add {} or pass --assume-noalias", model.arrays[first].name,
                             model.arrays[second].name, why.empty() ? "" : " (" + why + ")",
                             restrictWord(model.kernel->language))};
}

bool AliasGuard::require(const ExprPtr& condition) {
  if (!condition) return false;
  const bool isNew = !isTrue(condition) && std::none_of(parts.begin(), parts.end(), [&](const ExprPtr& part) {
    return equal(part, condition);
  });
  if (isNew) parts.push_back(condition), tests = andAlso(tests, condition);
  return true;
}

Obstacle AliasGuard::test(const analysis::Aliasing& pair) {
  const ExprPtr a = hostPointer(launch, model, pair.first), b = hostPointer(launch, model, pair.second);
  if (!a || !b)
    return mayAlias(pair.first, pair.second, Refusal{"the host does not know where they lie"}.reason);
  // Pointers to elements of one type compare as they are.
  auto fits = [](const analysis::ByteRange& range, const ExprPtr& pointer) {
    const int64_t size = static_cast<int64_t>(sizeOf(*pointer->type->element));
    return size > 0 && range.low.isDivisible(size) && range.high.isDivisible(size);
  };
  const analysis::ByteRange ofA{pair.ofFirst->low, analysis::withoutGrid(*model.atoms, pair.ofFirst->high)},
      ofB{pair.ofSecond->low, analysis::withoutGrid(*model.atoms, pair.ofSecond->high)};
  // An address that far off may wrap around, and then compares as if it were at the other end.
  for (const affine::Poly* bound : {&ofA.low, &ofA.high, &ofB.low, &ofB.high})
    for (const auto& [monomial, factor] : bound->terms())
      if (factor > farthest || factor < -farthest)
        return mayAlias(
            pair.first, pair.second,
            Refusal{"what they touch is known too roughly to be tested before the launch"}.reason);
  const bool asNumber = !sameType(*a->type->element, *b->type->element) || a->type->space != b->type->space ||
                        !fits(ofA, a) || !fits(ofB, b);
  const ExprPtr lowA = addressAt(launch, model, a, ofA.low, asNumber),
                highA = addressAt(launch, model, a, ofA.high, asNumber),
                lowB = addressAt(launch, model, b, ofB.low, asNumber),
                highB = addressAt(launch, model, b, ofB.high, asNumber);
  if (!lowA || !highA || !lowB || !highB)
    return mayAlias(pair.first, pair.second,
                    Refusal{"what they touch cannot be worked out before the launch"}.reason);
  for (const affine::Requirement& r : pair.conditions)
    if (!require(hostRequirement(launch, model, r))) return mayAlias(pair.first, pair.second, r.why);
  // The ranges count threads of a block as the model does.
  for (unsigned axis = 0; axis < 3 && !mayHaveAnyBlock(launch); ++axis)
    require(simplified(
        binary(BinaryOp::Eq, launch.block[axis], intLit(model.block[axis], launch.block[axis]->type))));
  auto endsBefore = [](const ExprPtr& end, const ExprPtr& begin) {
    return makeExpr(boolType(), Binary{BinaryOp::Le, end, begin});
  };
  const ExprPtr before = endsBefore(HONE_SEED(AliasRangeTooShort, highA, lowA), lowB),
                after = endsBefore(highB, lowA);
  // In the order of their names, so that passes that test the same pair write the same test.
  const bool inOrder = model.arrays[pair.first].name < model.arrays[pair.second].name;
  require(inOrder ? orElse(before, after) : orElse(after, before));
  pairs += fmt::format("{}`{}` and `{}`", pairs.empty() ? "" : ", ", model.arrays[pair.first].name,
                       model.arrays[pair.second].name);
  return std::nullopt;
}

Obstacle AliasGuard::requireApart(affine::ArrayId first, affine::ArrayId second) {
  if (first > second) std::swap(first, second);
  if (first == second || done.contains({first, second})) return std::nullopt;
  const analysis::Aliasing pair = analysis::aliasing(bytes, first, second, known);
  switch (pair.overlap) {
    case Overlap::Never:
    case Overlap::Harmless: break;
    case Overlap::Test:
      if (Obstacle no = test(pair)) return no;
      break;
    case Overlap::Unknown: return mayAlias(first, second, pair.reason);
  }
  done.insert({first, second});
  return std::nullopt;
}

Obstacle AliasGuard::requireUnchanged(affine::ArrayId array) {
  const analysis::Stability answer = analysis::staysUnchanged(bytes, array, known);
  if (answer.isStable) return std::nullopt;
  if (answer.untested.empty()) return Refusal{answer.reason};
  for (const affine::ArrayId other : answer.untested)
    if (Obstacle no = requireApart(array, other)) return no;
  return std::nullopt;
}

}  // namespace hone::passes
