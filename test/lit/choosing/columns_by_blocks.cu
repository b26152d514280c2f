// A block for each column, whose lanes read a row apart: columns side by side are proposed, and estimated to be
// faster; where lanes read side by side a warp for each row is.
// RUN: %hone opt %s --cuda-path none --kernel columns --target h200 --candidates 3 --reassociate --set n=2048 --set w=768 --block 256 --grid 768 2>&1 | FileCheck %s
// RUN: %hone opt %s --cuda-path none --kernel rows --target h200 --candidates 9 --reassociate --set n=64 --block 256 --grid 20000 2>&1 | FileCheck --check-prefix=ROWS %s
// CHECK: {{[2-9]}}.{{[0-9]+}} {{.*}} untree split-reduction(over=block, ways=
// CHECK: 1.00 {{.*}} (as it is)
__device__ float blockSum(float* sh, float s) {
  sh[threadIdx.x] = s;
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
    __syncthreads();
  }
  return sh[0];
}

__global__ void columns(const float* a, float* o, int n, int w) {
  __shared__ float sh[256];
  const float* x = a + blockIdx.x;
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[i * w];
  float all = blockSum(sh, s);
  if (threadIdx.x == 0) o[blockIdx.x] += all;
}

// ROWS: {{[2-9]}}.{{[0-9]+}} {{.*}} untree split-reduction
// ROWS: 1.00 {{.*}} (as it is)
__global__ void rows(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[blockIdx.x * n + i];
  float all = blockSum(sh, s);
  if (threadIdx.x == 0) o[blockIdx.x] = all;
}
