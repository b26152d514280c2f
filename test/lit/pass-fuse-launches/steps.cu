// Steps of other forms: in place, with fewer threads from step to step, with masks, in a loop of launches, one after the other.
// RUN: %hone opt %s --recipe 'grid-sync(last=0) fuse-launches' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --recipe 'grid-sync(last=0) fuse-launches' --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'grid-sync(last=0) fuse-launches' --exact --kernel masks --set h=3 | FileCheck --check-prefix=SLOW %s
// EQUAL-COUNT-10: block 32: equal{{$}}
// SLOW: equal (conditions of the fast version do not hold here: the original ran)
#include <hone.h>

// In place: a group stores to what it loaded, once.
// CHECK-LABEL: namespace walsh_hone
// CHECK: const int a = 4 * group - 3 * low;
// CHECK-NEXT: const float u = x[a];
// CHECK: // Step 2 of 2.
// CHECK-NEXT: x[a] = x_1_0 + x_1_2;
// CHECK-NEXT: x[a + 2 * h] = x_1_0 - x_1_2;
#pragma hone set(n=64, h=4) grid(1) block(32)
__global__ void walsh(float* x, int n, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    int a = 2 * i - i % h;
    float u = x[a], v = x[a + h];
    x[a] = u + v;
    x[a + h] = u - v;
  }
  hone_grid_sync();
  if (i < n / 2) {
    int a = 2 * i - i % (2 * h);
    float u = x[a], v = x[a + 2 * h];
    x[a] = u + v;
    x[a + 2 * h] = u - v;
  }
}

// Half as many threads in each step; what is behind the elements that are stored to is loaded from memory.
// CHECK-LABEL: namespace tree_hone
// CHECK: x[group] = x_1_0 + x_1_1;
// CHECK-NOT: x[
// CHECK: namespace tree_hone
// SAID: kernel `tree`: note: {{.*}}n % 4 == 0 && n > 0 && n / 2 <= grid.x * block.x && n / 4 <= grid.x * block.x
#pragma hone set(n=64) grid(1) block(32)
__global__ void tree(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) x[i] += x[i + n / 2];
  hone_grid_sync();
  if (i < n / 4) x[i] += x[i + n / 4];
}

// Steps that write to different parts of an array, and a temporary one that is no longer needed.
// CHECK-LABEL: namespace haar_hone
// CHECK: __global__ void kernel(const float* in, float* out, int n, int groups) {
#pragma hone set(n=64) grid(1) block(32) temporary(t)
__global__ void haar(const float* in, float* t, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    t[i] = in[2 * i] + in[2 * i + 1];
    out[n / 2 + i] = in[2 * i] - in[2 * i + 1];
  }
  hone_grid_sync();
  if (i < n / 4) {
    out[i] = t[2 * i] + t[2 * i + 1];
    out[n / 4 + i] = t[2 * i] - t[2 * i + 1];
  }
}

// Masks are remainders where what they are made of is a power of two: a condition.
// SAID: kernel `masks`: note: {{.*}}(h & h - 1) == 0
#pragma hone set(n=64, h=4) grid(1) block(32)
__global__ void masks(float* x, int n, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n >> 1) {
    float* y = x + ((i << 1) - (i & (2 * h - 1)));
    float u = *y, v = y[2 * h];
    *y = fminf(u, v);
    y[2 * h] = fmaxf(u, v);
  }
  hone_grid_sync();
  if (i < n >> 1) {
    float* y = x + ((i << 1) - (i & (h - 1)));
    float u = *y, v = y[h];
    *y = fminf(u, v);
    y[h] = fmaxf(u, v);
  }
}

// A thread's own element: nothing but launches and a temporary array are saved.
// CHECK-LABEL: namespace own_hone
// CHECK: __global__ void kernel(const float* a, float* c, int n) {
// CHECK: const float b_1_0 = a[group] * 2;
// CHECK-NEXT: // Step 2 of 2.
// CHECK-NEXT: c[group] = b_1_0 + a[group];
#pragma hone set(n=64) grid(2) block(32) temporary(b)
__global__ void own(const float* a, float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2;
  hone_grid_sync();
  if (i < n) c[i] = b[i] + a[i];
}

// What each thread does may hold loops and choices, as long as they touch no memory; sums without a sign must not wrap.
// SAID: kernel `inner`: note: {{.*}}n * 2 - 3 <= 4294967295
#pragma hone set(n=64) grid(2) block(32) temporary(b)
__global__ void inner(const float* a, float* b, float* c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    float u = a[4 * i + 1], v = 1;
    for (int r = 0; r < 3; ++r) v *= u;
    if (v > 2) v = 2;
    b[i] = v;
    b[n / 2 + i] = u;
  }
  hone_grid_sync();
  if (i < n / 2) c[i] = b[2 * i] + b[2 * i + 1];
}

// In a loop of launches what the condition asks of the iteration is asked there.
// SAID: kernel `iterations`: 2 launches in one
// CHECK-LABEL: static inline void iterations_launch
// CHECK: for (int h = 1; h <
#pragma hone set(n=64) grid(1) block(32)
__global__ void iterations(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int h = 1; h < n / 2; h *= 4) {
    if (i < n / 2) {
      int a = 2 * i - i % h;
      float u = x[a], v = x[a + h];
      x[a] = u + v;
      x[a + h] = u - v;
    }
    hone_grid_sync();
    if (i < n / 2) {
      int a = 2 * i - i % (2 * h);
      float u = x[a], v = x[a + 2 * h];
      x[a] = u + v;
      x[a + 2 * h] = u - v;
    }
    hone_grid_sync();
  }
}

// Steps over three, and elements that are pairs.
#pragma hone set(n=81) grid(1) block(32) temporary(b)
__global__ void thirds(const float2* a, float2* b, float2* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 3) {
    float2 u = a[i], v = a[i + n / 3], w = a[i + n / 3 * 2];
    b[3 * i] = make_float2(u.x + v.x + w.x, u.y);
    b[3 * i + 1] = make_float2(u.x - v.x, v.y);
    b[3 * i + 2] = make_float2(u.x - w.x, w.y);
  }
  hone_grid_sync();
  if (i < n / 3) {
    float2 u = b[i], v = b[i + n / 3], w = b[i + n / 3 * 2];
    c[3 * i] = make_float2(u.x + v.x + w.x, u.y);
    c[3 * i + 1] = make_float2(u.x - v.x, v.y);
    c[3 * i + 2] = make_float2(u.x - w.x, w.y);
  }
}

// Groups of 15 elements: what steps divide by says which sizes to look at.
// SAID: kernel `fifths`: note: {{.*}}n % 15 == 0
#pragma hone set(n=60) grid(2) block(32) temporary(b)
__global__ void fifths(const float* a, float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 5) {
    float u = a[i], v = a[i + n / 5];
    b[5 * i] = u;
    b[5 * i + 1] = v;
    b[5 * i + 2] = u + v;
    b[5 * i + 3] = u - v;
    b[5 * i + 4] = u * v;
  }
  hone_grid_sync();
  if (i < n / 3) c[i] = b[i] + b[i + n / 3] * b[i + n / 3 * 2];
}

// Strides that fall from step to step, as in transforms that begin with the halves.
// SAID: kernel `falls`: note: {{.*}}h % 4 == 0 && n % (h / 4 > 0 ? h / 4 * 8 : 1) == 0 && h / 4 > 0
// CHECK-LABEL: namespace falls_hone
// CHECK: const int low = group % (h / 4);
#pragma hone set(n=64, h=8) grid(1) block(32)
__global__ void falls(float* x, int n, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    int a = 2 * i - i % h;
    float u = x[a], v = x[a + h];
    x[a] = u + v;
    x[a + h] = u - v;
  }
  hone_grid_sync();
  int next = h / 2;
  if (i < n / 2) {
    int a = 2 * i - i % next;
    float u = x[a], v = x[a + next];
    x[a] = u + v;
    x[a + next] = u - v;
  }
  hone_grid_sync();
  int last = next >> 1;
  if (i < n / 2) {
    int a = 2 * i - i % last;
    float u = x[a], v = x[a + last];
    x[a] = u + v;
    x[a + last] = u - v;
  }
}
