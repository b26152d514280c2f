#include "cli/nvcc/BuildLog.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace hone::cli {

BuildLog::BuildLog() {
  const char* given = std::getenv("HONE_LOG");
  if (!given) return;
  file = given;
  isQuiet = file.empty() || file == "-";
  isFile = !isQuiet;
}

void BuildLog::write(const std::string& text) const {
  int to = STDERR_FILENO;
  if (isFile) to = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (to < 0) return;  // a log that cannot be written stops no build
  [[maybe_unused]] const ssize_t done = ::write(to, text.data(), text.size());
  if (isFile) ::close(to);
}

void BuildLog::news(const std::string& line) const {
  if (!isQuiet) write("hone: " + line + "\n");
}

void BuildLog::detail(const std::string& line, const std::string& text) const {
  if (!isFile) return;
  std::string all = "hone: " + line + "\n";
  std::istringstream lines(text);
  for (std::string one; std::getline(lines, one);) all += "  " + one + "\n";
  write(all);
}

}  // namespace hone::cli
