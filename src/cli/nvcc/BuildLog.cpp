#include "cli/nvcc/BuildLog.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace hone::cli {

BuildLog::BuildLog() {
  const char* given = std::getenv("HONE_LOG");
  if (!given) return;
  file = given;
  isQuiet = file.empty() || file == "-";
  isFile = !isQuiet;
}

void BuildLog::write(const std::string& text, bool isNews) const {
  const auto writeTo = [](int to, const std::string& what) {
    [[maybe_unused]] const ssize_t done = ::write(to, what.data(), what.size());
  };
  if (!isFile) return writeTo(STDERR_FILENO, text);
  if (const int to = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666); to >= 0) {
    writeTo(to, text);
    ::close(to);
    return;
  }
  // It stops no build.
  writeTo(STDERR_FILENO,
          fmt::format("hone: HONE_LOG={}: cannot be written: {}\n", file, std::strerror(errno)));
  isFile = false;
  if (isNews) writeTo(STDERR_FILENO, text);
}

void BuildLog::news(const std::string& line) const {
  if (!isQuiet) write("hone: " + line + "\n", true);
}

void BuildLog::detail(const std::string& line, const std::string& text) const {
  if (!isFile) return;
  std::string all = "hone: " + line + "\n";
  std::istringstream lines(text);
  for (std::string one; std::getline(lines, one);) all += "  " + one + "\n";
  write(all, false);
}

}  // namespace hone::cli
