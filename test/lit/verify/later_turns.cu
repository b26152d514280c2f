// A launch in a loop of the host has other numbers in each turn: kernels that agree in the first alone are not equal.
// RUN: not %hone verify %s --kernel eliminate --with eliminate_wrong | FileCheck %s
// RUN: %hone verify %s --kernel eliminate --with eliminate | FileCheck --check-prefix=SAME %s
// RUN: not %hone verify %s --kernel shift --with shift_wrong | FileCheck --check-prefix=ONE %s
// CHECK: NOT EQUAL in
// CHECK: n=64 t=31, {{.*}}NOT EQUAL
// SAME: kernel `eliminate`: equal in
// SAME-DAG: n=64 t=31, {{.*}}: equal
// SAME-DAG: n=64 t=62, {{.*}}: equal
// ONE: NOT EQUAL in
#define ELIMINATE(name, factor)                                                        \
  __global__ void name(float* a, const float* b, int n, int t) {                       \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                     \
    if (i < n - 1 - t) a[i + t + 1] -= b[factor * t];                                  \
  }
ELIMINATE(eliminate, 1)
ELIMINATE(eliminate_wrong, 2)

void solve(float* a, float* b) {
  const int n = 64;
  for (int t = 0; t < n - 1; ++t) eliminate<<<1, 64>>>(a, b, n, t);
}

// Of what is set under a condition the text has one value of several.
#define SHIFT(name, factor)                                                            \
  __global__ void name(float* a, const float* b, int n, int by) {                      \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                     \
    if (i < n) a[i] = b[i + factor * by];                                              \
  }
SHIFT(shift, 1)
SHIFT(shift_wrong, 2)

void run(float* a, float* b, bool isNext) {
  int by = 0;
  if (isNext) by = 4;
  shift<<<4, 64>>>(a, b, 256, by);
}
