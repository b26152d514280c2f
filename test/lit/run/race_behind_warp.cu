// A tree without any barrier, where all data are zero: that warps race with each other is told beside the missing warp
// barrier, whose __syncwarp() would not mend it. With other data the race is an error, and told alone.
// RUN: not %hone run %s 2>&1 | FileCheck %s
// RUN: not %hone run %s -- ones 2>&1 | FileCheck %s --check-prefix=ONES
__global__ void sum(const float* in, float* out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2)
    // CHECK: race_behind_warp.cu:[[# @LINE + 4]]: warning: race in shared memory, s[32] {{.*}}; the value does not change
    // CHECK: race_behind_warp.cu:[[# @LINE + 3]]: error: missing warp barrier in shared memory, s[16] {{.*}}
    // CHECK: hone: 2 findings
    // ONES: race_behind_warp.cu:[[# @LINE + 1]]: error: race in shared memory, s[32] {{.*}}
    if (t < d) s[t] += s[t + d];
  // ONES: hone: 1 finding
  if (t == 0) *out = s[0];
}
int main(int count, char**) {
  float *in, *out;
  cudaMallocManaged(&in, 128 * sizeof(float));
  cudaMallocManaged(&out, sizeof(float));
  for (int i = 0; i < 128; ++i) in[i] = count > 1 ? 1 : 0;
  sum<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
}
