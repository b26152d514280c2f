// Stable names for accesses ("a#2": the second access of array a in source order) and loops ("L1.2": the second loop
// inside the first). hone explain prints them and recipes may name them.
#pragma once

#include "ir/Walk.h"

namespace hone::ir {

struct LoopHandle {
  std::string name;
  StmtPtr loop;
  int parent = -1;  // index into KernelHandles::loops
};
struct AccessHandle {
  std::string name;
  Access access;
  StmtPtr stmt;                // the statement that makes it
  std::vector<int> loops;      // enclosing, outermost first
  std::vector<ExprPtr> guards; // conditions of enclosing ifs (negated in else branches)
};
struct KernelHandles {
  std::vector<LoopHandle> loops;
  std::vector<AccessHandle> accesses;
};
KernelHandles handles(const Kernel& kernel);

}  // namespace hone::ir
