// RUN: %hone opt %s --reassociate --recipe 'split-reduction(over=block, ways=256) launch-bounds' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: %hone opt %s --reassociate --recipe 'split-reduction(over=block, ways=256) launch-bounds(threads=512)' -o - --no-verify | FileCheck --check-prefix=TWO %s
// RUN: %hone verify %s --reassociate --recipe 'split-reduction(over=block, ways=256) launch-bounds' | FileCheck --check-prefix=EQUAL %s
// RUN: %hone opt %s --recipe 'launch-bounds' --no-verify -o %t2.cu 2>&1 | FileCheck --check-prefix=SHAPE %s
// RUN: %hone opt %s --recipe 'block(x=256) launch-bounds(threads=128)' --no-verify -o %t2.cu 2>&1 | FileCheck --check-prefix=LARGE %s
// RUN: %hone opt %s --recipe 'block(x=256) launch-bounds(threads=4096)' --no-verify -o %t2.cu 2>&1 | FileCheck --check-prefix=MANY %s
// RUN: %hone opt %s --recipe 'block(x=16) launch-bounds' --no-verify -o %t2.cu 2>&1 | FileCheck --check-prefix=BLOCKS %s
// RUN: %hone opt %s --recipe 'block(x=256) launch-bounds launch-bounds' --no-verify -o %t2.cu 2>&1 | FileCheck --check-prefix=TWICE %s
// SAID: registers are for 1024 threads of a multiprocessor at a time, 4 blocks
// TEXT: // recipe: split-reduction(over=block, ways=256) launch-bounds
// TEXT: Registers are for 1024 threads of a multiprocessor at a time.
// TEXT: __launch_bounds__(kThreads, 4)
// TWO: __launch_bounds__(kThreads, 2)
// EQUAL: equal in
// EQUAL-NOT: the original ran
// SHAPE: how many threads its blocks have is not a number: `block` makes it one
// LARGE: its blocks have 256 threads, more than 128
// MANY: 4096 threads are more than the 2048 of a multiprocessor of h200
// BLOCKS: 64 blocks are more than the 32 that a multiprocessor of h200 takes
// TWICE: the compiler is told so already

#pragma hone set(w=300, h=37)
__global__ void rows(const float* a, float* c, int w, int h) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < h) {
    float sum = 0;
    for (int x = 0; x < w; ++x) sum += a[y * w + x];
    c[y] = sum;
  }
}
