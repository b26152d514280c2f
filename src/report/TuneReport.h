// What `hone tune` measured for a kernel, for the terminal.
#pragma once

#include <string>

#include "report/SizesReport.h"
#include "tune/CountWork.h"
#include "tune/Tune.h"

namespace hone::report {

struct TuneReport {
  std::string kernel, place;  // "mm", "mm.cu:11"
  worker::DeviceInfo device;
  std::string sizes;  // "n=4096"
  tune::TuneOutcome outcome;
  int chosen = -1;                    // into outcome.tried; -1: the kernel stays as it is
  std::string reason;                 // why it stays as it is
  std::vector<std::string> rejected;  // recipes that were fast and wrong at other sizes
  size_t shown = 10;                  // variants in the table, the fastest first

  // For the page (TuneHtml.h); filled only where one is wanted.
  tune::PlanEstimate before, after;  // counted on the embedded device; no launches: not counted
  std::string estimatedAt;           // sizes of these, where they are not `sizes`
  std::string target;                // whose model made them: "h200"
  std::vector<tune::Refused> refused;
  tune::Work work;
  worker::Ceilings ceilings;  // of the device; zeros: not measured
  bool areCeilingsMeasured = false;
  bool isModelled = false;  // times are the model's, not a device's
  bool isVerified = true;   // what was chosen, on the embedded device
  std::string strategy;
  std::vector<tune::SizeRow> sizeRows;  // several sizes; the rest is about one of them
  std::vector<std::string> classes;     // of sizes
};

std::string toText(const TuneReport& report);

}  // namespace hone::report
