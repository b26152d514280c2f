// Rank-one update c += a * b^T of a matrix, one work-item per element of c.
__kernel void vv(__global const float* a, __global const float* b, __global float* c, int w, int h) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < w && y < h) c[y * w + x] += a[y] * b[x];
}
