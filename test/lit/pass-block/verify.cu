// Blocks of another shape than the launch's: the same results at every size, and the fast version is what runs.
// RUN: %hone verify %s --kernel guarded --recipe 'block(x=32, y=4)' | FileCheck --check-prefix=GUARDED %s
// RUN: %hone verify %s --kernel guarded --recipe 'block(x=7, y=3)' | FileCheck --check-prefix=GUARDED %s
// RUN: %hone verify %s --kernel unguarded --grid 4 --block 250 --recipe 'block(x=96)' | FileCheck --check-prefix=UNGUARDED %s
// RUN: %hone verify %s --kernel strides --recipe 'block(x=96)' | FileCheck --check-prefix=STRIDES %s
// RUN: %hone verify %s --kernel early --recipe 'block(x=96)' | FileCheck --check-prefix=EARLY %s
// RUN: %hone verify %s --kernel guarded --grid 2x2 --block 16x16 --set w=40 --set h=40 --exact --recipe 'block(x=32, y=4)' | FileCheck --check-prefix=SHORT %s
// RUN: not %hone verify %s --kernel tiled --recipe 'block(x=32)' | FileCheck --check-prefix=TILED %s
// RUN: not %hone verify %s --kernel guarded --recipe 'block(x=0)' 2>&1 | FileCheck --check-prefix=ZERO %s

// GUARDED: kernel `guarded`: equal in {{[0-9]+}} runs
// GUARDED-NOT: the original ran
// A launch that does not cover all elements keeps its own threads.
// SHORT: equal (conditions of the fast version do not hold here: the original ran)
__global__ void guarded(const float* a, float* b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) b[y * w + x] = 2 * a[y * w + x];
}

// No guard of its own: the threads that come on top are kept out by a new one.
// UNGUARDED: kernel `unguarded`: equal in {{[0-9]+}} runs
// UNGUARDED-NOT: the original ran
__global__ void unguarded(const int* a, int* b) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  b[x] = a[x] + x;
}

// The stride is the number of threads of the original launch.
// STRIDES: kernel `strides`: equal in {{[0-9]+}} runs
// STRIDES-NOT: the original ran
__global__ void strides(const int* a, int* b, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i];
  b[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// EARLY: kernel `early`: equal in {{[0-9]+}} runs
// EARLY-NOT: the original ran
__global__ void early(double* a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[i] = -a[i];
}

// TILED: the recipe leaves it alone: its block shape is not free: shared variable s
__global__ void tiled(float* a) {
  __shared__ float s[32];
  s[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = s[threadIdx.x];
}

// ZERO: recipe: block: 'x' takes a number from 1 on, not '0'
