#pragma once

#include <cstdint>

namespace hone::analysis {

// Where an array lies when only the place within a row counts: a multiple of every row, and addresses may lie
// before the array.
inline constexpr uint64_t arrayStart = uint64_t{1} << 40;

}  // namespace hone::analysis
