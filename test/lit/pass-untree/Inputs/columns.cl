__kernel void columns(__global const float* a, __global float* y, int n, int w) {
  __local float parts[64];
  int column = get_group_id(0), t = get_local_id(0);
  float sum = 0;
  for (int i = t; i < n; i += get_local_size(0)) sum += a[i * w + column];
  parts[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = get_local_size(0) / 2; h > 0; h /= 2) {
    if (t < h) parts[t] += parts[t + h];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) y[column] = parts[0];
}
