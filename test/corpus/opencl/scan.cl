// cl-std: CL1.2
// Work-efficient scan with local memory given by the host, and the addition of block sums.
__kernel void scanBlock(__global const uint *in, __global uint *out, __global uint *sums, __local uint *t) {
  uint l = get_local_id(0), n = 2 * get_local_size(0), base = get_group_id(0) * n, off = 1;
  t[2 * l] = in[base + 2 * l];
  t[2 * l + 1] = in[base + 2 * l + 1];
  for (uint d = n >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) {
      uint a = off * (2 * l + 1) - 1, b = off * (2 * l + 2) - 1;
      t[b] += t[a];
    }
    off <<= 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    sums[get_group_id(0)] = t[n - 1];
    t[n - 1] = 0;
  }
  for (uint d = 1; d < n; d <<= 1) {
    off >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) {
      uint a = off * (2 * l + 1) - 1, b = off * (2 * l + 2) - 1, v = t[a];
      t[a] = t[b];
      t[b] += v;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + 2 * l] = t[2 * l];
  out[base + 2 * l + 1] = t[2 * l + 1];
}

__kernel void addSums(__global uint *out, __global const uint *sums, uint n) {
  uint g = get_global_id(0);
  if (g < n)
    out[g] += sums[g / (2 * get_local_size(0))];
}
