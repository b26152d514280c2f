__kernel void halving(__global const int* a, __global int* o) {
  __local int sh[64];
  int t = get_local_id(0);
  sh[t] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = 32; h > 0; h >>= 1) {
    if (t < h) sh[t] += sh[t + h];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) o[get_group_id(0)] = sh[0];
}
