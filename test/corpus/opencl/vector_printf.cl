// cl-std: CL1.2
// no-cuda: sayVector printf
// printf with the vector conversions that only OpenCL has.
__kernel void sayVector(__global const float4 *v) {
  int i = get_global_id(0);
  printf("%v4f\n", v[i]);
  printf("%d: %2.2v4hlf\n", i, v[i]);
}
