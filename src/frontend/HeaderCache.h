// Keeps precompiled headers of the CUDA toolkit between runs.
#pragma once

#include "frontend/ToolchainPaths.h"

#include <optional>
#include <string>
#include <vector>

namespace hone::frontend {

/// The precompiled header that fits `arguments` (of Clang's driver), made now if there is none yet or `renew`
/// is set. Empty when nothing is to be cached or the cache cannot be used; that is never an error.
std::string cachedHeader(const std::vector<std::string>& arguments, const std::optional<CudaToolkit>& toolkit,
                         bool renew);

}  // namespace hone::frontend
