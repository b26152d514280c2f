__kernel void scale(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = a[i] * 2;
}
