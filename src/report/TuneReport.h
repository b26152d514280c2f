// What `hone tune` measured for a kernel, for the terminal.
#pragma once

#include <string>

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
};

std::string toText(const TuneReport& report);

}  // namespace hone::report
