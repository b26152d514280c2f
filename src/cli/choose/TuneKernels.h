// Recipes for the kernels of the given files, found by measuring on a device: here, through a worker
// elsewhere, or by way of a bundle.
#pragma once

#include "cli/inputs/PassSetup.h"
#include "cli/rewrite/RewriteProgram.h"
#include "device/WorkerTeam.h"
#include "report/TuneReport.h"
#include "tune/Bundle.h"
#include "tune/TunedKernel.h"

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

// What --device says, once or several times; the first device here where it says nothing.
std::vector<device::WorkerAddress> addressesOf(const std::vector<std::string>& devices);
// Started when needed; what becomes of the workers is said on stderr.
std::unique_ptr<device::WorkerTeam> makeTeam(const std::vector<device::WorkerAddress>& addresses);
// What the user should know goes to stderr.
tune::TuneListener listenerWith(tune::TuneNote note);

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
  std::unique_ptr<tune::TunedKernel> prepare(const GivenFile& file, const frontend::ImportedKernel& kernel,
                                             const tune::TuneNote& note);
  // Variants by the recipes that were asked for; which do not apply is said on stderr.
  std::vector<tune::Variant> given(tune::TunedKernel& kernel) const;
  static void pick(const tune::TunedKernel& kernel, report::TuneReport& about, MadePlan& out,
                   const tune::TuneNote& note);
  std::unique_ptr<tune::Meter> meterFor(const GivenFile& file, const tune::TunedKernel& kernel,
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
