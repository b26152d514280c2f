// Turns flags and choices into the arguments of Clang's driver.
#pragma once

#include "frontend/CompilerFlags.h"
#include "frontend/ParseSource.h"
#include "frontend/ToolchainPaths.h"

#include <optional>
#include <string>
#include <vector>

namespace hone::frontend {

inline constexpr const char* defaultArch = "sm_90";
inline constexpr const char* defaultCxxStandard = "c++17";

/// The architecture to parse for: that of the flags where Clang knows it, else the default.
std::string chooseArch(const CompilerFlags& flags);

/// Arguments for a CUDA file; without a toolkit hone's own headers are used.
std::vector<std::string> cudaArguments(const CompilerFlags& flags, const std::optional<CudaToolkit>& toolkit,
                                       CudaPass pass);

/// Adds to hone's own headers those of the host's library that nvcc includes unasked.
void addImplicitHeaders(std::vector<std::string>& arguments);

/// Arguments for an OpenCL C file in the given version of the language ("CL1.2").
std::vector<std::string> openclArguments(const CompilerFlags& flags, const std::string& standard);

/// Arguments for a C or C++ file with OpenACC, as the host's compiler would parse it.
std::vector<std::string> accArguments(const CompilerFlags& flags, bool isCpp);

}  // namespace hone::frontend
