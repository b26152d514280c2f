#include "report/Progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace hone::report {

namespace {

constexpr std::chrono::seconds betweenLines(10);
bool isSilent = false;

}  // namespace

Progress::Progress(size_t count)
    : total(count),
      isShown(::isatty(STDERR_FILENO) == 1),
      lastDrawn(isShown ? std::chrono::steady_clock::time_point() : std::chrono::steady_clock::now()) {}

Progress::~Progress() { clear(); }

void Progress::clear() const {
  if (isShown) fmt::print(stderr, "\r\033[K");
}

void Progress::silence() { isSilent = true; }

void Progress::step(const std::string& what) {
  if (isSilent) return;
  ++done;
  auto now = std::chrono::steady_clock::now();
  if (!isShown && now - lastDrawn >= betweenLines) {
    lastDrawn = now;
    fmt::print(stderr, "{}\n", total ? fmt::format("{} of {}: {}", done, total, what) : what);
  }
  if (!isShown || (now - lastDrawn < std::chrono::milliseconds(50) && done < total)) return;
  lastDrawn = now;
  winsize size{};
  size_t columns = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  const size_t width = 24, filled = total ? width * std::min(done, total) / total : 0;
  std::string bar;
  if (total)
    bar =
        fmt::format("[{}{}] {}/{} ", std::string(filled, '#'), std::string(width - filled, '.'), done, total);
  std::string name = what;
  size_t room = columns > bar.size() + 1 ? columns - bar.size() - 1 : 0;
  if (name.size() > room) name = name.substr(name.size() - room);
  fmt::print(stderr, "\r\033[K{}{}", bar, name);
  std::fflush(stderr);
}

}  // namespace hone::report
