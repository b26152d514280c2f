// Names that only a using or an alias inside the body makes short are written out, since those are not printed back.
// RUN: %hone opt --recipe '' %s 2>%t | FileCheck %s
// RUN: not grep internal %t
#include <cooperative_groups.h>

namespace tools {
__device__ inline int twice(int v) { return 2 * v; }
}  // namespace tools

// CHECK-LABEL: void aliased
// CHECK: = cooperative_groups::this_thread_block();
__global__ void aliased(int* x) {
  namespace cg = cooperative_groups;
  cg::thread_block b = cg::this_thread_block();
  x[b.thread_rank()] = 1;
}

// CHECK-LABEL: void directive
// CHECK: = cooperative_groups::this_thread_block();
// CHECK: tools::twice(3)
__global__ void directive(int* x) {
  using namespace cooperative_groups;
  using tools::twice;
  thread_block b = this_thread_block();
  x[b.thread_rank()] = twice(3);
}
