// Which elements exist is asked with sums that the kernel did not compute: in 64 bits where 32 may not do.
// RUN: %hone opt %s --recipe stage --no-verify --block 64 -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --kernel later --recipe stage --block 64 --set n=200 --set m=2147483600 | FileCheck --check-prefix=SAME %s
// SAME: equal in {{[0-9]+}} runs

// CHECK: in_tile[e] = m + 99ll >= 0ll && in_at - 3 <= n
// CHECK: in_at <= (long long)n + m + 98ll
__global__ void later(float* out, const float* in, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0;
    for (int t = 0; t < 5; ++t)
      if (t - m < 100) s += in[i + t];
    out[i] = s;
  }
}

// CHECK: base + (long long)grid.x * 64 <= 2147483644
__global__ void unsignedStart(float* out, const float* __restrict__ in, unsigned n, unsigned base) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0;
    for (int t = 0; t < 5; ++t) s += in[base + i + t];
    out[i] = s;
  }
}
