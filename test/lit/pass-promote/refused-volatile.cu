// Volatile belongs to the access: by a cast or through a pointer of the kernel's own as much as by the parameter.
// RUN: %hone opt %s --recipe promote --cuda-path none -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe promote --cuda-path none --no-verify -o %t.cu
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu

// CHECK: :[[#@LINE+5]]: kernel `waits`: left alone: flag is volatile
// TEXT: if (f[0] != 0) break;
__global__ void waits(int* flag, int* b) {
  volatile int* f = flag;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < 1000; ++j) if (f[0] != 0) break;
  b[i] = i;
}

// CHECK: kernel `fetches`: left alone: flag is volatile
// TEXT: s += __ldcv(flag) + *flag;
__global__ void fetches(const int* __restrict__ flag, int* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
  for (int j = 0; j < n; ++j) {
    s += __ldcv(flag) + *flag;
  }
  b[i] = s;
}

// CHECK: kernel `spins`: left alone: {{flag is volatile|the loop waits for flag to change}}
// TEXT: while (*(volatile int*)flag == 0)
__global__ void spins(int* flag, int* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (*(volatile int*)flag == 0);
  b[i] = i;
}

// CHECK: kernel `halves`: left alone: s is volatile
// TEXT: vs[t] += vs[t + d];
__global__ void halves(const float* a, float* b) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * 64 + t];
  __syncthreads();
  volatile float* vs = s;
  if (t < 32) {
    for (int d = 32; d > 0; d /= 2) {
      vs[t] += vs[t + d];
    }
  }
  if (t == 0) b[blockIdx.x] = s[0];
}
