// Reasons for which promote leaves a kernel alone.
// RUN: %hone opt %s --recipe promote 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'promote(q)' --kernel waits 2>&1 >/dev/null | FileCheck --check-prefix=NOARRAY %s
// RUN: %hone opt %s --recipe 'promote(loop=L7)' --kernel waits 2>&1 >/dev/null | FileCheck --check-prefix=NOLOOP %s
// NOARRAY: kernel `waits`: left alone: there is no array or access q
// NOLOOP: kernel `waits`: left alone: there is no loop L7 (there are L1)

// CHECK: refused.cu:[[@LINE+3]]: kernel `flags`: left alone: f is volatile
__global__ void flags(volatile int* f, int n) {
  int i = threadIdx.x;
  for (int j = 0; j < n; ++j) f[i] += j;
}

// CHECK: refused.cu:[[@LINE+5]]: kernel `chosen`: left alone: the loop stands in a switch
__global__ void chosen(float* __restrict__ y, const float* __restrict__ a, int n, int mode) {
  int i = threadIdx.x;
  switch (mode) {
    case 1:
      for (int j = 0; j < n; ++j) y[i] += a[j];
      break;
    default: break;
  }
}

// CHECK: refused.cu:[[@LINE+5]]: kernel `inside`: left alone: the subscript of y#1 is worked out inside the loop
__global__ void inside(float* __restrict__ y, const float* __restrict__ a, int n) {
  int i = threadIdx.x;
  for (int j = 0; j < n; ++j) {
    int at = i + 3;
    y[at] += a[j];
  }
}

// CHECK: refused.cu:[[@LINE+4]]: kernel `ways`: left alone: y is written in several ways whose arithmetic could wrap
__global__ void ways(float* __restrict__ y, const float* __restrict__ a, unsigned n, unsigned m) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, k = i * m;
  for (unsigned j = 0; j < n; ++j) {
    y[k] += a[j];
    y[m * i] *= 0.5f;
  }
}

// CHECK: refused.cu:[[@LINE+4]]: kernel `taken`: left alone: the address of y is taken in the loop
__global__ void taken(float* __restrict__ y, float** __restrict__ where, int n) {
  int i = threadIdx.x;
  for (int j = 0; j < n; ++j) {
    y[i] += 1.0f;
    where[j] = &y[i];
  }
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `fenced`: left alone: a fence in the loop may order y with other threads
__global__ void fenced(float* __restrict__ y, int n) {
  for (int j = 0; j < n; ++j) {
    y[threadIdx.x] += 1.0f;
    __threadfence();
  }
}

// CHECK: refused.cu:[[@LINE+5]]: kernel `locked`: left alone: an atomic whose result is used in the loop may order y with other threads
__global__ void locked(float* __restrict__ y, int* __restrict__ lock, int n) {
  for (int j = 0; j < n; ++j) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    y[0] += 1.0f;
    atomicExch(lock, 0);
  }
}

// CHECK: refused.cu:[[@LINE+4]]: kernel `leaves`: left alone: the loop returns from the kernel, and y must be stored before
__global__ void leaves(float* __restrict__ y, const float* __restrict__ a, int n) {
  int i = threadIdx.x;
  for (int j = 0; j < n; ++j) {
    y[i] += a[j];
    if (a[j] > 2.0f) return;
  }
}

// CHECK: refused.cu:[[@LINE+2]]: kernel `waits`: left alone: the loop waits for go to change
__global__ void waits(const int* go, int* out) {
  while (go[0] == 0) {
  }
  out[threadIdx.x] = go[1];
}

// CHECK: refused.cu:[[@LINE+7]]: kernel `seen`: left alone: other threads may see s at the barrier in the loop ({{.*}})
__global__ void seen(float* __restrict__ y, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = 0;
  float sum = 0;
  for (int j = 0; j < n; ++j) {
    s[t] += 1.0f;
    __syncthreads();
    sum += s[63 - t];
    __syncthreads();
  }
  y[t] = sum;
}

// CHECK: refused.cu:[[@LINE+5]]: kernel `anywhere`: left alone: p#1 may touch y: {{.*}}
__global__ void anywhere(float* y, float** table, int n) {
  int i = threadIdx.x;
  for (int j = 0; j < n; ++j) {
    float* p = table[j];
    y[i] += 1.0f;
    p[j] = 0.0f;
  }
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `other`: left alone: y#2 may be the same element as y#1
__global__ void other(float* __restrict__ y, int n) {
  int i = threadIdx.x;
  for (int j = 0; j < n; ++j) y[i] += y[j];
}

// CHECK: refused.cu:[[@LINE+4]]: kernel `sometimes`: left alone: y is not touched in every iteration, so loading it before the loop could read what the original does not
__global__ void sometimes(float* __restrict__ y, const float* __restrict__ a, int n) {
  int i = threadIdx.x;
  for (int j = 0; j < n; ++j)
    if (a[j] > 0.5f) y[i] += a[j];
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `gathers`: left alone: x may alias y ({{.*}}); add __restrict__ or pass --assume-noalias
__global__ void gathers(float* y, const float* x, const int* __restrict__ at, int n) {
  int i = threadIdx.x;
  for (int j = 0; j < n; ++j) y[i] += x[at[j]];
}

// CHECK: kernel `nothing`: left alone: no loop touches one element of memory again and again
__global__ void nothing(float* y, int n) {
  for (int j = 0; j < n; ++j) y[j] = 1.0f;
}

// CHECK: refused.cu:[[@LINE+4]]: kernel `moving`: left alone: y[k] means different elements in the loop
__global__ void moving(float* __restrict__ y, const float* __restrict__ a, int n) {
  int i = threadIdx.x, k;
  for (int j = 0; j < n; ++j) {
    y[i] += a[j];
    k = i;
    y[k] *= 0.5f;
    k = i + 64;
    y[k] = a[j];
  }
}

// The element where p is above 0, a field of it elsewhere: never both, but one value for the two would hold what was not read.
// RUN: %hone opt %s --recipe 'promote(c#1)' --kernel parts --assume-noalias 2>&1 >/dev/null | FileCheck --check-prefix=PART %s
// RUN: %hone verify %s --recipe promote --kernel parts --assume-noalias --exact --set n=3 | FileCheck --check-prefix=PARTS %s
// PART: kernel `parts`: left alone: c#2 is a part of what is accessed as a whole
// PARTS: kernel `parts`: equal in
struct Part {
  float u;
  int k;
};
__global__ void parts(const float* p, Part* c, int n) {
  int x = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    if (p[x] > 0) {
      Part one;
      one.u = p[x];
      one.k = i;
      c[x] = one;
    } else {
      c[x].u = p[x] + 1;
    }
  }
}

// A call in the step of a loop with continue stays a call.
// CHECK: kernel `stepping`: left alone: the call of own cannot be inlined
__device__ int own() { return threadIdx.x + 1; }
__global__ void stepping(float* a, int n) {
  for (int i = 0; i < n; i += own()) {
    if (i % 3 == 0) continue;
    a[threadIdx.x] += i;
  }
}
