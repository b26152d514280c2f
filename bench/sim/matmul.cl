// A tiled matrix product: what the embedded device and Oclgrind are timed with.
#define TILE 16

__kernel void matmul(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float as[TILE][TILE];
  __local float bs[TILE][TILE];
  const int x = get_global_id(0), y = get_global_id(1);
  const int tx = get_local_id(0), ty = get_local_id(1);
  float sum = 0.0f;
  for (int t = 0; t < n; t += TILE) {
    as[ty][tx] = a[y * n + t + tx];
    bs[ty][tx] = b[(t + ty) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += as[ty][k] * bs[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}
