#include "cli/inputs/CaptureMachine.h"

#include <fmt/core.h>

#include <cctype>

#include "capture/CaptureFile.h"

namespace hone::cli {

bool isNamed(const std::string& device, const target::Target& target) {
  std::vector<std::string> words(1);
  for (const char c : device) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.back().empty())
      words.emplace_back();
  }
  // Names of targets have no spaces: "rtx4090".
  for (size_t first = 0; first < words.size(); ++first) {
    std::string joined;
    for (size_t i = first; i < words.size(); ++i) {
      joined += words[i];
      if (joined == target.name) return true;
    }
  }
  return device == target.name;
}

void tellCaptureMachine(const device::Settings& settings, const target::Target& target) {
  // Older captures have no name.
  if (!settings.capture || settings.capture->device.empty() || settings.capture->device == "CUDA device")
    return;
  const capture::CaptureFile& capture = *settings.capture;
  if (isNamed(capture.device, target)) return;
  fmt::print(stderr, "{}: note: recorded on {}, and {} is the target: its sizes are used{}\n", capture.path,
             capture.device, target.name, capture.microseconds() > 0 ? ", and its parts of the time" : "");
}

}  // namespace hone::cli
