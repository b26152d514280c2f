// Copies of the statements that fill a tile, for another iteration or with the loaded values kept in
// registers.
#pragma once

#include "ir/Walk.h"
#include "passes/shared/FillLoop.h"

namespace hone::passes {

// Registers that hold what a thread loads of the next tile: one variable, or an array over the iterations of
// the loops around the load.
struct KeptValues {
  std::map<const ir::Stmt*, ir::VarPtr> of;  // by assignment
  unsigned count = 0;                        // of 32 bits
};
KeptValues keptValues(const FillLoop& loop, Names& names);

enum class FillMode : uint8_t {
  Fetch,   // global memory to registers; nothing else of the fill
  Commit,  // registers to the tile, in the iteration that the loop is in; or to a buffer of it
  Direct,  // global memory to a buffer of the tile
  Async    // the same by asynchronous copies where a value is just loaded
};

struct FillRequest {
  FillMode mode = FillMode::Direct;
  std::vector<std::pair<ir::VarPtr, ir::ExprPtr>> values;  // of the header's variables, for another iteration
  const KeptValues* kept = nullptr;                        // Fetch, Commit
  ir::ExprPtr buffer;                                      // Direct, Async, Commit: which one
  std::map<const ir::Variable*, ir::VarPtr> buffers;       // tile to the array of buffers
};

// Whether an asynchronous copy can do a store to a tile, or one of the arms of what it stores: 4, 8 or 16
// bytes as they are loaded.
bool isCopy(const ir::Assign& store);

ir::StmtList fillCopy(const FillLoop& loop, const FillRequest& request, Names& names);

}  // namespace hone::passes
