// Matrix product c = a * b, one work-item per element of c.
__kernel void mm(__global const float* a, __global const float* b, __global float* c, int m, int n, int k) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < n && y < m) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * n + x];
    c[y * n + x] = sum;
  }
}
