// Reasons for which unroll leaves a kernel alone.
// RUN: %hone opt %s --recipe unroll 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'unroll(by=full)' --kernel many 2>&1 >/dev/null | FileCheck --check-prefix=MANY %s
// RUN: %hone opt %s --recipe 'unroll(by=full)' --kernel leaves 2>&1 >/dev/null | FileCheck --check-prefix=UNKNOWN %s
// RUN: %hone opt %s --recipe 'unroll(by=1)' --kernel leaves 2>&1 >/dev/null | FileCheck --check-prefix=BY %s
// RUN: %hone opt %s --recipe 'unroll(L3)' --kernel leaves 2>&1 >/dev/null | FileCheck --check-prefix=NOLOOP %s
// RUN: %hone opt %s --recipe 'unroll(L1)' --kernel searches 2>&1 >/dev/null | FileCheck --check-prefix=WHILE %s
// MANY: kernel `many`: left alone: L1 has 1000 iterations, too many to unroll in full
// UNKNOWN: kernel `leaves`: left alone: the number of iterations of L1 is not known before the launch; give by=4
// BY: kernel `leaves`: left alone: by=1 is neither a number from 2 to 64 nor full
// NOLOOP: kernel `leaves`: left alone: there is no loop L3 (there are L1)
// WHILE: kernel `searches`: left alone: L1 is no loop that counts

// CHECK: kernel `searches`: left alone: it has no innermost loop that counts
__global__ void searches(const int* next, int* y, int n) {
  int i = threadIdx.x, at = i;
  while (next[at] != at) at = next[at];
  y[i] = at;
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `doubles`: left alone: the variable of L1 is multiplied or divided in each iteration
__global__ void doubles(float* y, int n) {
  float t = 0;
  for (int s = 1; s < n; s *= 2) t += s;
  y[threadIdx.x] = t;
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `steps`: left alone: the step of L1 is not known before the launch
__global__ void steps(float* y, int n, int step) {
  float t = 0;
  for (int s = 1; s < n; s += step) t += s;
  y[threadIdx.x] = t;
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `exactly`: left alone: L1 ends at one value only, which steps of 2 could jump over
__global__ void exactly(float* y, unsigned n) {
  float t = 0;
  for (unsigned s = 0; s != n; s += 2) t += s;
  y[threadIdx.x] = t;
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `leaves`: left alone: L1 is left by break
__global__ void leaves(float* y, const float* a, int n) {
  float t = 0;
  for (int s = 0; s < n; ++s) {
    if (a[s] < 0) break;
    t += a[s];
  }
  y[threadIdx.x] = t;
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `declares`: left alone: L1 declares shared memory, which cannot stand there twice
__global__ void declares(float* y, const float* a, int n) {
  float t = 0;
  for (int s = 0; s < n; ++s) {
    __shared__ float x[64];
    x[threadIdx.x] = a[s];
    __syncthreads();
    t += x[63 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = t;
}

__global__ void many(float* y) {
  float t = 0;
  for (int s = 0; s < 1000; ++s) t = t * 0.5f + s;
  y[threadIdx.x] = t;
}
