#pragma once

#include "ir/Stmt.h"

namespace hone::ir {

// The statements of a block, or the one that stands without braces; none of null.
inline StmtList stmtsOf(const StmtPtr& s) {
  if (const auto* list = as<Block>(s)) return list->stmts;
  return s ? StmtList{s} : StmtList{};
}

}  // namespace hone::ir
