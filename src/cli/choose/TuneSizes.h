// Recipes for the kernels of the given files by classes of sizes, found by measuring every variant at every
// size.
#pragma once

#include <set>

#include "cli/choose/SizedKernel.h"
#include "cli/choose/TuneKernels.h"
#include "report/SizesReport.h"
#include "tune/SizeClasses.h"
#include "tune/SizeSet.h"

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
  std::unique_ptr<SizedKernel> prepare(const GivenFile& file, const frontend::ImportedKernel& kernel,
                                       const TuneNote& note);
  std::unique_ptr<tune::Meter> meterFor(const GivenFile& file, const TunedKernel& at,
                                        tune::PlanEstimator& estimator);
  bool isEmbedded() const { return addresses.front().device == "embedded"; }
  void addGiven(SizedKernel& sized);
  void propose(SizedKernel& sized, size_t most, const TuneNote& note);
  MadePlan made(const frontend::ImportedKernel& kernel,
                const std::function<void(report::SizesReport&, MadePlan&, const TuneNote&)>& make);
  static std::string jobAt(const SizedKernel& sized, const TunedKernel& at, const ir::Plan& plan);
  std::vector<tune::TimedSize> times(const SizedKernel& sized, const std::set<size_t>& without) const;
  void pick(SizedKernel& sized, report::SizesReport& about, MadePlan& out, const TuneNote& note);
  // For the page, in SizesPage.cpp.
  void gather(SizedKernel& sized, const report::SizesReport& about, const worker::Ceilings& ceilings);
  std::string checkDispatch(const SizedKernel& sized, const tune::SizeTree& tree,
                            const std::vector<tune::TimedSize>& sizes, const std::vector<ir::PlanPtr>& plans,
                            const ir::Plan& dispatch, const device::JudgeOptions& judge,
                            const TuneNote& note);

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
