#include "cli/inputs/SeveralCaptures.h"

#include <algorithm>

#include "cli/inputs/CaptureMachine.h"
#include "cli/inputs/CaptureNotes.h"
#include "device/CapturedCase.h"

namespace hone::cli {

namespace {

std::string nameIn(const capture::CaptureFile& capture, const frontend::ImportedKernel& kernel) {
  return device::capturedName(capture, kernel.linkageName,
                              withArguments(kernel.qualifiedName, kernel.templateArgs));
}

bool knowsSome(const capture::CaptureFile& capture, const GivenFile& file) {
  return std::any_of(
      file.import.kernels.begin(), file.import.kernels.end(),
      [&](const frontend::ImportedKernel& kernel) { return !nameIn(capture, kernel).empty(); });
}

}  // namespace

std::shared_ptr<const capture::CaptureFile> captureFor(const Captures& captures,
                                                       const frontend::ImportedKernel& kernel,
                                                       const GivenFile& file,
                                                       const std::vector<GivenFile>& all) {
  std::shared_ptr<const capture::CaptureFile> best;
  double most = 0;
  for (const auto& capture : captures) {
    const std::string name = nameIn(*capture, kernel);
    const double share = name.empty() ? 0 : capture->share(name);
    if (share > most) best = capture, most = share;
  }
  for (const auto& capture : captures) {
    if (best) break;
    const bool isOfProgram =
        knowsSome(*capture, file) ||
        std::any_of(all.begin(), all.end(), [&](const GivenFile& one) { return knowsSome(*capture, one); });
    if (isOfProgram) best = capture;
  }
  return best;
}

void tellCaptures(const device::Settings& settings, std::span<const GivenFile> files, bool areAll,
                  const target::Target* machine) {
  device::Settings one = settings;
  const auto tell = [&] {
    tellCapture(one, files, areAll && settings.captures.empty());
    if (machine) tellCaptureMachine(one, *machine);
  };
  if (settings.captures.empty()) return tell();
  for (const auto& capture : settings.captures) {
    one.capture = capture;
    if (std::any_of(files.begin(), files.end(),
                    [&](const GivenFile& file) { return knowsSome(*capture, file); }))
      tell();
  }
}

}  // namespace hone::cli
