// Reasons for which fuse-launches leaves launches as they are.
// RUN: %hone opt %s --recipe 'grid-sync(last=0) fuse-launches' -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'fuse-launches' --kernel steady -o - 2>&1 >/dev/null | FileCheck --check-prefix=ONE %s
// ONE: kernel `steady`: left alone: no launch follows another one
#include <hone.h>

#define ID int i = blockIdx.x * blockDim.x + threadIdx.x

// CHECK: kernel `steady`: left alone: no test says how many threads have work
__global__ void steady(float* a, float* b) {
  ID;
  a[i] = 1;
  hone_grid_sync();
  b[i] = a[i];
}

// CHECK: kernel `shaped`: left alone: threadIdx.x is used outside a global id
__global__ void shaped(float* a, float* b, int n) {
  ID;
  if (i < n) a[i] = threadIdx.x;
  hone_grid_sync();
  if (i < n) b[i] = a[i];
}

// CHECK: kernel `early`: left alone: no test says how many threads have work
__global__ void early(float* a, float* b, int n) {
  ID;
  a[i] = 1;
  if (i < n) b[i] = 1;
  hone_grid_sync();
  if (i < n) b[i] = a[i];
}

// CHECK: kernel `flat`: left alone: threads have numbers along more than x
__global__ void flat(float* a, float* b, int n) {
  ID;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n) a[i] = y;
  hone_grid_sync();
  if (i < n) b[i] = a[i];
}

// CHECK: kernel `all`: left alone: a step asks how many threads there are
__global__ void all(float* a, float* b, int n) {
  ID;
  if (i < n) a[i] = gridDim.x * blockDim.x;
  hone_grid_sync();
  if (i < n) b[i] = a[i];
}

// CHECK: kernel `depends`: left alone: memory is touched under a condition that does not tell threads apart by their number
__global__ void depends(float* a, float* b, int n) {
  ID;
  if (i < n && b[i] > 0) a[i] = 1;
  hone_grid_sync();
  if (i < n) b[i] = a[i];
}

// CHECK: kernel `between`: left alone: which threads have work is not decided by one bound of their number
__global__ void between(float* a, float* b, int n) {
  ID;
  if (i > 3 && i < n) a[i] = 1;
  hone_grid_sync();
  if (i < n) b[i] = a[i];
}

// CHECK: kernel `prints`: left alone: a step does more than compute, load and store
__global__ void prints(float* a, float* b, int n) {
  ID;
  if (i < n) {
    a[i] = 1;
    printf("%d\n", i);
  }
  hone_grid_sync();
  if (i < n) b[i] = a[i];
}

// CHECK: kernel `loops`: left alone: memory is touched in a loop or in one branch of several
__global__ void loops(float* a, float* b, int n) {
  ID;
  if (i < n) {
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum += b[4 * i + k];
    a[i] = sum;
  }
  hone_grid_sync();
  if (i < n) b[i] = a[i];
}

// CHECK: kernel `counts`: left alone: a step touches memory by other means than plain loads and stores of an array's elements
__global__ void counts(float* a, float* b, int n) {
  ID;
  if (i < n) {
    float before = atomicAdd(&a[i], 1.0f);
    b[i] = before;
  }
  hone_grid_sync();
  if (i < n) b[i] = a[i];
}

// CHECK: kernel `gathers`: left alone: a subscript of b is made of more than thread numbers and sizes
__global__ void gathers(float* a, float* b, const int* at, int n) {
  ID;
  if (i < n) a[i] = b[at[i]];
  hone_grid_sync();
  if (i < n) b[i] = a[i];
}

// CHECK: kernel `sizes`: left alone: the numbers of threads of the steps are no multiples or shares of one size
__global__ void sizes(float* a, float* b, int n, int m) {
  ID;
  if (i < n) a[i] = 1;
  hone_grid_sync();
  if (i < m) b[i] = a[i];
}

// CHECK: kernel `divisors`: left alone: thread numbers are divided by more than one size
__global__ void divisors(float* a, float* b, int n, int p, int q) {
  ID;
  if (i < n) a[i / p] = 1;
  hone_grid_sync();
  if (i < n) b[i] = a[i % q];
}

// CHECK: kernel `offset`: left alone: a subscript of a is not understood: m is not understood
__global__ void offset(float* a, float* b, int n, int m) {
  ID;
  if (i < n) a[i + m] = 1;
  hone_grid_sync();
  if (i < n) b[i] = a[i + m];
}

// CHECK: kernel `mixes`: left alone: a subscript of a is not understood: it is no sum, product or quotient
__global__ void mixes(float* a, float* b, int n) {
  ID;
  if (i < n) a[i ^ 1] = 1;
  hone_grid_sync();
  if (i < n) b[i] = a[i];
}

// What a neighbour needs another neighbour needs too, and so on.
// CHECK: kernel `stencil`: left alone: the threads that hand values to each other make no groups of at most 64 threads of a step
__global__ void stencil(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) b[i] = a[i] + a[i + 1];
  hone_grid_sync();
  if (i < n) c[i] = b[i] + b[i + 1];
}

// With as many threads as the square of a size no group has few; that takes no looking at all of them.
// CHECK: kernel `squares`: left alone: the threads that hand values to each other make no groups of at most 64 threads of a step
__global__ void squares(double* u, double* v, unsigned n) {
  ID;
  if (i < n * n) v[i % n + i / n * n] = u[i % n + i / n * n] + (i % n < n - 1 ? u[i % n + 1 + i / n * n] : 0);
  hone_grid_sync();
  if (i < n * n) u[i % n + i / n * n] = v[i % n + i / n * n] + (i % n < n - 1 ? v[i % n + 1 + i / n * n] : 0);
}

// CHECK: kernel `again`: left alone: two threads of one step write the same element of b
__global__ void again(float* a, float* b, int n) {
  ID;
  if (i < n / 2) {
    a[2 * i] = 1;
    a[2 * i + 1] = 2;
  }
  hone_grid_sync();
  if (i < n) b[i / 2] = a[i];
}

// CHECK: kernel `scatters`: left alone: threads of different groups may write the same element of c
__global__ void scatters(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) b[i] = a[i];
  hone_grid_sync();
  if (i < n) c[0] = b[i];
}

// CHECK: kernel `races`: left alone: a thread loads an element of a that another of the same step writes
__global__ void races(float* a, float* b, int n) {
  ID;
  if (i < n / 2) {
    a[2 * i] = 1;
    a[2 * i + 1] = 2;
  }
  hone_grid_sync();
  if (i < n) {
    a[i] = a[i] + 1;
    b[i] = a[i - i % 2];
  }
}

// Whether other groups write what is loaded is not known.
// CHECK: kernel `reaches`: left alone: a group of threads loads an element of b that it did not write itself before
__global__ void reaches(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) b[2 * i] = a[i];
  hone_grid_sync();
  if (i < n) c[i] = b[2 * i] + b[2 * i + 1];
}

// CHECK: kernel `elsewhere`: left alone: steps write to different elements of b, which may be of different groups
__global__ void elsewhere(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) {
    b[2 * i] = a[i];
    c[i] = a[i];
  }
  hone_grid_sync();
  if (i < n) b[i] = c[i];
}

// CHECK: kernel `forth`: left alone: a is loaded by some groups and stored by others, which run at the same time; say #pragma hone temporary(a) where nobody reads it after the launch
__global__ void forth(float* a, float* b, int n) {
  ID;
  if (i < n / 2) {
    b[i] = a[2 * i];
    b[i + n / 2] = a[2 * i + 1];
  }
  hone_grid_sync();
  if (i < n) a[i] = b[i];
}

// CHECK: kernel `forNobody`: left alone: nothing that the steps write is read after them
#pragma hone temporary(b, c)
__global__ void forNobody(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) b[i] = a[i];
  hone_grid_sync();
  if (i < n) c[i] = b[i];
}

// CHECK: kernel `before`: left alone: a may alias b; add __restrict__ or pass --assume-noalias
__global__ void before(float* a, float* b, float* c, int n) {
  ID;
  if (i < n) b[i] = a[i - 1];
  hone_grid_sync();
  if (i < n) c[i] = b[i];
}

// CHECK: kernel `wraps`: left alone: a subscript of a is not understood: unsigned numbers may wrap
__global__ void wraps(float* a, float* b, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[n - 3 - i + n] = 1;
  hone_grid_sync();
  if (i < n) b[i] = a[n - 3 - i + n];
}

// CHECK: kernel `digits`: left alone: a subscript of {{[ab]}} is not understood: a division does not follow the digits
__global__ void digits(float* a, float* b, float* c, int n, int p) {
  ID;
  if (i < n) b[i] = a[i % (p + 1)];
  hone_grid_sync();
  if (i < n) c[i] = b[i];
}

// CHECK: kernel `stepping`: left alone: the call of stride uses coordinates of the thread and cannot be inlined
__device__ int stride() { return blockIdx.x * blockDim.x + threadIdx.x + 1; }
__global__ void stepping(float* a, float* b, int n) {
  ID;
  int sum = 0;
  for (int j = 0; j < 100; j += stride()) {
    if (j % 3 == 2) continue;
    sum += j;
  }
  if (i < n) a[i] = sum;
  hone_grid_sync();
  if (i < n) b[i] = a[i];
}
