// Product of a matrix and a vector, one work-item per row.
__kernel void mv(__global const float* a, __global const float* v, __global float* y, int w, int h) {
  int x = get_global_id(0);
  if (x < h) {
    float sum = 0;
    for (int i = 0; i < w; ++i) sum += a[x * w + i] * v[i];
    y[x] = sum;
  }
}
