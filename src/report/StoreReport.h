// What a store holds: for the terminal, in hone's own lines, and in the format of the autotuning community
// (T4 of its schemas).
#pragma once

#include <string>
#include <vector>

#include "tune/Store.h"

namespace hone::report {

std::string storeText(const std::vector<tune::StoredResult>& results);

// One JSON object a line, which storeFromLines reads back.
std::string storeLines(const std::vector<tune::StoredResult>& results);
// Throws hone::Error that names the line.
std::vector<tune::StoredResult> storeFromLines(const std::string& text, const std::string& file);

std::string storeT4(const std::vector<tune::StoredResult>& results);

}  // namespace hone::report
