// Conditions of #if on the architecture that device code is compiled for.
#pragma once

#include <optional>
#include <string>

namespace hone::frontend {

/// The answer that a condition on `__CUDA_ARCH__`, whole numbers and nothing else has for every architecture
/// that toolkits from CUDA 11 on compile for; nothing: the answers differ, or it asks for something else.
std::optional<bool> sameOnAllArchitectures(const std::string& condition);

}  // namespace hone::frontend
