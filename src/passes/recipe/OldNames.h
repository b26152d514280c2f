// Names that passes and their parameters had before: recipes that people wrote down, and those in stores and
// bundles, may still use them.
#pragma once

#include <string>
#include <string_view>

namespace hone::passes {

// The name of today; empty: it is no old one.
std::string newPassName(std::string_view name);
// The same for a parameter of a pass, which is named as today.
std::string newParameterName(std::string_view pass, std::string_view parameter);

}  // namespace hone::passes
