// The space of a kernel's recipes as a tuning problem, in the format of the autotuning community (T1 of its
// schemas), and recipes as points of it.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tune/Store.h"

namespace hone::report {

// One variable for each pass of a recipe (1: applied) and for each of its arguments; a pass that comes again
// is numbered: "merge_threads", "merge_threads_x", "unroll_2_by".
std::map<std::string, std::string> pointOf(const std::string& recipe);

// Parameters are those of the recipes that were measured, with all values that occurred; a pass that is not
// applied has no arguments (0, or ''). Throws hone::Error where the results are of several kernels.
std::string storeT1(const std::vector<tune::StoredResult>& results);

// The recipe's point of that space: a value for every variable of it.
void addPoint(nlohmann::ordered_json& configuration, const std::string& recipe,
              const std::vector<tune::StoredResult>& all);

}  // namespace hone::report
