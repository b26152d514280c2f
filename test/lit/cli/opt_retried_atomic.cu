// How often an atomic is tried again depends on how threads meet: there is no estimate to choose by.
// RUN: %hone opt %s --cuda-path none -o %t.cu 2>&1 | FileCheck %s

// CHECK: kernel `largest`: left as it is: an atomic is tried again until it takes (line [[#@LINE+6]]); how often depends on how threads meet, which no estimate says
// CHECK-NOT: estimated
__device__ void keepLarger(unsigned long long* at, unsigned long long value) {
  unsigned long long old = 0, assumed;
  do {
    assumed = old;
    old = atomicCAS(at, assumed, value > assumed ? value : assumed);
  } while (assumed != old);
}

__global__ void largest(unsigned long long* result) {
  keepLarger(result, blockIdx.x * blockDim.x + threadIdx.x);
}
