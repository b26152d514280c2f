// Sums of columns, added to y.
__kernel void columns(__global const float* a, __global float* y, int w, int h) {
  int x = get_global_id(0);
  if (x < w) {
    for (int i = 0; i < h; ++i) y[x] += a[i * w + x];
  }
}
