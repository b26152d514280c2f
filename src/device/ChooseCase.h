// What check and verify share: choosing a case that reaches every array, and recording runs.
#pragma once

#include "device/Judge.h"

namespace hone::device {

struct ChosenCase {
  Case c;
  CaseData data;
  CaseWish wish;
};

// Tries the variants of a guess until one touches every array that the kernel names; the best one otherwise.
ChosenCase chooseCase(const CaseMaker& maker, const ir::PlanPtr& original, Programs& programs,
                      const DataOptions& options, CaseWish wish);
std::vector<std::string> notesOf(const ChosenCase& chosen);
JudgedFinding judged(const sim::Finding& finding, const Case& c);
JudgedRun recordOf(const Case& c);
size_t errorsIn(const PlanResult& result);  // warnings left out

}  // namespace hone::device
