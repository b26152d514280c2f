// A loop that no compiler unrolls without being asked, and that subscripts an array of the thread's own: nvcc
// keeps the array in memory, where merging threads makes it grow out of the L1 (twelve times slower, measured).
// RUN: %hone opt %s --target h200 --diff -- -DUNROLLED= 2>&1 | FileCheck %s
// CHECK: kernel `sums`: left as it is: {{.*}}its loops subscript 128 bytes of a thread's own arrays and are so large that compilers may leave them whole
// CHECK: none of 1 kernel rewritten
// RUN: sed 's/^  UNROLLED/#pragma unroll/' %s > %t.cu && %hone opt %t.cu --target h200 --diff 2>&1 | FileCheck %s --check-prefix=ASKED
// ASKED: kernel `sums`:
// ASKED-NOT: bytes of a thread's own arrays
__global__ void sums(const double* __restrict__ d, const double* __restrict__ in, double* __restrict__ out) {
  __shared__ double s_d[16][16], s_now[16][16];
  const int i = threadIdx.x, j = threadIdx.y, e = blockIdx.x;
  double r[16];
  s_d[j][i] = d[j * 16 + i];
#pragma unroll
  for (int k = 0; k < 16; ++k) r[k] = in[((e * 16 + k) * 16 + j) * 16 + i];
  __syncthreads();
  UNROLLED
  for (int k = 0; k < 16; ++k) {
    s_now[j][i] = r[k];
    __syncthreads();
    double x = 0, y = 0, z = 0;
    for (int n = 0; n < 16; ++n) x += s_d[i][n] * s_now[j][n];
    for (int n = 0; n < 16; ++n) y += s_d[j][n] * s_now[n][i];
#pragma unroll
    for (int n = 0; n < 16; ++n) z += s_d[k][n] * r[n];
    out[((e * 16 + k) * 16 + j) * 16 + i] = x + y + z;
    __syncthreads();
  }
}

void run(const double* d, const double* in, double* out, int elements) {
  sums<<<elements, dim3(16, 16)>>>(d, in, out);
}
