// What the head of a loop does besides counting, with the value that its variable has there.
// RUN: not %hone verify %s --recipe 'unroll(by=4)' --set n=24 --set h=27 --exact | FileCheck %s
// RUN: %hone opt %s --recipe 'unroll(by=4)' --kernel declares -o - 2>/dev/null | FileCheck --check-prefix=TEXT %s
// RUN: %hone opt %s --recipe 'unroll(by=4)' --kernel twice -o - 2>&1 >/dev/null | FileCheck --check-prefix=TWICE %s

// The second variable is made from the first, in two loops.
// CHECK: kernel `declares`: equal in
// TEXT: int [[NEXT:s_next[0-9]*]] = 1024;
// TEXT-NEXT: int k = x % [[NEXT]];
__global__ void declares(int* a, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int s = 1024, k = x % s; s > 0; s -= 7) sum += k * s;
  for (int s = 77, k = x % s; s > 0; s -= 3) sum = sum * 3 + k + s;
  if (x < n) a[x] = sum;
}

// CHECK: kernel `assigns`: equal in
__global__ void assigns(int* a, int n, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0, s = 5, k = 2;
  for (k = s, s = h, k += s; s > 0; --s) sum = sum * 3 + k * s;
  if (x < n) a[x] = sum + s;
}

// Before the variable is counted up and behind it.
// CHECK: kernel `steps`: equal in
__global__ void steps(const int* a, int* sums, int n, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  int sum = 0, before = 0, after = 0;
  for (int y = 0; y < h; before = before * 3 + a[y * 2], ++y, after = after * 5 + a[y]) {
    if (y % 3 == 1) continue;
    sum += before + 7 * after;
  }
  sums[x] = sum;
}

// TWICE: kernel `twice`: left alone: the head of L1 sets its variable twice
__global__ void twice(int* a, int n, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0, s, k;
  for (s = 1, k = s + x, s += k; s < h; ++s) sum += k * s;
  if (x < n) a[x] = sum;
}
