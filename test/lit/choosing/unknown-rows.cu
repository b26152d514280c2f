// The threads of each block go through all of n: how many blocks there are does not follow from it.
// RUN: %hone opt %s --target h200 --offer -o %t.cu 2>&1 | FileCheck %s
// CHECK: kernel `rows`: {{.*(GUESSED:|at the guessed) .*}}gridDim.x={{[0-9][0-9][0-9]}}
__global__ void rows(float* out, const float* in, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = in[2 * blockIdx.x * n + i] + in[(2 * blockIdx.x + 1) * n + i];
}
