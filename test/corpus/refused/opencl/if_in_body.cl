// cl-std: CL1.2
// expect-refused: inBody 7 #if
// Preprocessor conditionals inside a kernel body that a test behind the kernel would answer otherwise.
__kernel void inBody(__global float *x, __local float *l) {
  int i = get_global_id(0);
#define USE_LOCAL
#ifdef USE_LOCAL
  l[get_local_id(0)] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[i] = l[0];
#else
  x[i] = x[0];
#endif
#undef USE_LOCAL
}
