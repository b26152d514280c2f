// The arrays of a case: how long, what is in them before the launch, what is in them after.
#pragma once

#include "device/Case.h"
#include "device/FillArray.h"
#include "device/RunPlan.h"
#include "ir/Error.h"

namespace hone::device {

struct ArrayData {
  std::string name;
  ir::TypePtr element;
  uint64_t elementBytes = 1;
  std::vector<TypeLeaf> leaves;  // of an element
  int leaf = -1;                 // into Case::leaves; -1: a variable outside of functions
  uint64_t length = 0;           // elements
  bool isGiven = false;          // the length is the user's, or the program's own
  Fill fill;
  bool isZero = false;           // starts at zero: counters, locks, flags
  bool hasValue = true;          // false: nothing wrote it before the launch
  bool hasInitializer = false;   // in the program's text
  std::vector<uint8_t> initial;  // empty where it is long: initialBytes makes it
  bool isCaptured = false;       // that is what a captured launch had
  std::vector<uint8_t> sample;   // elements that are repeated in place of `fill`; empty: none
  std::string aliasOf;
  int64_t aliasOffset = 0;  // elements of the other array
};

struct CaseData {
  std::vector<ArrayData> arrays;
  std::map<std::string, uint64_t> localBytes;  // OpenCL __local arguments
  uint64_t dynamicShared = 0;
  bool isSharedGuessed = false;
  std::vector<std::string> unused;  // arrays that the run which found the lengths did not touch
  unsigned belowZero = 0;           // arrays with accesses before their first element
  uint64_t warpInstructions = 0;    // of the run that found the lengths
  uint64_t work = 0;                // of all runs that were needed for that (RunResult::work)
  bool isCutShort = false;          // that run ended at its step limit
  bool isTooLarge = false;          // arrays of these lengths were not filled
  const ArrayData* find(const std::string& name) const;
};

struct DataOptions {
  sim::RunOptions run;
  bool positive = false;  // no negative floats and no zeros
  bool fraction = false;  // floats between 0 and 1
  std::optional<int64_t> steering =
      std::nullopt;                 // 0 or 1: what whole numbers that decide what is executed are
  bool whole = false;               // floats without a fraction: their sums are exact in any order
  uint64_t probeSteps = 3'000'000;  // instructions of a warp in the runs that find the lengths
  // Warp instructions that a run which nobody asked for in this size may take: a few seconds.
  uint64_t mostInstructions = 1'500'000;
  uint64_t fewestBlocks = 8;        // that are run all the same
  uint64_t mostBytes = UINT64_MAX;  // of all arrays: longer ones are not filled
  // Finds the lengths and fills only arrays whose length is given: for runs on arrays without an end, however
  // far they reach.
  bool onlyLengths = false;
  // Only says what arrays there are and how they are filled: nothing is run, lengths that nobody gave stay 0,
  // and no data is made.
  bool describeOnly = false;
  // A grid that was given says how the kernel is launched: blocks of it are left out where all would take
  // long. Else it is what is to be run.
  bool givenGridIsLaunch = false;
};

// A run of the original takes more than RunOptions::mostWork.
struct TooMuchWork : Error {
  explicit TooMuchWork(const Case& c);
};

// Finds the lengths by running the original on arrays without an end, then fills the arrays. Throws
// hone::Error for a parameter that cannot be set up, TooMuchWork where a run of this case is too long.
CaseData prepareData(const Case& c, const ir::Plan& original, Programs& programs, const DataOptions& options);

// Fills arrays that were found to be too large (DataOptions::mostBytes) all the same.
void fillArrays(CaseData& data);

// One argument per parameter of the case's kernel: numbers in the bytes of their types, pointers as the
// addresses given, __local ones as their sizes.
std::vector<std::vector<uint8_t>> argumentBytes(const Case& c, const CaseData& data,
                                                const std::function<uint64_t(const ArrayData&)>& addressOf);

// Writes what bytes of an array hold before the launch, where that is made up. The array must outlive it.
sim::FillBytes madeUp(const ArrayData& array);

// What an array holds before the launch.
std::vector<uint8_t> initialBytes(const ArrayData& array);

struct CaseRun {
  PlanResult result;
  std::vector<std::vector<uint8_t>> after;  // of each array; empty where it was not changed
  std::vector<std::vector<uint8_t>> isSet;  // one bit per byte, of arrays without a value before; else empty
};

// Restores inputs, poisons outputs, runs.
CaseRun runCase(const Case& c, const CaseData& data, const ir::Plan& plan, Programs& programs,
                const sim::RunOptions& options, const LaunchHooks& hooks = {});

// Writes the arrays that the settings ask for to files.
void saveArrays(const Settings& settings, const CaseData& data, const CaseRun& run);

}  // namespace hone::device
