// More reasons for which stage leaves an array where it is.
// RUN: %hone opt %s --recipe 'block(x=64) stage(a)' -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'block(x=64) stage(o)' -o - 2>&1 >/dev/null | FileCheck --check-prefix=STORE %s
// RUN: %hone opt %s --recipe 'block(x=64) stage' -o - 2>&1 >/dev/null | FileCheck --check-prefix=ANY %s
// RUN: %hone opt %s --recipe 'stage(a)' --block 64 -o - 2>&1 >/dev/null | FileCheck --check-prefix=OWN %s

#define ID int x = blockIdx.x * blockDim.x + threadIdx.x

// CHECK: :[[#@LINE+4]]: kernel `changing`: left alone: `a` is not staged: it is volatile
__global__ void changing(const volatile float* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  float s = 0;
  for (int i = 0; i < n; ++i) s += a[i];
  if (x < n) o[x] = s;
}

// STORE: :[[#@LINE+3]]: kernel `watched`: left alone: `o` is not staged: it is volatile
__global__ void watched(const float* __restrict__ a, volatile float* __restrict__ o, int n) {
  ID;
  if (x < n) o[3 * x + 1] = a[x];
}

// STORE: :[[#@LINE+4]]: kernel `somewhere`: left alone: `o` is not staged: memory that is not known is accessed: `rows[x]` is loaded from memory
__global__ void somewhere(const float* __restrict__ a, float* __restrict__ o, float* const* __restrict__ rows, int n) {
  ID;
  if (x < n) {
    o[3 * x + 1] = a[x];
    rows[x][0] = 1;
  }
}

// CHECK: :[[#@LINE+4]]: kernel `through`: left alone: `a` is not staged: rows#2 writes to memory that is not known
__global__ void through(const float* a, float** rows, int n) {
  ID;
  float s = 0;
  for (int i = 0; i < n; ++i) s += a[i];
  if (x < n) rows[x][0] = s;
}

// ANY: :[[#@LINE+4]]: kernel `sparse`: left alone: `a` is not staged: only one of 32 elements is used
__global__ void sparse(const float* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  float s = 0;
  for (int i = 0; i < n; ++i) s += a[32 * i];
  if (x < n) o[x] = s;
}

// CHECK: :[[#@LINE+3]]: kernel `squares`: left alone: `a` is not staged: what a block reads of a is no box of a size known before the launch
__global__ void squares(const float* __restrict__ a, float* __restrict__ o, int n) {
  ID;
  if (x < n) o[x] = a[x * x];
}

// CHECK: :[[#@LINE+4]]: kernel `strides`: left alone: `a` is not staged: what a block reads of a in some iterations of L1 is no box of a size known before the launch
__global__ void strides(const float* __restrict__ a, float* __restrict__ o, int n, int m) {
  ID;
  float s = 0;
  for (int i = 0; i < m; ++i) s += a[i * x];
  if (x < n) o[x] = s;
}

// CHECK: :[[#@LINE+5]]: kernel `wraps`: left alone: `a` is not staged: which elements of a are read is not known exactly: division by an unknown ((64*blockIdx.x + threadIdx.x) / m)
__global__ void wraps(const float* __restrict__ a, float* __restrict__ o, int n, int m) {
  ID;
  if (x / m == 0) {
    float s = 0;
    for (int i = 0; i < n; ++i) s += a[i];
    o[x] = s;
  }
}

// Lanes of a parameter have no name of their own in what hone writes.
// CHECK: :[[#@LINE+3]]: kernel `offset`: left alone: a subscript of a cannot be written again
__global__ void offset(const float* __restrict__ a, float* __restrict__ o, int2 from, int n) {
  ID;
  if (x < n) o[x] = a[x + from.x] + a[x + from.x + 1];
}

// CHECK: :[[#@LINE+3]]: kernel `limited`: left alone: which elements of a are read cannot be written again
__global__ void limited(const float* __restrict__ a, float* __restrict__ o, int2 size) {
  ID;
  if (x < size.x) o[x] = a[x] + a[x + 1];
}

// CHECK: :[[#@LINE+4]]: kernel `rows`: left alone: the size of a row of a cannot be written again
__global__ void rows(const float* __restrict__ a, float* __restrict__ o, int2 size, int m) {
  ID;
  float s = 0;
  for (int i = 0; i < m; ++i) s += a[x * size.x + i];
  o[x] = s;
}

__device__ float table[64][64];
// ANY: :[[#@LINE+5]]: kernel `flat`: left alone: elements of table cannot be named by its own type
__global__ void flat(float* __restrict__ o, int n) {
  ID;
  const float* p = &table[0][0];
  float s = 0;
  for (int i = 0; i < n; ++i) s += p[i];
  o[x] = s;
}

struct Rows {
  const float* a;
};
// ANY: :[[#@LINE+4]]: kernel `field`: left alone: r.a is no array with a name of its own
__global__ void field(Rows r, float* __restrict__ o, int n) {
  ID;
  float s = 0;
  for (int i = 0; i < n; ++i) s += r.a[i];
  if (x < n) o[x] = s;
}

// CHECK: :[[#@LINE+6]]: kernel `again`: left alone: barriers are needed inside a condition that differs between threads, and it stands in a while loop or a switch under such a condition
__global__ void again(const float* __restrict__ a, float* __restrict__ o, int n, int m) {
  ID;
  if (x < n) {
    float s = 0;
    int k = 0;
    while (k < m) {
      for (int i = 0; i < n; ++i) s += a[i];
      ++k;
    }
    o[x] = s;
  }
}

// CHECK: :[[#@LINE+5]]: kernel `skips`: left alone: barriers are needed inside a condition that differs between threads, and a continue stands in the way
__global__ void skips(const float* __restrict__ a, float* __restrict__ o, int n, int m) {
  ID;
  if (x < n) {
    float s = 0;
    for (int k = 0; k < m; ++k) {
      if (k == 3) continue;
      for (int i = 0; i < n; ++i) s += a[k * n + i];
    }
    o[x] = s;
  }
}

// Threads outside the condition may divide by 0.
// CHECK: :[[#@LINE+5]]: kernel `ends`: left alone: barriers are needed inside a condition that differs between threads, and the bound of the loop is not known to threads outside the condition around it
__global__ void ends(const float* __restrict__ a, float* __restrict__ o, int n, int m) {
  ID;
  if (x < n && m > 0) {
    float s = 0;
    for (int i = 0; i < n / m; ++i) s += a[i];
    o[x] = s;
  }
}

// CHECK: :[[#@LINE+5]]: kernel `begins`: left alone: barriers are needed inside a condition that differs between threads, and the start of the loop is not known to threads outside the condition around it
__global__ void begins(const float* __restrict__ a, float* __restrict__ o, int n, int m) {
  ID;
  if (x < n && m > 0) {
    float s = 0;
    for (int i = n / m; i < n; ++i) s += a[i];
    o[x] = s;
  }
}

// CHECK: :[[#@LINE+4]]: kernel `pairs`: left alone: barriers are needed inside a condition that differs between threads, and `v` cannot be declared before it has its value
__global__ void pairs(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ o, int n) {
  ID;
  if (x < n) {
    float v[2] = {b[x], b[x + 1]};
    float s = 0;
    for (int i = 0; i < n; ++i) s += a[i] * v[i & 1];
    o[x] = s;
  }
}

// OWN: :[[#@LINE+4]]: kernel `chosen`: left alone: barriers are needed inside a condition that differs between threads, and a switch stands around it
__global__ void chosen(const float* __restrict__ a, float* __restrict__ o, int n, int mode) {
  ID;
  float s = 0;
  switch (mode) {
    case 1:
      for (int i = 0; i < n; ++i) s += a[i];
      break;
    default: break;
  }
  if (x < n) o[x] = s;
}
