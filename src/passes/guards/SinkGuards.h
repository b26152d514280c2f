// Before: `if (g) { S1; for (uniform) { S2 } S3 }` where threads of a block differ in g. After: the loop
// stands outside, what touches memory under g by itself, arithmetic on the thread's own variables unguarded;
// so that all threads come to the loop, and to barriers, together.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "ir/Kernel.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

struct SinkOptions {
  // Statements that all threads of the block do, as they stand, whatever the guards around them say. Null:
  // barriers of the block.
  std::function<bool(const ir::StmtPtr&)> isForAll = {};
  // Loops that are to stand outside of guards. Their headers must be the same for all threads of the block,
  // which the caller has made sure of, as of every loop around a statement for all. Null: none but those.
  std::function<bool(const ir::StmtPtr&)> opens = {};
  // Loops with such headers that stand outside of guards where all they do is harmless, and under the guard
  // as a whole otherwise. Null: none.
  std::function<bool(const ir::StmtPtr&)> opensIfFree = {};
  // Ifs that all threads of the block take the same way stay where they are. Null: none does.
  std::function<bool(const ir::StmtPtr&)> isUniform = {};
  // Arrays that every thread may read at the subscripts written, active or not (a tile filled up to its
  // edges).
  std::set<const ir::Variable*> readable = {};
};

// The body of a kernel whose returns are structured already. As it was where no guard is in the way.
// Expressions that need no change keep their identity; statements keep their order. Refuses where it is not
// possible.
Result<ir::StmtPtr> sinkGuards(const ir::Kernel& kernel, const SinkOptions& options);

}  // namespace hone::passes
