// What `hone opt` chose for a kernel and why, for the terminal.
#pragma once

#include <functional>
#include <string>

#include "tune/ChooseRecipe.h"

namespace hone::report {

struct ChoiceReport {
  std::string kernel, place;  // "mm", "mm.cu:11"
  const target::Target* target = nullptr;
  std::function<std::string(const ir::SourceLoc&)> placeOf;  // "mm.cu:14"
};

// What was done and why, counters before and after; `isVerbose`: and what other passes say.
std::string toText(const ChoiceReport& about, const tune::Choice& choice, bool isVerbose);

// The best `most` variants with their estimates, the original among them.
std::string candidatesText(const ChoiceReport& about, const tune::Choice& choice, size_t most);

// A given recipe, the first of `ranked`, beside the original: counters, and each term of both times.
std::string estimateText(const ChoiceReport& about, const tune::Choice& choice);

// Counters of two plans, one row each: name, before, after. Both must have launches.
std::vector<std::vector<std::string>> counterRows(const tune::PlanEstimate& before,
                                                  const tune::PlanEstimate& after);

}  // namespace hone::report
