// A sum that threads of a block put together with a barrier for each step is proposed to go by shuffles, which is
// estimated to be faster.
// RUN: %hone opt %s --cuda-path none --candidates 6 --reassociate --set n=512 --block 256 --grid 65536 2>&1 | FileCheck %s
// CHECK: 1.{{[0-9]+}} {{.*}} retree{{$}}
// CHECK: 1.00 {{.*}} (as it is)
__global__ void rows(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[blockIdx.x * n + i];
  sh[threadIdx.x] = s;
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}
