// RUN: %hone verify %s --recipe swap-axes --kernel columns --set w=100 --set h=37 | FileCheck --check-prefix=COLUMNS %s
// RUN: %hone verify %s --recipe swap-axes --kernel planes --set w=33 --set h=9 --set d=17 | FileCheck --check-prefix=PLANES %s
// RUN: %hone verify %s --recipe 'swap-axes(axes=xz)' --kernel planes --set w=31 --set h=9 --set d=18 | FileCheck --check-prefix=PLANES %s
// RUN: %hone verify %s --recipe swap-axes --kernel tile --set w=67 --set h=41 | FileCheck --check-prefix=TILE %s
// RUN: %hone verify %s --recipe swap-axes --kernel stride --set w=67 --set h=41 --grid 2x1 | FileCheck --check-prefix=STRIDE %s
// RUN: %hone verify %s --recipe swap-axes --kernel calls --set w=67 --set h=41 | FileCheck --check-prefix=CALLS %s
// RUN: %hone verify %s --recipe 'block(x=32,y=8) swap-axes' --kernel columns --set w=100 --set h=37 | FileCheck --check-prefix=COLUMNS %s
// RUN: %hone verify %s --recipe 'block(x=8,y=4,z=16) swap-axes(axes=xz)' --kernel planes --set w=33 --set h=9 --set d=17 | FileCheck --check-prefix=PLANES %s

// Neighbouring threads along x run down the columns.
// COLUMNS: kernel `columns`: equal in
__global__ void columns(const float* a, float* b, int w, int h) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < h && col < w) b[row * w + col] = 2.0f * a[row * w + col];
}

// PLANES: kernel `planes`: equal in
__global__ void planes(double* a, int w, int h, int d) {
  int z = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int x = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < w && y < h && z < d) a[(z * h + y) * w + x] += 1.0;
}

// Shared memory and barriers: threads keep their block, warps are made of others.
// TILE: kernel `tile`: equal in
__global__ void tile(const float* a, float* b, int w, int h) {
  __shared__ float t[16][17];
  int row = blockIdx.x * 16 + threadIdx.x, col = blockIdx.y * 16 + threadIdx.y;
  t[threadIdx.x][threadIdx.y] = row < h && col < w ? a[row * w + col] : 0.0f;
  __syncthreads();
  if (row < h && col < w) b[row * w + col] = t[threadIdx.x][threadIdx.y] + t[threadIdx.x][15 - threadIdx.y];
}

// Steps of a whole grid: the size of the grid is exchanged with its axes.
// STRIDE: kernel `stride`: equal in
__global__ void stride(float* a, int w, int h) {
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < h; row += gridDim.x * blockDim.x)
    for (int col = blockIdx.y * blockDim.y + threadIdx.y; col < w; col += gridDim.y * blockDim.y)
      a[row * w + col] *= 3.0f;
}

// The coordinates stand in a function.
// CALLS: kernel `calls`: equal in
__device__ int along(int axis) {
  return axis ? blockIdx.y * blockDim.y + threadIdx.y : blockIdx.x * blockDim.x + threadIdx.x;
}
__global__ void calls(float* a, int w, int h) {
  if (along(0) < h && along(1) < w) a[along(0) * w + along(1)] *= 3.0f;
}

int main() {
  dim3 block(16, 16);
  columns<<<dim3(3, 7), block>>>(nullptr, nullptr, 100, 37);
  tile<<<dim3(3, 5), block>>>(nullptr, nullptr, 67, 41);
  stride<<<dim3(2, 1), block>>>(nullptr, 67, 41);
  calls<<<dim3(3, 5), block>>>(nullptr, 67, 41);
  planes<<<dim3(5, 2, 5), dim3(4, 8, 8)>>>(nullptr, 33, 9, 17);
}
