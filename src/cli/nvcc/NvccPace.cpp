#include "cli/nvcc/NvccPace.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace hone::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* paceName = "pace";
// What one build may say of the machine, and how much the last one counts beside those before it.
constexpr double least = 0.5, most = 4, partOfLast = 0.25;

}  // namespace

NvccPace::NvccPace(const std::string& folder) : file(folder + "/" + paceName) {
  double found = 0;
  if (std::ifstream in(file); in >> found && found >= least && found <= most) kept = found;
}

void NvccPace::learn(double measuredSeconds, double estimatedSeconds) const {
  if (measuredSeconds <= 0 || estimatedSeconds <= 0) return;
  const double last = std::clamp(measuredSeconds / estimatedSeconds, least, most);
  const double next = kept > 0 ? std::pow(kept, 1 - partOfLast) * std::pow(last, partOfLast) : last;
  const std::string temporary = fmt::format("{}-{}", file, ::getpid());
  std::error_code ignored;
  if (std::ofstream out(temporary); !(out << fmt::format("{:.3f}\n", next)).flush()) {
    fs::remove(temporary, ignored);
    return;
  }
  fs::rename(temporary, file, ignored);
}

}  // namespace hone::cli
