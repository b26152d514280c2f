// Keeps precompiled headers between runs, so that a file which includes heavy ones parses quickly.
#pragma once

#include "frontend/ClangArguments.h"

#include <optional>
#include <string>
#include <vector>

namespace hone::frontend {

/// What a file needs precompiled.
struct HeaderSet {
  CompilerFlags flags;
  std::optional<CudaToolkit> toolkit;  ///< none: hone's own headers
  CudaPass pass = CudaPass::Device;
  std::vector<std::string> extras;  ///< further system headers, by the names they are included with
};

/// The system headers that the text includes and that may as well be read before it.
std::vector<std::string> precompilableIncludes(std::string_view text,
                                               const std::optional<CudaToolkit>& toolkit);

/// The precompiled header that fits, made now if there is none and it is worth making: the force-included
/// headers at first sight, a set with extras when it comes up again. Empty when there is none; that is never
/// an error.
std::string cachedHeader(const HeaderSet& wanted);

/// Processor seconds that this process has taken to make such headers, which is done once on a machine.
double secondsOfPrecompiling();

/// Says that `file`, from `cachedHeader`, did not serve. It is made again the next time, but only once.
void rejectCachedHeader(const std::string& file);

}  // namespace hone::frontend
