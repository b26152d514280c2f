// Variables in the order of the source, for containers whose order shows in what is written: that of their
// addresses differs from run to run.
#pragma once

#include <functional>
#include <set>
#include <tuple>

#include "ir/Kernel.h"

namespace hone::ir {

struct InSourceOrder {
  bool operator()(const Variable* a, const Variable* b) const {
    const auto place = [](const Variable& v) { return std::tie(v.loc.line, v.loc.column, v.name); };
    if (a == b) return false;
    const auto order = place(*a) <=> place(*b);
    return order != 0 ? order < 0 : std::less<>()(a, b);
  }
};

using OrderedVariables = std::set<const Variable*, InSourceOrder>;
inline OrderedVariables inSourceOrder(const std::set<const Variable*>& variables) {
  return {variables.begin(), variables.end()};
}

}  // namespace hone::ir
