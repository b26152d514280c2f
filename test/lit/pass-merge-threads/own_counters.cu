// A counter that stands before its loops, as in C of old, is each loop's own: the loops of merged threads then run as one.
// RUN: %hone opt %s --recipe 'merge-threads(y=2)' --kernel twice --no-verify -o %t.cu
// RUN: FileCheck --check-prefix=TWICE %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe 'merge-threads(y=2)' --kernel after --no-verify | FileCheck --check-prefix=AFTER %s
// RUN: %hone opt %s --recipe 'unroll(by=2)' --kernel nested --no-verify | FileCheck --check-prefix=NESTED %s
// RUN: %hone verify %s --recipe 'merge-threads(y=2)' | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'unroll(by=2)' --kernel nested | FileCheck --check-prefix=ALONE %s

// SAME: kernel `twice`: equal in
// SAME: kernel `after`: equal in
// SAME: kernel `nested`: equal in
// ALONE: kernel `nested`: equal in

// TWICE: namespace twice_hone
// TWICE-NOT: int k;
// TWICE: for (int k = 0; k < n; ++k) {
// TWICE: float b_reg = {{.*}}b[k * n + x]
// TWICE: for (int ry = 0;
// TWICE: for (int k = n - 1; k >= 0; --k) {
// TWICE: for (int ry = 0;
#pragma hone set(n=24) block(8, 4)
__global__ void twice(const float* a, const float* b, float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int k;
  if (x >= n || y >= n) return;
  float sum = 0;
  for (k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  for (k = n - 1; k >= 0; k--) sum -= b[k * n + x] * a[k * n + y];
  c[y * n + x] = sum;
}

// Where it is read behind the loop, it stays.
// AFTER: namespace after_hone
// AFTER: int k;
// AFTER: for (k = 0; k < n && a[{{.*}}] > 0; ++k)
// AFTER: sum + k
#pragma hone set(n=24) block(8, 4)
__global__ void after(const float* a, const float* b, float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int k;
  if (x >= n || y >= n) return;
  float sum = 0;
  for (k = 0; k < n && a[y * n + k] > 0; k++) sum += b[k * n + x];
  c[y * n + x] = sum + k;
}

// Nor is it anybody's own where an inner loop moves the outer one's counter.
// NESTED: int k;
// NESTED: for (k = 0; k < n; ++k)
// NESTED: const int i = i_next + u;
// NESTED: for (k = k + 1;
#pragma hone set(n=24) block(8, 4)
__global__ void nested(const float* a, const float* b, float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int k, i;
  if (x >= n || y >= n) return;
  float sum = 0;
  for (k = 0; k < n; k++) {
    for (i = 0; i < 4; i++) sum += a[y * n + i];
    for (k = k + 1; k < n && a[k] > 0; k++) sum += b[k * n + x];
  }
  c[y * n + x] = sum;
}
