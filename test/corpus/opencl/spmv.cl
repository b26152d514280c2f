// cl-std: CL1.2
// Sparse matrix times vector in CSR and ELL form, a group a row with a local reduction.
__kernel void csr(__global const int *ptr, __global const int *col, __global const float *val, __global const float *x, __global float *y, int rows) {
  int r = get_global_id(0);
  if (r < rows) {
    float s = 0.f;
    for (int j = ptr[r], e = ptr[r + 1]; j < e; j++)
      s = mad(val[j], x[col[j]], s);
    y[r] = s;
  }
}

__kernel void csrGroup(__global const int *ptr, __global const int *col, __global const float *val, __global const float *x, __global float *y, __local float *part) {
  int r = get_group_id(0), l = get_local_id(0), n = get_local_size(0);
  float s = 0.f;
  for (int j = ptr[r] + l; j < ptr[r + 1]; j += n)
    s += val[j] * x[col[j]];
  part[l] = s;
  for (int w = n / 2; w > 0; w /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < w)
      part[l] += part[l + w];
  }
  if (!l)
    y[r] = part[0];
}

__kernel void ell(__global const int *col, __global const float *val, __global const float *x, __global float *y, int n, int width) {
  int r = get_global_id(0);
  if (r >= n) return;
  float s = 0.f;
  for (int k = 0; k < width; ++k) {
    int c = col[k * n + r];
    if (c == -1) break;
    s += val[k * n + r] * x[c];
  }
  y[r] = s;
}
