// A block that begins its sum in the middle adds in another order: floats need permission, and no longer give the same bits; whole numbers do.
// RUN: %hone opt %s --recipe rotate-loop --kernel floats 2>&1 >/dev/null | FileCheck --check-prefix=ASKS %s
// RUN: %hone opt %s --recipe rotate-loop --kernel floats --reassociate --no-verify 2>&1 >/dev/null | FileCheck --check-prefix=TURNS %s
// RUN: %hone verify %s --recipe rotate-loop --kernel floats --reassociate | FileCheck %s
// RUN: %hone verify %s --recipe rotate-loop --kernel numbers --exact | FileCheck %s
// RUN: not %hone verify %s --kernel floats --with turned --exact | FileCheck --check-prefix=BITS %s
// RUN: %hone verify %s --kernel floats --with turned --exact --reassociate | FileCheck %s
// ASKS: kernel `floats`: left alone: the order of the sum sum would change; pass --reassociate to permit it
// TURNS: kernel `floats`: rotated L1
// CHECK: equal in
// BITS: kernel `floats`: NOT EQUAL
#pragma hone set(w=512, h=64) block(16)
__global__ void floats(const float* a, float* y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= h) return;
  float sum = 0;
  for (int j = 0; j < w; ++j) sum += a[i * w + j];
  y[i] = sum;
}

#pragma hone set(w=512, h=64) block(16)
__global__ void numbers(const int* a, int* y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= h) return;
  int sum = 0;
  for (int j = 0; j < w; ++j) sum += a[i * w + j];
  y[i] = sum;
}

// What it comes to, by hand.
__global__ void turned(const float* a, float* y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= h) return;
  float sum = 0;
  for (int j = 0; j < w; ++j) sum += a[i * w + (j + 64 * (blockIdx.x + 1)) % w];
  y[i] = sum;
}
