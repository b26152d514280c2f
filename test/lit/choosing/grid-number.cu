// The number of blocks follows from numbers that nobody told: they are larger in estimates, and named.
// RUN: %hone opt %s --target h200 --reassociate -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --target h200 --reassociate --set N=4096 --set C=4096 -o %t.cu 2>&1 | FileCheck --check-prefix=TOLD %s

// One row for each block of a launch in sight; the kernel itself makes no use of N.
// CHECK: kernel `rows`: {{.*(GUESSED:|at the guessed) C=[0-9]+ N=[0-9][0-9][0-9][0-9]}}
// TOLD: kernel `rows`:
// TOLD-NOT: {{GUESSED|guessed}}
__global__ void rows(float* out, const float* in, int N, int C) {
  for (int i = threadIdx.x; i < C; i += blockDim.x)
    out[blockIdx.x * C + i] = 2 * in[blockIdx.x * C + i];
}
void launch(float* out, const float* in, int N, int C) { rows<<<N, 128>>>(out, in, N, C); }
