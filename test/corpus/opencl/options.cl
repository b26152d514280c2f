// cl-std: CL1.2
// options: -DN=16 -DTYPE=float -DUSE_FAST -Iinclude
// -D and -I options: sizes, types and switches that come from the command line, kernels from an included file.
#include "blas_helpers.clh"

#define DIV(a, b) (USE_FAST ? native_divide(a, b) : (a) / (b))

#ifndef STRIDE
#define STRIDE (N + 1)
#endif

__kernel void rowMeans(__global const TYPE *m, __global TYPE *mean, int rows) {
  int r = get_global_id(0);
  if (r < rows) {
    TYPE s = 0;
    for (int c = 0; c < N; ++c)
      s += m[r * STRIDE + c];
    mean[r] = DIV(s, (TYPE)N);
  }
}
