// The entries of a sparse matrix are compared whatever type says where a row begins and ends: a kernel that is wrong about them is found out.
// RUN: not %hone verify %s --kernel rows --with rows_wrong -- -DOFFSET=int | FileCheck %s
// RUN: not %hone verify %s --kernel rows --with rows_wrong -- -DOFFSET=unsigned | FileCheck %s
// RUN: not %hone verify %s --kernel rows --with rows_wrong -- -DOFFSET=short | FileCheck %s
// RUN: not %hone verify %s --kernel rows --with rows_wrong -- "-DOFFSET=long long" | FileCheck %s
// RUN: not %hone verify %s --kernel rows --with rows_wrong -- -DOFFSET=size_t | FileCheck %s
// CHECK: kernel `rows`: NOT EQUAL in 7 of 7 runs

// RUN: not %hone verify %s --kernel ends --with ends_wrong -- -DOFFSET=size_t | FileCheck --check-prefix=ENDS %s
// ENDS: kernel `ends`: NOT EQUAL in 7 of 7 runs
// RUN: not %hone verify %s --kernel counts --with counts_wrong -- "-DOFFSET=long long" | FileCheck --check-prefix=COUNTS %s
// COUNTS: kernel `counts`: NOT EQUAL in 7 of 7 runs
// RUN: not %hone verify %s --kernel walks --with walks_wrong -- -DOFFSET=unsigned | FileCheck --check-prefix=WALKS %s
// WALKS: kernel `walks`: NOT EQUAL in 7 of 7 runs
#define ROWS(name, factor)                                                                          \
  __global__ void name(int n, const OFFSET *offsets, const int *col, const float *val, const float *x, float *y) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                  \
    if (i >= n) return;                                                                             \
    float sum = 0.0f;                                                                               \
    for (OFFSET k = offsets[i]; k < offsets[i + 1]; ++k) sum += val[k] * x[col[k]] * factor;        \
    y[i] = sum;                                                                                     \
  }
ROWS(rows, 1.0f)
ROWS(rows_wrong, 2.0f)

#define ENDS(name, factor)                                                                          \
  __global__ void name(int n, const OFFSET *first, const OFFSET *last, const float *val, float *y) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                  \
    if (i >= n) return;                                                                             \
    const OFFSET end = last[i];                                                                     \
    float sum = 0.0f;                                                                               \
    for (OFFSET k = first[i]; k < end; ++k) sum += val[k] * factor;                                 \
    y[i] = sum;                                                                                     \
  }
ENDS(ends, 1.0f)
ENDS(ends_wrong, 2.0f)

#define COUNTS(name, factor)                                                                        \
  __global__ void name(int n, const OFFSET *offsets, const float *val, float *y) {                  \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                  \
    if (i >= n) return;                                                                             \
    const OFFSET begin = offsets[i];                                                                \
    const OFFSET count = offsets[i + 1] - begin;                                                    \
    float sum = 0.0f;                                                                               \
    for (OFFSET k = 0; k < count; ++k) sum += val[begin + k] * factor;                              \
    y[i] = sum;                                                                                     \
  }
COUNTS(counts, 1.0f)
COUNTS(counts_wrong, 2.0f)

#define WALKS(name, factor)                                                                         \
  __global__ void name(int n, const OFFSET *first, const OFFSET *last, const float *val, float *y) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                  \
    if (i >= n) return;                                                                             \
    OFFSET k = first[i];                                                                            \
    float sum = 0.0f;                                                                               \
    while (k < last[i]) {                                                                           \
      sum += val[k] * factor;                                                                       \
      ++k;                                                                                          \
    }                                                                                               \
    y[i] = sum;                                                                                     \
  }
WALKS(walks, 1.0f)
WALKS(walks_wrong, 2.0f)
