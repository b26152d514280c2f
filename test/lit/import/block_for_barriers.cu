// A thread block object that only barriers use says nothing about the launch: the kernel stays free, and threads can be merged.
// RUN: %hone opt %s --recipe 'merge-threads(x=2)' -o %t.cu 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: %hone verify %s --kernel reverse --recipe 'merge-threads(x=2)' | FileCheck --check-prefix=SAME %s
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// CHECK: kernel `reverse`: merged 2
// CHECK: kernel `ranks`: left alone: threads exchange values in groups by
// SAME: kernel `reverse`: equal in
// TEXT-LABEL: namespace reverse_hone
// TEXT-NOT: this_thread_block
// TEXT: __syncthreads();
// TEXT-LABEL: void ranks(
__global__ void reverse(float* out, const float* in) {
  __shared__ float tile[64];
  cg::thread_block cta = cg::this_thread_block();
  tile[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  cg::sync(cta);
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void ranks(unsigned* out) {
  cg::thread_block cta = cg::this_thread_block();
  out[blockIdx.x * 64 + threadIdx.x] = cta.thread_rank();
}
