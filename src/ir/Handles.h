// Stable names for accesses ("a#2": the second access of array a in source order) and loops ("L1.2": the
// second loop inside the first). hone explain prints them and recipes may name them. An array is called by
// the variable subscripted (a local pointer by its own name), a pointer held in a struct by its path
// ("s.data#1").
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
  StmtPtr stmt;            // the statement that makes it
  std::vector<int> loops;  // enclosing, outermost first
  std::vector<ExprPtr>
      guards;  // conditions of enclosing ifs (negated in else branches), and of ifs before that leave
};
// Both in source order: in an assignment what the place touches, then the value; a loop's header before its
// body.
struct KernelHandles {
  std::vector<LoopHandle> loops;
  std::vector<AccessHandle> accesses;
};
KernelHandles handles(const Kernel& kernel);

}  // namespace hone::ir
