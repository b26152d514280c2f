// Product of a transposed matrix and a vector, added to y; one work-item per element of y.
__kernel void tmv(__global const float* a, __global const float* v, __global float* y, int w, int h) {
  int x = get_global_id(0);
  if (x < w) {
    for (int i = 0; i < h; ++i) y[x] += a[i * w + x] * v[i];
  }
}
