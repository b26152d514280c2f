// The headers that the host side of every CUDA program begins with, read once for many: reading them is most
// of what compiling a small program takes.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace hone::cli {

// A compiler with its flags, without what it compiles.
struct HostCompiler {
  std::vector<std::string> words;
  std::vector<std::string> headers;  // included before anything else

  std::vector<std::string> including() const;
  std::vector<std::string> afterReading(const std::string& precompiled) const;
};

// The compiler's headers precompiled, from the folder in which hone keeps such; made by `run` when the same
// compiler is asked for a second time. Empty: there is none.
std::string precompiledHeaders(const HostCompiler& compiler,
                               const std::function<bool(const std::vector<std::string>&)>& run);

}  // namespace hone::cli
