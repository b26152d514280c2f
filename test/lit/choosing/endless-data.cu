// How long a thread runs is a matter of data, which are made up as sizes are.
// RUN: %hone opt %s --target h200 -o %t.cu 2>&1 | FileCheck %s
// CHECK: kernel `repeats`: left as it is: its threads run for too long to be tried here; give smaller sizes with --set, or contents of arrays with --input
__global__ void repeats(const int* times, float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = a[i];
  for (long k = 0; k <= (long)times[i] * times[i] * 1000000; ++k) sum = sum * 0.5f + 1;
  a[i] = sum;
}
// CHECK: kernel `chains`: left as it is: no end in sight after {{[0-9]+}} instructions of a warp with --set n={{[0-9]+}} and contents of its arrays that are made up: give what was guessed, or --input
__global__ void chains(const int* times, float* a, int n) {
  if (blockIdx.x >= n) return;
  float sum = 0;
  for (int k = 0; k < 1 + times[blockIdx.x]; ++k)
    for (int j = 0; j < 100000 * (1 + times[k]); ++j) sum = sum * 0.5f + a[j & 31];
  a[32 * blockIdx.x + threadIdx.x] = sum;
}
void launch(const int* times, float* a, int n) {
  repeats<<<(n + 255) / 256, 256>>>(times, a, n);
  chains<<<n, 32>>>(times, a, n);
}
