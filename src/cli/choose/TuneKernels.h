// Recipes for the kernels of the given files, found by measuring on a device: here, through a worker
// elsewhere, or by way of a bundle.
#pragma once

#include "cli/choose/TunedKernel.h"
#include "cli/rewrite/RewriteProgram.h"
#include "report/TuneReport.h"
#include "tune/Bundle.h"

namespace hone::cli {

struct TuneRequest {
  std::vector<std::string> devices;  // as --device says; none: the first here
  std::string store;                 // file; empty: none
  tune::TuneOptions tune;
  std::vector<std::string> recipes;  // measured before what the strategy chooses
  sim::RunOptions run;
  size_t shown = 10;       // variants in the table
  bool sanitize = false;   // the chosen variant runs under compute-sanitizer before it is written
  bool wantsPage = false;  // what the HTML page shows is gathered as well
};

class KernelTuner {
 public:
  // Both must live as long as this object.
  KernelTuner(PassSetup& passSetup, DisplayNames& displayNames, TuneRequest tuneRequest);

  // Measures now. For RewriteOptions::make; what was found is shown on stderr.
  MadePlan tune(const GivenFile& file, const frontend::ImportedKernel& kernel);
  // Puts variants of the kernel into a bundle. Why there are none goes to stderr.
  void bundle(const GivenFile& file, const frontend::ImportedKernel& kernel, tune::BundleWriter& into);
  // Takes what a bundle brought back.
  MadePlan fromBundle(const GivenFile& file, const frontend::ImportedKernel& kernel,
                      const tune::BundleResults& results);

  // Of every kernel so far, where a page is wanted.
  const std::vector<report::TuneReport>& reports() const { return gathered; }

 private:
  std::unique_ptr<TunedKernel> prepare(const GivenFile& file, const frontend::ImportedKernel& kernel,
                                       const TuneNote& note);
  // Variants by the recipes that were asked for; which do not apply is said on stderr.
  std::vector<tune::Variant> given(TunedKernel& kernel, tune::PlanEstimator& estimator);
  void pick(TunedKernel& kernel, report::TuneReport& about, MadePlan& made,
            const std::function<void(const std::string&)>& note);
  std::unique_ptr<tune::Meter> meterFor(const GivenFile& file, TunedKernel& kernel,
                                        tune::PlanEstimator& estimator);
  void sanitize(tune::Meter& meter, report::TuneReport& about, MadePlan& out);
  bool isEmbedded() const { return addresses.front().device == "embedded"; }
  MadePlan made(const frontend::ImportedKernel& kernel,
                const std::function<void(report::TuneReport&, MadePlan&)>& make);
  device::WorkerTeam& workers();

  PassSetup& setup;
  DisplayNames& names;
  TuneRequest request;
  std::vector<device::WorkerAddress> addresses;
  std::unique_ptr<device::WorkerTeam> team;
  std::unique_ptr<tune::Store> store;
  std::vector<report::TuneReport> gathered;
};

}  // namespace hone::cli
