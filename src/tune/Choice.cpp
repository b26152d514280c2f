#include <fmt/core.h>

#include <algorithm>

#include "device/Judge.h"
#include "tune/ChooseRecipe.h"

namespace hone::tune {

void Choice::setSizes(const PlanEstimator& estimator) {
  const device::Case& c = estimator.usedCase();
  sizes = c.sizes();
  inPlaceOfGiven = estimator.inPlaceOfGiven();
  guessed.merge(c.guessedSizes());
  if (c.blockOrigin == device::Origin::Guess) guessedBlock = c.block;
  isCaptured = c.isCaptured && !guessedBlock;
  isSmaller = c.isSmallerThanCaptured && !guessedBlock;
  const auto isOfText = [&](const std::string& name) {
    return c.isRead(name) && !estimator.usedWish().sizes.contains(name);
  };
  isRead = !c.isCaptured && !isSmaller && !guessedBlock &&
           std::all_of(guessed.begin(), guessed.end(), [&](const auto& one) { return isOfText(one.first); });
  if (!isRead && !c.isCaptured && !isSmaller)
    std::erase_if(guessed, [&](const auto& one) { return isOfText(one.first); });
}

const char* Choice::whoseSizes() const {
  return isCaptured  ? "captured"
         : isSmaller ? "captured, made smaller"
         : isRead    ? "read off the program"
                     : "guessed";
}

std::string Choice::guessesText() const {
  std::string text = device::sizesText(guessed);
  if (guessedBlock)
    text += fmt::format("{}block {}", text.empty() ? "" : ", ", device::extentsText(*guessedBlock));
  return text;
}

std::string Choice::howToGiveGuesses() const {
  if (!guessedBlock) return howToGive(guessed);
  return guessed.empty() ? "give --block" : howToGive(guessed) + ", and --block";
}

double Choice::speedup() const {
  const Variant* one = best();
  return one && one->estimate.seconds > 0 ? original.estimate.seconds / one->estimate.seconds : 1;
}

double Choice::speedupOverall() const {
  return best() && pays && pays->overall > 0 ? pays->overall : speedup();
}

}  // namespace hone::tune
