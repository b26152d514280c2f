// cl-std: CL1.2
// expect-refused: gray 5 image
// Images and samplers.
__constant sampler_t smp = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void gray(__read_only image2d_t in, __write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 c = read_imagef(in, smp, p);
  write_imagef(out, p, (float4)(c.x + c.y + c.z) / 3.0f);
}
