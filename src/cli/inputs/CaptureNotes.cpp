#include "cli/inputs/CaptureNotes.h"

#include <cxxabi.h>
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "device/CapturedCase.h"

namespace hone::cli {

std::string demangled(const std::string& linkageName) {
  int status = 0;
  char* text = abi::__cxa_demangle(linkageName.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 && text ? text : linkageName;
  std::free(text);
  return out;
}

void tellCapture(const device::Settings& settings, std::span<const GivenFile> files, bool areAll) {
  if (!settings.capture) return;
  const capture::CaptureFile& capture = *settings.capture;
  for (const std::string& note : capture.notes) fmt::print(stderr, "{}: note: {}\n", capture.path, note);
  std::set<std::string> known, told;
  for (const GivenFile& file : files)
    for (const frontend::ImportedKernel& kernel : file.import.kernels) {
      known.insert(kernel.linkageName);
      const ir::KernelPtr body = kernel.kernel ? kernel.kernel : kernel.runnable;
      if (!body || !told.insert(kernel.linkageName).second) continue;
      const auto found = device::capturedCases(capture, *body, kernel.linkageName);
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
    if (count++ < mostNamed) names += (names.empty() ? "" : ", ") + demangled(name);
  fmt::print(
      stderr, "{}: note: {} of its kernels {} in none of the files at hand ({:.0f} % of the {}): {}{}\n",
      capture.path, missing.size(), missing.size() == 1 ? "is" : "are", 100 * share,
      capture.microseconds() > 0 ? "time" : "launches", names, missing.size() > mostNamed ? ", …" : "");
}

}  // namespace hone::cli
