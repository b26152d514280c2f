// About fifty lines of OpenCL C.
#define TILE 16
#define A(y, x) a[(y) * n + (x)]

float weight(float r) { return r < 1.0f ? 1.0f - r * r : 0.0f; }

__kernel void product(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float ta[TILE][TILE];
  __local float tb[TILE][TILE];
  int tx = get_local_id(0), ty = get_local_id(1);
  int x = get_group_id(0) * TILE + tx;
  int y = get_group_id(1) * TILE + ty;
  float sum = 0.0f;
  for (int t = 0; t < n; t += TILE) {
    ta[ty][tx] = y < n && t + tx < n ? A(y, t + tx) : 0.0f;
    tb[ty][tx] = x < n && t + ty < n ? b[(t + ty) * n + x] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += ta[ty][k] * tb[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (x < n && y < n) c[y * n + x] = sum;
}

__kernel void smooth(__global const float* a, __global float* out, int n, int radius) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= n || y >= n) return;
  float sum = 0.0f, total = 0.0f;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      int sx = min(max(x + dx, 0), n - 1), sy = min(max(y + dy, 0), n - 1);
      float w = weight(sqrt((float)(dx * dx + dy * dy)) / (radius + 1));
      sum += w * A(sy, sx);
      total += w;
    }
  }
  out[y * n + x] = sum / total;
}

__kernel void scale(__global float4* values, float factor, int count) {
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
    float4 v = values[i];
    v.xyzw = v.wzyx * factor;
    values[i] = v;
  }
}
