// cl-std: CL1.2
// code-differs: say
// printf of scalars, strings and vectors.
__kernel void say(__global const float *x, __global const float4 *v, int n) {
  int i = get_global_id(0);
  if (i < n && x[i] < 0.0f)
    printf("x[%d] = %f (%5.1f%%)\n", i, x[i], 100.0f * x[i]);
  if (i == 0) {
    printf("done %s\n", "here");
    printf("%c %u %ld\n", 'c', 7u, (long)n);
  }
}
