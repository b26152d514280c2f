// Whether a faster variant may be taken at all: what it gains may hang on sizes that nobody told, or be what
// compilers do by themselves.
#pragma once

#include "tune/ChooseRecipe.h"
#include "tune/LaterTurns.h"

namespace hone::tune {

class Bets {
 public:
  // `base` estimates at the sizes that recipes are looked for at; all of these outlive it.
  Bets(const device::CaseMaker& maker, const ir::PlanPtr& original, passes::PassContext& context,
       const ChooseOptions& options, PlanEstimator& base);

  // Sizes that decide and nobody told, with the values that stand for them.
  std::map<std::string, int64_t> guesses() const { return scales.guesses(); }

  // Whether this variant of the ranked ones may be taken; `soFar.pays` becomes where. What is only another
  // block shape must win everywhere: which shape is best changes with the grid, and there is little to gain.
  bool allow(const Variant& variant, Choice& soFar);

  // Why variants were not allowed; empty where all were.
  const std::string& whyNot() const { return reason; }

 private:
  bool isCompilersToo(const Variant& variant, const Choice& soFar) const;
  bool isTunedByHand() const;
  // Why an estimate of this variant says less than others do; empty: it does not.
  std::string whyUnsure(const Variant& variant) const;
  // The original in the blocks that are estimated to suit it best, where nobody told which it is launched
  // with; null: it is told, or the kernel takes no others.
  const Variant* otherBlock(const Choice& soFar);
  // The reason of the best counts: variants are asked about in their order.
  void refuse(std::string why);
  bool isWorthItsLines(const Variant& variant, double gain);
  // Whether it would be slower if compilers took twice the registers that are estimated.
  bool hangsOnRegisters(const Variant& variant, double before);

  const device::CaseMaker& maker;
  const ir::PlanPtr original;
  passes::PassContext& context;
  const ChooseOptions& options;
  PlanEstimator& estimator;
  ScaleEstimates scales;
  LaterTurns later;
  std::optional<Variant> smallBlocks;  // what otherBlock tries by itself
  unsigned made = 0;                   // bets, each of which takes estimates at many sizes
  unsigned texts = 0;                  // variants that were printed
  std::string reason;
  bool isReasonOfBest = false;  // of those that are worth their lines and more than compilers do
};

}  // namespace hone::tune
