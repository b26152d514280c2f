// Threads with long loops of constant length: what is tried of a kernel is counted in instructions, over all of its threads, and what is too much for that is left alone
// with the reason. Lengths of arrays that were found until then are no ground for findings.
// RUN: %hone opt %s -o %t.cu 2>&1 | FileCheck %s
// CHECK-NOT: finding
// CHECK: kernel `farthest`: left as it is: its threads run for too long to be tried here
// CHECK: kernel `endless`: left as it is: no end in sight after 3000000 instructions of a warp, so that the lengths of arrays are not known; none of its numbers is a size that could be smaller
// Few of the 64 blocks are enough to compare kernels whose blocks run for long.
// CHECK: kernel `few`: {{estimated|left as it is: (at the guessed .*: )?(good already|all that is estimated)}}
__global__ void farthest(const float* a, const float* b, float* most) {
  int i = threadIdx.x + 256 * blockIdx.x;
  float best = 0;
  for (int j = 0; j < 16384; ++j) {
    float sum = 0;
    for (int d = 0; d < 128; ++d) sum += a[i * 128 + d] * b[j * 128 + d];
    if (sum > best) best = sum;
  }
  most[i] = best;
}

__global__ void endless(float* a) {
  int i = threadIdx.x;
  for (int j = 0; j < 100000000; ++j) a[i + (j & 1023)] = j;
}

__global__ void few(const float* a, float* out) {
  int i = threadIdx.x + 64 * blockIdx.x;
  float sum = 0;
  for (int j = 0; j < 30000; ++j) sum += a[i + j % 7 * 4096] * 0.5f;
  out[i] = sum;
}

void run(float* a, float* b, float* c) {
  farthest<<<64, 256>>>(a, b, c);
  endless<<<1, 32>>>(a);
  few<<<64, 64>>>(a, c);
}
