// cl-std: CL3.0
// OpenCL 3.0 with no optional feature: loops over a pitch, const qualifiers in every position.
kernel void transposePitch(global const float *const restrict src, global float *const restrict dst, const uint w, const uint h, const uint pitch) {
  const uint x = get_global_id(0);
  const uint y = get_global_id(1);
  local float tile[16][17];
  const uint lx = get_local_id(0), ly = get_local_id(1);
  if (x < w && y < h)
    tile[ly][lx] = src[mad24(y, pitch, x)];
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint tx = get_group_id(1) * 16 + lx;
  const uint ty = get_group_id(0) * 16 + ly;
  if (tx < h && ty < w)
    dst[ty * h + tx] = tile[lx][ly];
}
