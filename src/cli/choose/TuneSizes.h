// Recipes for the kernels of the given files by classes of sizes, found by measuring every variant at every
// size.
#pragma once

#include "cli/choose/TuneKernels.h"
#include "report/SizesReport.h"
#include "tune/PickSizes.h"

namespace hone::cli {

class SizesTuner {
 public:
  // `settings` are those of the command line. The names must live as long as this object.
  SizesTuner(const PassOptions& passOptions, const device::Settings& settings,
             std::vector<tune::SizePoint> sizePoints, DisplayNames& displayNames, TuneRequest tuneRequest);

  // As KernelTuner's.
  MadePlan tune(const GivenFile& file, const frontend::ImportedKernel& kernel);
  void bundle(const GivenFile& file, const frontend::ImportedKernel& kernel, tune::BundleWriter& into);
  MadePlan fromBundle(const GivenFile& file, const frontend::ImportedKernel& kernel,
                      const tune::BundleResults& results);
  const std::vector<report::TuneReport>& reports() const { return gathered; }

 private:
  std::unique_ptr<PassSetup> setupAt(const tune::SizePoint& point) const;
  std::unique_ptr<tune::SizedKernel> prepare(const GivenFile& file, const frontend::ImportedKernel& kernel,
                                             const tune::TuneNote& note);
  std::unique_ptr<tune::Meter> meterFor(const GivenFile& file, const tune::TunedKernel& at,
                                        tune::PlanEstimator& estimator);
  bool isEmbedded() const { return addresses.front().device == "embedded"; }
  void addGiven(tune::SizedKernel& sized) const;
  MadePlan made(const frontend::ImportedKernel& kernel,
                const std::function<void(report::SizesReport&, MadePlan&, const tune::TuneNote&)>& make);
  void pick(const GivenFile& file, const frontend::ImportedKernel& kernel, const tune::SizedKernel& sized,
            report::SizesReport& about, MadePlan& out, const tune::TuneNote& note) const;
  // For the page, in SizesPage.cpp.
  void gather(tune::SizedKernel& sized, const report::SizesReport& about, const worker::Ceilings& ceilings);

  PassOptions options;
  device::Settings commandLine;
  std::vector<tune::SizePoint> points;
  DisplayNames& names;
  TuneRequest request;
  std::vector<device::WorkerAddress> addresses;
  PassSetup base;                               // without the sizes
  std::vector<std::unique_ptr<PassSetup>> own;  // by point
  std::unique_ptr<device::WorkerTeam> team;
  std::unique_ptr<tune::Store> store;
  std::vector<report::TuneReport> gathered;
};

}  // namespace hone::cli
