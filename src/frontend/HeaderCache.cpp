#include "frontend/HeaderCache.h"

namespace hone::frontend {

std::string cachedHeader(const std::vector<std::string>&, const std::optional<CudaToolkit>&, bool) {
  return "";
}

}  // namespace hone::frontend
