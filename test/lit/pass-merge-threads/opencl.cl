// Global ids, groups and local memory of OpenCL.
// RUN: %hone verify %s --recipe 'merge-threads(x=2, y=2)'
// RUN: %hone verify %s --recipe 'merge-threads(x=4, how=strided)'
// RUN: %hone verify %s --recipe 'merge-threads(x=2, how=adjacent)'
// RUN: %hone verify %s --recipe 'merge-blocks(x=2)'
// RUN: %hone verify %s --recipe 'merge-blocks(x=2) merge-threads(y=2)'

#pragma hone set(w=37) grid(3, 3) block(16, 16)
__kernel void product(__global const float* a, __global const float* b, __global float* c, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < w) {
    float sum = 0;
    for (int i = 0; i < w; ++i) sum += a[y * w + i] * b[i * w + x];
    c[y * w + x] = sum;
  }
}

#pragma hone set(n=300) grid(7) block(64)
__kernel void groupSums(__global const int* in, __global int* sums, int n) {
  __local int part[64];
  size_t i = get_global_id(0);
  part[get_local_id(0)] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 32; s > 0; s >>= 1) {
    if (get_local_id(0) < s) part[get_local_id(0)] += part[get_local_id(0) + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (get_local_id(0) == 0) sums[get_group_id(0)] = part[0];
}

#pragma hone set(n=1001) grid(5) block(32)
__kernel void steps(__global const short* in, __global short* out, int n) {
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] + i;
}
