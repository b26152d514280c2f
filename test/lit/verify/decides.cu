// Data and numbers that decide what is executed are tried both ways: each wrong kernel differs in one branch alone.
// RUN: not %hone verify %s --kernel flag --with flag_wrong | FileCheck %s
// RUN: not %hone verify %s --kernel mode --with mode_wrong | FileCheck %s
// RUN: not %hone verify %s --kernel option --with option_wrong | FileCheck %s
// RUN: not %hone verify %s --kernel above --with above_wrong | FileCheck %s
// RUN: not %hone verify %s --kernel far --with far_wrong | FileCheck %s
// CHECK: NOT EQUAL in
// RUN: %hone verify %s --kernel mode --with mode | FileCheck --check-prefix=SAME %s
// SAME: kernel `mode`: equal in
// SAME-NOT: no run came to
#define FLAG(name, factor)                                                             \
  __global__ void name(const int* done, const float* a, float* b, int n) {             \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                     \
    if (*done) return;                                                                 \
    if (i < n) b[i] = a[i] * factor;                                                   \
  }
FLAG(flag, 1.0f)
FLAG(flag_wrong, 2.0f)

#define MODE(name, factor)                                                             \
  __global__ void name(const float* a, float* b, int mode, int n) {                    \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                     \
    if (i >= n) return;                                                                \
    switch (mode) {                                                                    \
      case 2: b[i] = a[i]; break;                                                      \
      case 17: b[i] = a[i] * factor; break;                                            \
      default: b[i] = 0.0f;                                                            \
    }                                                                                  \
  }
MODE(mode, 3.0f)
MODE(mode_wrong, 4.0f)

#define OPTION(name, factor)                                                           \
  __global__ void name(const float* a, float* b, bool twice, int n) {                  \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                     \
    if (i >= n) return;                                                                \
    if (!twice)                                                                        \
      b[i] = a[i] * factor;                                                            \
    else                                                                               \
      b[i] = a[i] * 2.0f;                                                              \
  }
OPTION(option, 1.0f)
OPTION(option_wrong, 3.0f)

#define ABOVE(name, factor)                                                            \
  __global__ void name(const float* a, float* b, float p, float q, float r, float threshold, int n) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                     \
    if (i >= n) return;                                                                \
    b[i] = p + q * r;                                                                  \
    if (a[i] > threshold) b[i] = a[i] * factor;                                        \
  }
ABOVE(above, 1.0f)
ABOVE(above_wrong, 3.0f)

// Only with many elements.
#define FAR(name, factor)                                                              \
  __global__ void name(const float* a, float* b, int n) {                              \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                     \
    if (i >= n) return;                                                                \
    b[i] = a[i];                                                                       \
    if (i > 5000) b[i] = a[i] * factor;                                                \
  }
FAR(far, 2.0f)
FAR(far_wrong, 3.0f)
