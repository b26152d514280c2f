// Halos, filters and borders: elements that the original does not read are not read.
// RUN: %hone verify %s --kernel line --recipe 'block(x=64) stage' | FileCheck --check-prefix=LINE %s
// RUN: %hone verify %s --kernel star --recipe 'block(x=16, y=16) stage' | FileCheck --check-prefix=STAR %s
// RUN: %hone verify %s --kernel star --recipe 'block(x=32, y=4) stage(a)' | FileCheck --check-prefix=STAR %s
// RUN: %hone verify %s --kernel clamped --recipe 'block(x=16, y=16) stage' | FileCheck --check-prefix=CLAMPED %s
// RUN: %hone verify %s --kernel filter --recipe 'block(x=16, y=16) stage' | FileCheck --check-prefix=FILTER %s
// RUN: %hone verify %s --kernel window --set d=7 --recipe 'block(x=16, y=16) stage(depth=4)' | FileCheck --check-prefix=WINDOW %s
// RUN: %hone verify %s --kernel volume --set nx=20 --set ny=19 --set nz=23 --exact --recipe 'block(x=16, y=8) stage(depth=4)' | FileCheck --check-prefix=VOLUME %s

// LINE: kernel `line`: equal in {{[0-9]+}} runs
// LINE-NOT: the original ran
__global__ void line(const double* __restrict__ a, double* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x > 0 && x < n - 1) o[x] = 0.25 * a[x - 1] + 0.5 * a[x] + 0.25 * a[x + 1];
}

// The corners of the array are read by nobody.
// STAR: kernel `star`: equal in {{[0-9]+}} runs
// STAR-NOT: the original ran
__global__ void star(const float* __restrict__ a, float* __restrict__ o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1) return;
  o[y * w + x] = a[(y - 1) * w + x] + a[(y + 1) * w + x] + a[y * w + x - 1] + a[y * w + x + 1] - 4 * a[y * w + x];
}

// CLAMPED: kernel `clamped`: equal in {{[0-9]+}} runs
// CLAMPED-NOT: the original ran
__global__ void clamped(const unsigned char* __restrict__ a, unsigned char* __restrict__ o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    int l = max(x - 1, 0), r = min(x + 1, w - 1);
    o[y * w + x] = (a[y * w + l] + 2 * a[y * w + x] + a[y * w + r]) / 4;
  }
}

// FILTER: kernel `filter`: equal in {{[0-9]+}} runs
// FILTER-NOT: the original ran
__global__ void filter(const float* __restrict__ in, const float* __restrict__ f, float* __restrict__ out, int w,
                       int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float s = 0;
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < 5; i++) s += in[(y + j) * (w + 4) + x + i] * f[j * 5 + i];
    out[y * w + x] = s;
  }
}

// A window of a size known at run time only: strips of its inner loop.
// WINDOW: kernel `window`: equal in {{[0-9]+}} runs
__global__ void window(const float* __restrict__ in, const float* __restrict__ f, float* __restrict__ out, int w,
                       int h, int d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float s = 0;
    for (int j = 0; j < d; j++)
      for (int i = 0; i < d; i++) s += in[(y + j) * (w + d) + x + i] * f[j * d + i];
    out[y * w + x] = s;
  }
}

// VOLUME: kernel `volume`: equal
// VOLUME-NOT: the original ran
__global__ void volume(const float* __restrict__ a, float* __restrict__ o, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 1 && x < nx - 1 && y >= 1 && y < ny - 1)
    for (int z = 1; z < nz - 1; ++z)
      o[(z * ny + y) * nx + x] = a[((z - 1) * ny + y) * nx + x] + a[((z + 1) * ny + y) * nx + x] +
                                 a[(z * ny + y - 1) * nx + x] + a[(z * ny + y + 1) * nx + x] +
                                 a[(z * ny + y) * nx + x - 1] + a[(z * ny + y) * nx + x + 1];
}

// RUN: %hone verify %s --kernel nine --recipe 'block(x=16, y=8) stage' | FileCheck --check-prefix=NINE %s
// Nine neighbours by themselves, not in loops.
// NINE: kernel `nine`: equal in {{[0-9]+}} runs
// NINE-NOT: the original ran
__global__ void nine(const float* __restrict__ a, float* __restrict__ o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    o[y * w + x] = 0.1f * a[(y - 1) * w + x - 1] + 0.2f * a[(y - 1) * w + x] + 0.3f * a[(y - 1) * w + x + 1] +
                   0.4f * a[y * w + x - 1] + 0.5f * a[y * w + x] + 0.6f * a[y * w + x + 1] +
                   0.7f * a[(y + 1) * w + x - 1] + 0.8f * a[(y + 1) * w + x] + 0.9f * a[(y + 1) * w + x + 1];
}
