// Verification with other values of numbers that are no sizes, as a loop of the host gives them.
#include <algorithm>

#include "device/Verifier.h"
#include "device/VerifyCases.h"
#include "ir/Error.h"

namespace hone::device {

void Verifier::atOtherNumbers(const ChosenCase& base) {
  const auto compare = [&](const ChosenCase& now, const NumberSet& others) {
    const CaseRun first = runFirst(now.c, now.data, options.run);
    // What leaves its arrays is no launch that the program has.
    if (errorsIn(first.result) > 0 || !first.result.completed) return;
    compareAt(now, first, false);
    for (const auto& [path, value] : others) judgement.runs.back().sizes[path] = value;
  };
  NumberSet turned;
  for (const HostText::Turn turn : {HostText::Turn::Middle, HostText::Turn::Last}) {
    CaseWish wish = base.wish;
    wish.turn = turn;
    wish.fractions = data.fraction;
    try {
      const NumberSet others = changedNumbers(base.c, maker.make(wish));
      if (others.empty() || isSpent()) break;
      turned.insert(others.begin(), others.end());
      const ChosenCase now = choose(data, wish);
      compare(now, changedNumbers(base.c, now.c));
    } catch (const Error&) {
      continue;  // there is no such launch
    }
  }
  const std::vector<std::string> sizes = maker.sizeNames();
  for (const bool isNext : {true, false}) {
    ChosenCase now = base;
    for (const ParameterLeaf& leaf : base.c.leaves) {
      const auto number = now.c.numbers.find(leaf.path);
      if (!leaf.isWhole() || number == now.c.numbers.end() || !number->second.mayDiffer) continue;
      if (turned.contains(leaf.path) || std::find(sizes.begin(), sizes.end(), leaf.path) != sizes.end())
        continue;
      const int64_t value = number->second.value.asWhole();
      number->second.value = wholeNumber(isNext ? value + 1 : 2 * value + 5);
    }
    const NumberSet others = changedNumbers(base.c, now.c);
    if (others.empty() || isSpent()) return;
    try {
      now.data = prepare(now.c, data);
      compare(now, others);
    } catch (const Error&) {
      continue;
    }
  }
}

}  // namespace hone::device
