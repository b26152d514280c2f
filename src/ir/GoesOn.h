#pragma once

#include "ir/Stmt.h"

namespace hone::ir {

// Whether a loop that counts has a round where its variable has the one value and its end is the other.
inline bool goesOn(const Counted& loop, int64_t value, int64_t end) {
  switch (loop.compare) {
    case BinaryOp::Lt: return value < end;
    case BinaryOp::Le: return value <= end;
    case BinaryOp::Gt: return value > end;
    case BinaryOp::Ge: return value >= end;
    default: return value != end;
  }
}

}  // namespace hone::ir
