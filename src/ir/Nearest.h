// Suggestions for names that do not exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone {

// The candidate that `name` is most likely a misspelling of; empty when none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

// "; did you mean 'x'?", or nothing when none is near.
std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace hone
