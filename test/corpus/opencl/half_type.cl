// cl-std: CL1.2
// no-cuda: halfScale vectors of 4 halves
// The half type by cl_khr_fp16: scalars and vectors, literals, conversions, math.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void halfScale(__global half *h, __global half4 *v, __global float *f, half k) {
  int i = get_global_id(0);
  half x = h[i] * k + (half)0.5f;
  h[i] = fmax(x, (half)0);
  f[i] = (float)x + convert_float(h[i]);
  v[i] = v[i] * x + convert_half4(convert_float4(v[i]));
  h[i] = (half)f[i];
}
