// What `hone nvcc` says: a line for each file in which something changed or went wrong.
#pragma once

#include <string>

namespace hone::cli {

// HONE_LOG: not set, news go to stderr; a file: news and details are appended to it; empty or "-": nowhere.
// Each text is one write, so that those of parallel builds do not mix.
class BuildLog {
 public:
  BuildLog();

  // "saxpy.cu: 1 of 2 kernels rewritten": what the user wants to know of every build.
  void news(const std::string& line) const;
  // What explains a build to those who look: why a file went through as it is, what nvcc said of a copy.
  void detail(const std::string& line, const std::string& text = "") const;

 private:
  void write(const std::string& text, bool isNews) const;

  mutable bool isFile = false;  // until it cannot be written: what there is to say goes to stderr then
  bool isQuiet = false;
  std::string file;
};

}  // namespace hone::cli
