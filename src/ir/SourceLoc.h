// Where a piece of IR came from; survives rewriting so that remarks and the embedded device can name lines.
#pragma once

#include <string>
#include <string_view>

namespace hone::ir {

// A place in a source file. `file` is interned for the life of the process; null means "made by hone".
struct SourceLoc {
  const std::string* file = nullptr;
  unsigned line = 0;
  unsigned column = 0;

  bool valid() const { return file != nullptr; }
  std::string str() const;  // "file.cu:12", or "" when not valid
};

// Interns a file name; safe to call from several threads.
const std::string* internFile(std::string_view path);

}  // namespace hone::ir
