// cl-std: CL1.2
// Local memory as kernel arguments, the size given by the host, with geometric reduction loops.
__kernel void reduceSum(__global const float *in, __global float *out, __local float *scratch, uint n) {
  uint gid = get_global_id(0), lid = get_local_id(0);
  scratch[lid] = gid < n ? in[gid] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) >> 1; s > 0; s >>= 1) {
    if (lid < s)
      scratch[lid] += scratch[lid + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0)
    out[get_group_id(0)] = scratch[0];
}

__kernel void twoLocals(__global int *data, local int *keys, local ushort *ranks) {
  const size_t l = get_local_id(0), n = get_local_size(0);
  keys[l] = data[get_global_id(0)];
  ranks[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (size_t k = 0; k < n; ++k)
    if (keys[k] < keys[l] || (keys[k] == keys[l] && k < l))
      ranks[l]++;
  data[get_group_id(0) * n + ranks[l]] = keys[l];
}
