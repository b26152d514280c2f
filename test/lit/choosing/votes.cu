// Compilers leave a loop whole in which threads vote, so that unrolling it alone is worth a little.
// RUN: %hone opt %s --kernel votes 2>&1 >%t | FileCheck %s
// CHECK: recipe: unroll
__global__ void votes(const int* in, int* out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
  for (int r = 0; r < rounds; ++r) v = __any_sync(0xffffffffu, v % 7 > 3) ? v * 5 + (v >> 3) : v + r;
  out[i] = v;
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * 256 * sizeof(int));
  cudaMalloc(&out, 64 * 256 * sizeof(int));
  votes<<<64, 256>>>(in, out, 1000);
}
