// Conditional compilation, include guards and macros around, not inside, kernel bodies; block and line comments inside.
#ifndef CONDITIONAL_COMPILATION_CU
#define CONDITIONAL_COMPILATION_CU

#if defined(USE_DOUBLE)
typedef double real;
#else
typedef float real;
#endif

#ifdef NEVER_DEFINED
__global__ void inactive(real* x) { x[0] = asm_please; }
#endif

#define KERNEL extern "C" __global__ void
#define REAL(x) ((real)(x))

KERNEL smooth(real* x, const real* y, int n) {
  // the left and right neighbours, clamped
  int i = blockIdx.x * blockDim.x + threadIdx.x; /* global id */
  if (i < n) {
    int l = i > 0 ? i - 1 : 0;      // left
    int r = i < n - 1 ? i + 1 : i;  // right
    /* weights sum
       to one */
    x[i] = REAL(0.25) * y[l] + REAL(0.5) * y[i] + REAL(0.25) * y[r];
  }
}

#undef REAL
#define REAL(x) x
#endif
