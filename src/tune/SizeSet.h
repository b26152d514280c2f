// The sizes that a kernel is tuned for, as the user lists them.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hone::tune {

// A value, or an expression of the kernel's parameters before it, by parameter.
using SizePoint = std::map<std::string, std::string>;

// "w=256,1024,4096; h=w": lists by parameter; 256..4096 is 256, 512, … 4096. Of each text all combinations,
// of several texts the points of all, each once, in that order. Throws hone::Error.
std::vector<SizePoint> parseSizes(const std::vector<std::string>& texts);

}  // namespace hone::tune
