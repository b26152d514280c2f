// Solves l * x = b for a lower triangular l by forward substitution, one work-item per right-hand side.
__kernel void strsm_plain(__global const float* l, __global const float* b, __global float* x, int n,
                          int sides) {
  int j = get_global_id(0);
  if (j < sides) {
    for (int i = 0; i < n; ++i) {
      float sum = b[i * sides + j];
      for (int k = 0; k < i; ++k) sum -= l[i * n + k] * x[k * sides + j];
      x[i * sides + j] = sum / l[i * n + i];
    }
  }
}
