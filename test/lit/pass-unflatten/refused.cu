// RUN: %hone opt %s --recipe unflatten --block 64 -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'unflatten(levels=2)' --kernel levels --block 64 -o - 2>&1 >/dev/null | FileCheck --check-prefix=TWO %s
// RUN: %hone opt %s --recipe 'unflatten(levels=3)' --kernel levels --block 64 -o - 2>&1 >/dev/null | FileCheck --check-prefix=THREE %s

// CHECK: kernel `strides`: left alone: it uses the size of its grid, as threads do that walk over several elements
__global__ void strides(float* a, const float* b, int n, int w) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = b[i % w];
}

// CHECK: kernel `planes`: left alone: it uses further axes of its grid than x
__global__ void planes(float* a, const float* b, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, p = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n) a[p * n + i] = b[i % w];
}

// A divisor that lies in memory.
// CHECK: kernel `loaded`: left alone: no id is taken apart by divisions of which the host knows the divisor
__global__ void loaded(float* a, const float* b, const int* w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i % w[0]];
}

// One that would stop the host where it is 0, one that threads change, an id that is cut off.
// CHECK: kernel `halves`: left alone: no id is taken apart by divisions of which the host knows the divisor
__global__ void halves(float* a, const float* b, int w, int by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i % (w / by)];
}
// CHECK: kernel `rounded`: left alone: no id is taken apart by divisions of which the host knows the divisor
__global__ void rounded(float* a, const float* b, float w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i % (unsigned)w];
}
// CHECK: kernel `changed`: left alone: no id is taken apart by divisions of which the host knows the divisor
__global__ void changed(float* a, const float* b, int w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (b[0] > 1.0f) ++w;
  if (i < n) a[i] = b[i % w];
}
// CHECK: kernel `narrow`: left alone: no id is taken apart by divisions of which the host knows the divisor
__global__ void narrow(float* a, const float* b, int w, int n) {
  unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i % w];
}

// CHECK: kernel `colours`: left alone: its rows are of 3 elements, too short for warps
__global__ void colours(float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i % 3];
}

// CHECK: kernel `levels`: rows of w ids became an axis of the grid
// TWO: kernel `levels`: left alone: its ids have one level alone
// THREE: kernel `levels`: left alone: a grid has three axes: two levels at most
__global__ void levels(float* a, const float* b, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i % w];
}

// CHECK: kernel `row`: left alone: all of its ids are one row
__global__ void row(float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i / n];
}

// CHECK: kernel `shared`: left alone: its ids are not all it knows of its place: shared variable tile at
__global__ void shared(float* a, const float* b, int n, int w) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = b[i % w];
  __syncthreads();
  if (i < n) a[i] = tile[63 - threadIdx.x];
}

// CHECK: kernel `shifted`: left alone: a coordinate is used in another way than as the flat id
__global__ void shifted(float* a, const float* b, int n, int w, int o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = threadIdx.x + (blockIdx.x * blockDim.x + o);
  if (i < n) a[j] = b[i % w];
}

void host(float* a, const float* b) { strides<<<1, 64>>>(a, b, 64, 8); }
