// Threads in one: a condition that is the same for all of the merged threads is asked once, one that is not is asked for each. Conditions on data, on the id,
// and of a loop that ends at different times.
// RUN: %hone verify %s --recipe 'merge-threads(y=2)' --kernel chooses | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'merge-threads(y=2)' --kernel marks | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'merge-threads(x=2, how=adjacent)' | FileCheck %s
// RUN: %hone verify %s --recipe 'merge-threads(x=4, how=strided)' | FileCheck %s
// RUN: %hone verify %s --recipe 'merge-threads(x=2, y=4, how=strided)' --kernel searches | FileCheck --check-prefix=EQUAL %s
// EQUAL-NOT: the original ran
// EQUAL: equal in
// CHECK-NOT: the original ran
// CHECK: kernel `chooses`: equal in
// CHECK: kernel `searches`: equal in
// CHECK: kernel `marks`: equal in
// CHECK: kernel `counts`: equal in
// RUN: %hone opt %s --recipe 'merge-threads(y=2)' --kernel chooses --no-verify | FileCheck --check-prefix=TEXT %s
// TEXT: if (k > 3) {
// TEXT: for (int ry = 0; ry < kPerY; ++ry) {
// TEXT: if (a[{{.*}}] > 0
#pragma hone set(w=45, h=19, k=5) block(8, 4)
__global__ void chooses(const float* a, float* c, int w, int h, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float v = 1;
  if (k > 3) {
    if (a[y * w + x] > 0.5f)
      v += a[x];
    else
      v -= a[y];
    if (y % 2 == 0) v *= 3;
    if (x % 3 == 1) v += 7;
  }
  c[y * w + x] = v;
}

#pragma hone set(w=45, h=19, k=5) block(8, 4)
__global__ void searches(const int* a, int* c, int w, int h, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int found = -1;
  for (int i = 0; i < x + y; ++i) {
    if (a[i] == k) continue;
    if (a[i] % 7 == y % 7) {
      found = i;
      break;
    }
  }
  c[y * w + x] = found;
}

// What is assigned is the same for all, whether it is assigned is not; the loop around it is there once.
#pragma hone set(w=45, h=19, k=9) block(8, 4)
__global__ void marks(const float* a, const float* b, int* c, int w, int h, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int mark = -1;
  for (int i = 0; i < k; ++i) {
    float limit = b[i * w + x] - b[i * h + y];
    if (a[y * k + i] > a[x * k + i]) mark = i;
    if (limit > 0.25f) mark += 100;
  }
  c[y * w + x] = mark;
}

// So is what an iteration adds, but not how many iterations there are, nor which are skipped. No guard stands around the loops.
#pragma hone set(k=9) grid(2) block(32)
__global__ void counts(const float* a, const float* b, int* c, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int iterations = 0, others = 0;
  for (int i = 0; i < k; ++i) {
    if (a[x * k + i] > b[i]) break;
    iterations++;
  }
  for (int i = 0; i < k; ++i) {
    if (a[x * k + i] > 0.5f) continue;
    others++;
  }
  c[x] = 100 * iterations + others;
}
