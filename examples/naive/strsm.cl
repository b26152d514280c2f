// The two kernels of a triangular solve l * x = b, block row by block row.

// b -= l * x: columns first to last of l, the rows from last on. One work-item per element of b.
#pragma hone set(first=64, last=128) grid((sides + 15) / 16, max((n - last + 15) / 16, 1)) block(16, 16)
__kernel void strsm_update(__global const float* l, __global const float* x, __global float* b, int n,
                           int sides, int first, int last) {
  int j = get_global_id(0);
  int i = get_global_id(1) + last;
  if (i < n && j < sides) {
    float sum = 0;
    for (int k = first; k < last; ++k) sum += l[i * n + k] * x[k * sides + j];
    b[i * sides + j] -= sum;
  }
}

// The block of rows first to last by forward substitution, one work-item per right-hand side.
#pragma hone set(first=64, last=128)
__kernel void strsm_solve(__global const float* l, __global const float* b, __global float* x, int n,
                          int sides, int first, int last) {
  int j = get_global_id(0);
  if (j < sides) {
    for (int i = first; i < last; ++i) {
      float sum = b[i * sides + j];
      for (int k = first; k < i; ++k) sum -= l[i * n + k] * x[k * sides + j];
      x[i * sides + j] = sum / l[i * n + i];
    }
  }
}
