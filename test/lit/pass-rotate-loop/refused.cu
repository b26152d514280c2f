// Reasons for which rotate-loop leaves a kernel alone.
// RUN: %hone opt %s --recipe rotate-loop --reassociate 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'rotate-loop(L4)' --kernel searches 2>&1 >/dev/null | FileCheck --check-prefix=NOLOOP %s
// RUN: %hone opt %s --recipe 'rotate-loop(L1, L2)' --kernel searches 2>&1 >/dev/null | FileCheck --check-prefix=TWO %s
// NOLOOP: kernel `searches`: left alone: there is no loop L4 (there are L1)
// TWO: kernel `searches`: left alone: rotate-loop turns one loop at a time

// CHECK: kernel `plain`: left alone: it has no loop
__global__ void plain(float* y) { y[threadIdx.x] = 1; }

// CHECK: refused.cu:[[@LINE+3]]: kernel `searches`: left alone: L1 is no loop that counts
__global__ void searches(const int* next, int* y) {
  int at = threadIdx.x;
  while (next[at] != at) at = next[at];
  y[threadIdx.x] = at;
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `two_heads`: left alone: the head of L1 does more than count
__global__ void two_heads(const float* a, float* y, int n) {
  float sum = 0;
  for (int i = 0, j = n; i < n; ++i, --j) sum += a[i] * a[j];
  y[threadIdx.x] = sum;
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `ends`: left alone: L1 may end early
__global__ void ends(const float* a, float* y, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a[i];
    if (a[i] < 0) break;
  }
  y[threadIdx.x] = sum;
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `horner`: left alone: L1 carries sum from iteration to iteration
__global__ void horner(const float* a, float* y, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 0.5f + a[i];
  y[threadIdx.x] = sum;
}

// CHECK: refused.cu:[[@LINE+4]]: kernel `looks`: left alone: L1 uses sum before the sum is complete
__global__ void looks(const float* a, float* y, int n) {
  float sum = 0, most = 0;
  for (int i = 0; i < n; ++i) {
    sum += a[i];
    most = fmaxf(most, sum);
  }
  y[threadIdx.x] = most;
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `calls`: left alone: L1 calls atomic_add, which does more than compute a value
__global__ void calls(const int* a, int* y, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a[i];
    atomicAdd(&y[a[i] & 7], 1);
  }
  y[threadIdx.x] = sum;
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `in_memory`: left alone: L1 stores to y; put promote before it where that is a sum
__global__ void in_memory(const float* a, float* y, int n) {
  int t = threadIdx.x;
  for (int i = 0; i < n; ++i) y[t] += a[i];
}

// CHECK: refused.cu:[[@LINE+6]]: kernel `somewhere`: left alone: p#1 stores to memory that is not known
__global__ void somewhere(const float* a, float** where, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a[i];
    float* p = where[i];
    p[0] = a[i];
  }
  where[0][1] = sum;
}

// CHECK: refused.cu:[[@LINE+6]]: kernel `keeps`: left alone: L1 carries s from iteration to iteration
__global__ void keeps(const float* a, float* y, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    s[t + (i & 1) * 64] = a[i * 64 + t];
    __syncthreads();
    sum += s[63 - t];
    __syncthreads();
  }
  y[t] = sum;
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `nothing`: left alone: L1 sums up nothing
__global__ void nothing(float* y, int n) {
  float last[4];
  for (int i = 0; i < n; ++i) {
  }
  y[threadIdx.x] = 0;
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `down`: left alone: L1 does not count by a number, or its iterations could be too many to count
__global__ void down(const float* a, float* y, int n, int m) {
  float sum = 0;
  for (int i = n; i > 0; i -= m) sum += a[i];
  y[threadIdx.x] = sum;
}

// CHECK: refused.cu:[[@LINE+4]]: kernel `taken`: left alone: the address of sum is taken
__global__ void taken(const float* a, float* y, int n) {
  float sum = 0;
  float* p = &sum;
  for (int i = 0; i < n; ++i) sum += a[i];
  y[threadIdx.x] = *p;
}

// CHECK: refused.cu:[[@LINE+4]]: kernel `after`: left alone: i is used outside of L1 too
__global__ void after(const float* a, float* y, int n) {
  float sum = 0;
  int i;
  for (i = 0; i < n; ++i) sum += a[i];
  y[threadIdx.x] = sum + i;
}

// A pointer that moves is where the iterations so far have brought it, whatever iteration that is.
// CHECK: refused.cu:[[@LINE+4]]: kernel `walks`: left alone: L1 carries p from iteration to iteration
__global__ void walks(const int* a, const int* b, int* y, int n) {
  const int* p = a + blockIdx.x * n;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += *p++ * b[i];
  y[threadIdx.x] = sum;
}

// CHECK: refused.cu:[[@LINE+3]]: kernel `counts`: left alone: what L1 does in an iteration does not depend on i
__global__ void counts(int* y, int n, int each) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += each;
  y[threadIdx.x] = sum;
}
