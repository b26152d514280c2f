// cl-std: CL1.2
// code-differs: mandel4
// Four escape-time points at once in a float4, with any() and masked updates.
__kernel void mandel4(__global int4 *out, float x0, float y0, float step, int limit) {
  int gx = get_global_id(0), gy = get_global_id(1);
  float4 cx = x0 + step * ((float4)(4 * gx) + (float4)(0, 1, 2, 3));
  float4 cy = (float4)(y0 + step * gy);
  float4 x = 0.0f, y = 0.0f;
  int4 count = 0;
  int it = 0;
  do {
    float4 x2 = x * x, y2 = y * y;
    int4 in = x2 + y2 < 4.0f;
    if (!any(in)) break;
    y = in ? 2.0f * x * y + cy : y;
    x = in ? x2 - y2 + cx : x;
    count -= in;
  } while (++it < limit);
  out[gy * get_global_size(0) + gx] = count;
}
