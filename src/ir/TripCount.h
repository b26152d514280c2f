// How often a loop that counts runs, where numbers say it.
#pragma once

#include "ir/Stmt.h"

namespace hone::ir {

// The values that the variable has in the iterations, in order, for a loop that `counted` recognised. Nothing
// where begin, end or step is no number, for more than `most` iterations, and where the variable would leave
// its type.
std::optional<std::vector<int64_t>> iterationValues(const For& loop, const Counted& count, size_t most);

// The number of iterations, nothing likewise.
std::optional<int64_t> tripCount(const For& loop, const Counted& count);

}  // namespace hone::ir
