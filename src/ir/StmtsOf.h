#pragma once

#include "ir/Stmt.h"

namespace hone::ir {

// The statements of a block, or the one that stands without braces; none of null.
inline StmtList stmtsOf(const StmtPtr& s) {
  if (const auto* list = as<Block>(s)) return list->stmts;
  return s ? StmtList{s} : StmtList{};
}

// What may stand in the place of a block: its statements, or itself where declarations need a scope of their
// own.
inline StmtList unwrapped(const StmtPtr& block) {
  const StmtList& list = as<Block>(block)->stmts;
  for (const StmtPtr& s : list)
    if (s->is<Declare>()) return {block};
  return list;
}

}  // namespace hone::ir
