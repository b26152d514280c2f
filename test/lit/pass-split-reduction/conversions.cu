// Sums and extrema whose values are converted on the way: parts of them may be put together only where that leaves order and sum what they are.
// RUN: %hone opt %s --recipe split-reduction --reassociate --set rows=5 --set n=70 -o %t.cu 2>&1 | FileCheck %s
// RUN: %clang_cuda_ptx %t.cu

// CHECK-DAG: kernel `unsignedOrder`: left alone: L1 carries best from iteration to iteration
__global__ void unsignedOrder(const int* a, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int best = 0;
  for (int k = 0; k < n; ++k) {
    int x = a[r * n + k];
    if ((unsigned)x > (unsigned)best) best = x;
  }
  y[r] = best;
}

// CHECK-DAG: kernel `unsignedCall`: left alone: L1 carries best from iteration to iteration
__global__ void unsignedCall(const int* a, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int best = 0;
  for (int k = 0; k < n; ++k) best = max((unsigned)a[r * n + k], (unsigned)best);
  y[r] = best;
}

// CHECK-DAG: kernel `comparedShort`: left alone: L1 carries best from iteration to iteration
__global__ void comparedShort(const int* a, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int best = 0;
  for (int k = 0; k < n; ++k) {
    int x = a[r * n + k] * 77;
    if ((signed char)x > best) best = x;
  }
  y[r] = best;
}

// Floats take neighbouring integers for one.
// CHECK-DAG: kernel `comparedRounded`: left alone: L1 carries best from iteration to iteration
__global__ void comparedRounded(const int* a, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int best = 0;
  for (int k = 0; k < n; ++k) {
    int x = a[r * n + k];
    best = (float)x > (float)best ? x : best;
  }
  y[r] = best;
}

// CHECK-DAG: kernel `cutOff`: left alone: L1 carries sum from iteration to iteration
__global__ void cutOff(const int* a, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum = (unsigned char)(sum + a[r * n + k]);
  y[r] = sum;
}

// CHECK-DAG: kernel `cutOffBefore`: left alone: L1 carries sum from iteration to iteration
__global__ void cutOffBefore(const int* a, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum = (signed char)sum + a[r * n + k];
  y[r] = sum;
}

// CHECK-DAG: kernel `wholeNumbers`: left alone: L1 carries sum from iteration to iteration
__global__ void wholeNumbers(const float* a, float* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum = (int)(sum + a[r * n + k]);
  y[r] = sum;
}

// CHECK-DAG: kernel `oddBits`: left alone: L1 carries odd from iteration to iteration
__global__ void oddBits(const int* a, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  bool odd = false;
  for (int k = 0; k < n; ++k) odd ^= a[r * n + k];
  y[r] = odd;
}

// CHECK-DAG: kernel `backToFalse`: left alone: L1 carries any from iteration to iteration
__global__ void backToFalse(const int* a, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  bool any = false;
  for (int k = 0; k < n; ++k) any += a[r * n + k];
  y[r] = any;
}

// What it holds before may be 2, and becomes 1.
// CHECK-DAG: kernel `truthInByte`: left alone: L1 carries any from iteration to iteration
__global__ void truthInByte(const int* a, unsigned char* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  unsigned char any = y[r];
  for (int k = 0; k < n; ++k) {
    int x = a[r * n + k];
    any = any || x > 9;
  }
  y[r] = any;
}

// Once it holds nothing more is read, and there may be nothing more.
// CHECK-DAG: kernel `readsUntilFound`: left alone: L1 carries any from iteration to iteration
__global__ void readsUntilFound(const int* a, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  bool any = false;
  for (int k = 0; k < n; ++k) any = any || a[r * n + k] > 9;
  y[r] = any;
}

// CHECK-DAG: kernel `taken`: rewritten beside the original
__global__ void taken(const unsigned char* a, const short* b, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int best = 0, sum = 0;
  unsigned most = 0;
  short least = 99;
  unsigned char bytes = 1;
  bool any = false, all = true, odd = false;
  for (int k = 0; k < n; ++k) {
    unsigned char x = a[r * n + k];
    short s = b[r * n + k];
    if (x > best) best = x;
    most = max(most, (unsigned)s);
    least = min(s, least);
    sum = sum + x;
    bytes = bytes + s;
    any = any || a[r * n + k] > 200;
    all &= x | 1;
    odd ^= x > 7;
  }
  y[r] = best + most + least + sum + bytes + any + all + odd;
}
