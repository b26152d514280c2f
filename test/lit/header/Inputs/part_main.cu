#define SCALE 3
typedef float real;
#include "part_kernels.cu"

void run(real* out, const real* in, int n) { scale<<<(n + 255) / 256, 256>>>(out, in, n); }
