// Whether two runs of a case left the same in memory.
#pragma once

#include "device/CaseData.h"
#include "worker/CompareArrays.h"

namespace hone::device {

struct CompareOptions {
  bool reassociate = false;  // floats may differ within a bound derived from the operation count
};

struct Difference : worker::ArrayDifference {
  std::string array;
  Difference(std::string name, worker::ArrayDifference what)
      : ArrayDifference(std::move(what)), array(std::move(name)) {}
};

struct Comparison {
  std::vector<Difference> differences;  // one per array
  double maxError = 0;    // largest absolute difference of two floats; infinity where one is no number
  uint64_t compared = 0;  // results, as ArrayComparison counts them
  std::set<std::string> changed;               // arrays that hold results
  std::map<std::string, uint64_t> notNumbers;  // by array: results that are NaN in both runs, and left out
  bool equal() const { return differences.empty(); }
};

// Every byte of every array counts, also those that only one of the two wrote. Floats within
// 4 · k · u · max(|a|, largest |a| of the results), k instructions per thread and u the unit roundoff of the
// type, are equal where reassociation is permitted, and where an array is summed up by float atomics. Arrays
// of which the case says that they are temporary are left out; those that are unordered, and those that
// atomics append to, are compared as multisets of elements.
Comparison compareRuns(const Case& c, const CaseData& data, const CaseRun& a, const CaseRun& b,
                       const CompareOptions& options);

// Elements that hold NaN which was not there before the run.
uint64_t newNans(const CaseData& data, const CaseRun& run);

}  // namespace hone::device
