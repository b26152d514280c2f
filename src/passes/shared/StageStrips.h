// Loops cut into strips of iterations, with tiles loaded before each.
#pragma once

#include <set>

#include "ir/Walk.h"

namespace hone::passes {

// One loop cut into strips: what is loaded for each, and the variable that says where it begins.
struct Strip {
  ir::VarPtr start;
  ir::VarPtr iteration;  // counts from 0 where iterations are not counted by the loop's own variable
  int64_t depth = 1;
  ir::ConstantRole depthRole;
  ir::StmtList loads;
  std::string comment;
  ir::Language language = ir::Language::Cuda;
  std::set<std::pair<const ir::Stmt*, const ir::Expr*>>
      zeroBeyond;            // loads of the loop that give 0 in iterations beyond its end
  bool mayAddZeros = false;  // where such an iteration adds 0 to sums, it may as well be done
};

// A barrier around tiles. CUDA's orders all memory; in OpenCL the tiles' is enough.
ir::StmtPtr tileBarrier(ir::Language language);

// for (i = begin; i < end; ++i) body, as strips with the loads before each. Statements that all threads of a
// block must reach are added to `forAll`, the loops over a strip's iterations to `inner`.
ir::StmtList makeStrips(const ir::StmtPtr& stmt, const Strip& strip, bool isUsedAfter,
                        std::set<const ir::Stmt*>& forAll, std::set<const ir::Stmt*>& inner);

}  // namespace hone::passes
