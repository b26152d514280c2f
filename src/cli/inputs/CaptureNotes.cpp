#include "cli/inputs/CaptureNotes.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "device/CapturedCase.h"

namespace hone::cli {

void tellCapture(const device::Settings& settings, std::span<const GivenFile> files, bool areAll) {
  if (!settings.capture) return;
  const capture::CaptureFile& capture = *settings.capture;
  for (const std::string& note : capture.notes) fmt::print(stderr, "{}: note: {}\n", capture.path, note);
  std::set<std::string> known, told;
  for (const GivenFile& file : files)
    for (const frontend::ImportedKernel& kernel : file.import.kernels) {
      const std::string name = device::capturedName(capture, kernel.linkageName,
                                                    withArguments(kernel.qualifiedName, kernel.templateArgs));
      known.insert(name);
      if (name.empty() && device::isRewrittenIn(capture, kernel.name))
        fmt::print(stderr,
                   "{}: note: it has launches of what hone made of kernel `{}`, not of the original; with "
                   "HONE_OFF=1 "
                   "in the environment the program launches that\n",
                   capture.path, kernel.name);
      const ir::KernelPtr body = kernel.kernel ? kernel.kernel : kernel.runnable;
      if (!body || name.empty() || !told.insert(name).second) continue;
      const auto found = device::capturedCases(capture, *body, name);
      if (found && !found->problem.empty())
        fmt::print(stderr, "{}: kernel `{}`: {}: not used\n", capture.path, kernel.name, found->problem);
    }
  std::set<std::string> missing;
  double share = 0;
  for (const capture::CapturedLaunch& launch : capture.launches)
    if (!known.contains(launch.kernel) && missing.insert(launch.kernel).second)
      share += capture.share(launch.kernel);
  if (missing.empty() || !areAll) return;
  constexpr size_t mostNamed = 3;
  std::string names;
  size_t count = 0;
  for (const std::string& name : missing)
    if (count++ < mostNamed) names += (names.empty() ? "" : ", ") + device::demangled(name);
  fmt::print(
      stderr, "{}: note: {} of its kernels {} in none of the files at hand ({:.0f} % of the {}): {}{}\n",
      capture.path, missing.size(), missing.size() == 1 ? "is" : "are", 100 * share,
      capture.microseconds() > 0 ? "time" : "launches", names, missing.size() > mostNamed ? ", …" : "");
}

}  // namespace hone::cli
