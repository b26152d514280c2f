// What is loaded and stored as it is goes through no array; what is worked on does. Arrays that are not
// aligned are left to the original, without a kernel for them.
// RUN: %hone opt %s --recipe 'vectorize(threads=4)' -o - 2>/dev/null | FileCheck %s

// CHECK: {{^}}__global__ {{.*}}void kernel(
// CHECK-NOT: _part
// CHECK: const float4 in_four = *(const float4*)(in + {{.*}});
// CHECK-NEXT: *(float4*)(out + {{.*}}) = in_four;
// CHECK-NEXT: {{^}}  }
// CHECK-NOT: __global__
// CHECK: if (enabled && covered && aligned) {
__global__ void copy(float* __restrict__ out, const float* __restrict__ in, int n) {
  for (int i = 0; i < 4; i += 2) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[x + i * n] = in[x + i * n];
  }
}

// CHECK: {{^}}__global__ {{.*}}void kernel(
// CHECK: const float4 in_four = *(const float4*)(in + {{.*}});
// CHECK-NEXT: float in_part[4] = {in_four.x, in_four.y, in_four.z, in_four.w};
__global__ void scaled(float* __restrict__ out, const float* __restrict__ in, int n) {
  for (int i = 0; i < 4; i += 2) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[x + i * n] = in[x + i * n] * 2;
  }
}
