// RUN: %hone opt %s --kernel once --recipe split-border -o %t.cu 2>&1 | FileCheck --check-prefix=ONCE %s
// RUN: %hone opt %s --kernel loaded --recipe split-border -o %t.cu 2>&1 | FileCheck --check-prefix=ONCE %s
// RUN: %hone opt %s --kernel leaves --recipe split-border -o %t.cu 2>&1 | FileCheck --check-prefix=LEAVES %s
// RUN: %hone opt %s --kernel stepping --recipe split-border -o %t.cu 2>&1 | FileCheck --check-prefix=STEPPING %s
// ONCE: left alone: no tests are made again and again that hold for all threads but those at a border
// LEAVES: left alone: it returns early where no if can stand for that

// One test a thread: asking before would save nothing.
__global__ void once(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i];
}

// What is tested comes from memory.
__global__ void loaded(const int* at, const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 8; ++k)
    if (at[k] < n) sum += a[at[k]];
  b[i] = sum;
}

__global__ void leaves(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; ++k) {
    if (i + k >= n) return;
    b[i * 8 + k] = a[i + k];
  }
}

// A call in the step of a loop with continue stays a call.
// STEPPING: kernel `stepping`: left alone: the call of own cannot be inlined
__device__ int own() { return threadIdx.x + 1; }
__global__ void stepping(float* a, int n) {
  for (int i = 0; i < n; i += own()) {
    if (i % 3 == 0) continue;
    a[threadIdx.x] += i;
  }
}
