// Recipes for the kernels of the given files, found by measuring on a device.
#pragma once

#include "cli/PassSetup.h"
#include "report/TuneReport.h"

namespace hone::cli {

struct TuneRequest {
  std::string device;  // as --device says
  std::string store;   // file; empty: none
  tune::TuneOptions tune;
  sim::RunOptions run;
  size_t shown = 10;  // variants in the table
};

class KernelTuner {
 public:
  // Both must live as long as this object.
  KernelTuner(PassSetup& passSetup, DisplayNames& displayNames, TuneRequest tuneRequest);

  // For RewriteOptions::make. What was found is shown on stderr.
  MadePlan tune(const GivenFile& file, const frontend::ImportedKernel& kernel);

 private:
  void measure(const GivenFile& file, const frontend::ImportedKernel& kernel, report::TuneReport& about,
               MadePlan& made);

  PassSetup& setup;
  DisplayNames& names;
  TuneRequest request;
  device::WorkerAddress address;
  device::WorkerClient worker;
  std::unique_ptr<tune::Store> store;
};

}  // namespace hone::cli
