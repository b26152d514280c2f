// y = alpha * x + y over any number of elements, four at a time where they are left.
__kernel void saxpy(__global const float* restrict x, __global float* restrict y, float alpha, int n) {
  int first = 4 * get_global_id(0);
  if (first + 3 < n) {
    float4 sum = alpha * vload4(0, x + first) + vload4(0, y + first);
    vstore4(sum, 0, y + first);
  } else {
    for (int i = first; i < n; ++i) y[i] = alpha * x[i] + y[i];
  }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void dot_parts(__global const float* x, __global const float* y,
                                                                        __global float* parts, int n) {
  __local float sums[64];
  int lane = get_local_id(0);
  float sum = 0.0f;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i] * y[i];
  sums[lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = 32; half_size > 0; half_size /= 2) {
    if (lane < half_size) sums[lane] += sums[lane + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) parts[get_group_id(0)] = sums[0];
}
