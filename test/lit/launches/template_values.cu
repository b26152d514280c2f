// A template argument that is edited later launches the instantiation it then means, and one that hone did not see runs the original.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %hone run %s > %t.before && %hone run %t.cu > %t.after && cmp %t.before %t.after
// RUN: FileCheck --check-prefix=THREE %s < %t.after
// RUN: %hone run %t.cu --json %t.json && FileCheck --check-prefix=OURS %s < %t.json
// RUN: %hone run %t.cu -DFACTOR=5 -DREAL=double --json %t.json | FileCheck --check-prefix=FIVE %s
// RUN: FileCheck --check-prefix=THEIRS %s < %t.json
// RUN: %hone run %t.cu -DHONE_OFF > %t.off && cmp %t.before %t.off
// REMARK-DAG: kernel `times<float, 3>`: rewritten beside the original; 1 of 1 launch now calls times_launch<float, 3>
// REMARK-DAG: kernel `times<float, 2>`: rewritten beside the original; 1 of 1 launch now calls times_launch<float, 2>
// OURS-DAG: "kernel": "times_float_3_hone::kernel"
// OURS-DAG: "kernel": "times_float_2_hone::kernel"
// THEIRS-DAG: "kernel": "times<double, 5>"
// THEIRS-DAG: "kernel": "times<double, 2>"
// THREE: 4 bytes, 100 threads: 1 4 7 298 after 100
// FIVE: 8 bytes, 100 threads: 1 6 11 496 after 100
#include <cstdio>
#ifndef FACTOR
#define FACTOR 3
#define REAL float
#endif
template <typename T, int N>
__global__ void times(T* x, int n, T more = 1) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * N + more;
}
static int calls = 0;
static int blocksFor(int n) {
  calls += n;
  return (n + 31) / 32;
}
template <typename T, int N>
void launch(T* x, int n) {
  times<T, N><<<blocksFor(n), 32>>>(x, n, T(calls / 100));
}
int main() {
  REAL* x;
  const int n = 100;
  cudaMallocManaged(&x, n * sizeof(REAL));
  for (int i = 0; i < n; ++i) x[i] = i;
  launch<REAL, FACTOR>(x, n);
  cudaDeviceSynchronize();
  printf("%d bytes, %d threads: %g %g %g %g after %d\n", int(sizeof(REAL)), n, double(x[0]), double(x[1]), double(x[2]),
         double(x[n - 1]), calls);
  times<REAL, 2><<<(n + 31) / 32, 32>>>(x, n);
  cudaDeviceSynchronize();
  printf("%g\n", double(x[9]));
}
