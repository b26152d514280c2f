// A bundle as text that may pass for PTX: programs keep PTX in strings, which end at the first zero byte.
#pragma once

#include <string>
#include <vector>

#include "sim/bytecode/Bundle.h"

namespace hone::sim {

// `architecture`: "sm_90".
std::string bundleText(const Bundle& bundle, const std::string& architecture);
// The bytes of the bundle in such a text; empty: `text` is none. Throws hone::Error where it is cut off.
std::vector<uint8_t> bundleInText(const char* text);

}  // namespace hone::sim
