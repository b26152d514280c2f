// Transposes a matrix, one work-item per element.
__kernel void tp(__global const float* a, __global float* b, int w, int h) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < w && y < h) b[x * h + y] = a[y * w + x];
}
