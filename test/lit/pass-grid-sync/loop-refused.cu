// What is no sum over all threads.
// RUN: %hone opt %s --recipe 'grid-sync(how=loop)' --reassociate 2>&1 >/dev/null | FileCheck %s
#include <hone.h>
#define STEPS                                             \
  for (int s = threads / 2; s > 0; s /= 2) {              \
    hone_grid_sync();                                     \
    if (x < s) part[x] += part[x + s];                    \
  }
#define PLACE                                             \
  int x = blockIdx.x * blockDim.x + threadIdx.x;          \
  int threads = gridDim.x * blockDim.x;

// CHECK: kernel `kept`: left alone: what is left in part may be read after the launch; say otherwise with #pragma hone temporary(part)
__global__ void kept(const int* a, int* part, int* total) {
  PLACE
  part[x] = a[x];
  STEPS
  if (x == 0) total[0] = part[0];
}

// CHECK: kernel `thirds`: left alone: its grid-wide barriers do not stand in a loop of halving steps over one value of each thread
#pragma hone temporary(part)
__global__ void thirds(const int* a, int* part, int* total) {
  PLACE
  part[x] = a[x];
  for (int s = threads / 2; s > 0; s /= 3) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) total[0] = part[0];
}

// Each sum is cut off.
// CHECK: kernel `cut_off`: left alone: its grid-wide barriers do not stand in a loop of halving steps over one value of each thread
#pragma hone temporary(part)
__global__ void cut_off(const int* a, int* part, int* total) {
  PLACE
  part[x] = a[x];
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] = (unsigned char)(part[x] + part[x + s]);
  }
  if (x == 0) total[0] = part[0];
}

// What is added is cut off.
// CHECK: kernel `cut_off_before`: left alone: its grid-wide barriers do not stand in a loop of halving steps over one value of each thread
#pragma hone temporary(part)
__global__ void cut_off_before(const int* a, int* part, int* total) {
  PLACE
  part[x] = a[x];
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] = part[x] + (unsigned char)part[x + s];
  }
  if (x == 0) total[0] = part[0];
}

// The order is not that of the numbers.
// CHECK: kernel `compared_short`: left alone: its grid-wide barriers do not stand in a loop of halving steps over one value of each thread
#pragma hone temporary(part)
__global__ void compared_short(const int* a, int* part, int* total) {
  PLACE
  part[x] = a[x];
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] = max((signed char)part[x], (signed char)part[x + s]);
  }
  if (x == 0) total[0] = part[0];
}

// From 256 threads on it is another element.
// CHECK: kernel `near`: left alone: its grid-wide barriers do not stand in a loop of halving steps over one value of each thread
#pragma hone temporary(part)
__global__ void near(const int* a, int* part, int* total) {
  PLACE
  part[x] = a[x];
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[(unsigned char)(x + s)];
  }
  if (x == 0) total[0] = part[0];
}

// CHECK: kernel `stores`: left alone: threads do more than compute a value before they put it together
#pragma hone temporary(part)
__global__ void stores(int* a, int* part, int* total) {
  PLACE
  a[x] += 1;
  part[x] = a[x];
  STEPS
  if (x == 0) total[0] = part[0];
}

// CHECK: kernel `others`: left alone: behind its halving steps other threads than the first one have work
#pragma hone temporary(part)
__global__ void others(const int* a, int* part, int* total) {
  PLACE
  part[x] = a[x];
  STEPS
  if (x < 2) total[x] = part[0];
}

// CHECK: kernel `more`: left alone: behind its halving steps more of part is used than the sum
#pragma hone temporary(part)
__global__ void more(const int* a, int* part, int* total) {
  PLACE
  part[x] = a[x];
  STEPS
  if (x == 0) total[0] = part[0] + part[1];
}

// CHECK: kernel `shape`: left alone: it asks for the shape of its grid or block otherwise than for the number of threads
#pragma hone temporary(part)
__global__ void shape(const int* a, int* part, int* total) {
  PLACE
  part[x] = a[x];
  STEPS
  if (x == 0) total[0] = part[0] / gridDim.x;
}

// CHECK: kernel `by_block`: left alone: its threads are known by more than their place in the grid
#pragma hone temporary(part)
__global__ void by_block(const int* a, int* part, int* total) {
  PLACE
  part[x] = a[x] * blockIdx.x;
  STEPS
  if (x == 0) total[0] = part[0];
}

// CHECK: kernel `largest`: left alone: the values of its threads have no neutral one to begin with
#pragma hone temporary(part)
__global__ void largest(const int* a, int* part, int* total) {
  PLACE
  part[x] = a[x];
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] = max(part[x], part[x + s]);
  }
  if (x == 0) total[0] = part[0];
}

// CHECK: kernel `carries`: left alone: v is used before and behind the halving steps
#pragma hone temporary(part)
__global__ void carries(const int* a, int* part, int* total) {
  PLACE
  int v = a[x];
  part[x] = v * 2;
  STEPS
  if (x == 0) total[0] = part[0] - v;
}

// CHECK: kernel `products`: left alone: its threads sum up otherwise than its halving steps do
#pragma hone temporary(part)
__global__ void products(const int* a, int* part, int* total, int n) {
  PLACE
  int sum = 0;
  for (int i = x; i < n; i += threads) sum *= a[i];
  part[x] = sum;
  STEPS
  if (x == 0) total[0] = part[0];
}

// CHECK: kernel `flags`: left alone: part holds no plain numbers
#pragma hone temporary(part)
__global__ void flags(const int* a, volatile int* part, int* total) {
  PLACE
  part[x] = a[x];
  STEPS
  if (x == 0) total[0] = part[0];
}
