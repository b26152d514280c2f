// Names of kernels and variables as a program writes them for NVRTC ("ns::scale<float, 4>", "&ns::factor"):
// templates that they name are instantiated, and what object files call them is found.
#pragma once

#include <string>
#include <vector>

#include "frontend/ParseSource.h"

namespace hone::frontend {

/// Text behind a file's own that names each of them, one on a line.
std::string nameExpressionText(const std::vector<std::string>& expressions);

/// For each expression of that text the name in object files; empty: it names no function or variable.
std::vector<std::string> namedInObjects(const ParsedSource& source, size_t expressions);

}  // namespace hone::frontend
