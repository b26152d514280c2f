#include "cli/inputs/CaptureMachine.h"

#include <fmt/core.h>

#include "capture/CaptureFile.h"

namespace hone::cli {

void tellCaptureMachine(const device::Settings& settings, const target::Target& target) {
  // Older captures have no name.
  if (!settings.capture || settings.capture->device.empty() || settings.capture->device == "CUDA device")
    return;
  const capture::CaptureFile& capture = *settings.capture;
  if (target::isNamed(capture.device, target)) return;
  fmt::print(stderr, "{}: note: recorded on {}, and {} is the target: its sizes are used{}\n", capture.path,
             capture.device, target.name, capture.microseconds() > 0 ? ", and its parts of the time" : "");
}

}  // namespace hone::cli
