// cl-std: CL1.2
// options: -DRADIUS=2
// A two-dimensional stencil with a haloed local tile, loaded cooperatively by wrapped loops.
#define TW 16
#define TH 8
__constant float weight[2 * RADIUS + 1] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};

__kernel __attribute__((reqd_work_group_size(TW, TH, 1)))
void stencil(__global const float *in, __global float *out, int w, int h) {
  __local float tile[TH + 2 * RADIUS][TW + 2 * RADIUS];
  const int lx = get_local_id(0), ly = get_local_id(1);
  const int ox = get_group_id(0) * TW - RADIUS, oy = get_group_id(1) * TH - RADIUS;
  for (int y = ly; y < TH + 2 * RADIUS; y += TH)
    for (int x = lx; x < TW + 2 * RADIUS; x += TW)
      tile[y][x] = in[clamp(oy + y, 0, h - 1) * w + clamp(ox + x, 0, w - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int gx = get_global_id(0), gy = get_global_id(1);
  if (gx >= w || gy >= h) return;
  float s = 0.0f;
  #pragma unroll
  for (int d = -RADIUS; d <= RADIUS; ++d)
    s += weight[d + RADIUS] * (tile[ly + RADIUS + d][lx + RADIUS] + tile[ly + RADIUS][lx + RADIUS + d]);
  out[gy * w + gx] = s;
}
