// A variable that a pointer leads to lives as long as the pointer: each of the merged threads has its own.
// RUN: %hone verify %s --recipe 'merge-threads(x=4, how=adjacent)' | FileCheck %s
// CHECK: kernel `halves`: equal
// CHECK-NOT: NOT EQUAL
__global__ void halves(const float4* __restrict__ a, float4* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 in = a[i], out;
    float2* from = reinterpret_cast<float2*>(&in);
    float2* to = reinterpret_cast<float2*>(&out);
    for (int k = 0; k < 2; k++) to[k] = make_float2(from[k].y, from[k].x);
    b[i] = out;
  }
}
