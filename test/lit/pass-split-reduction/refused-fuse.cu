// Reasons for which the greatest value and the sum of a row are not found in one walk.
// RUN: %hone opt %s --recipe 'split-reduction(fuse=1)' --reassociate --no-verify 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'split-reduction(over=grid, fuse=1)' --kernel softmax --reassociate --no-verify 2>&1 >/dev/null | FileCheck --check-prefix=GRID %s
// RUN: %hone opt %s --recipe 'split-reduction(keep=8, fuse=1)' --kernel softmax --reassociate --no-verify 2>&1 >/dev/null | FileCheck --check-prefix=KEPT %s
// RUN: %hone opt %s --recipe 'split-reduction(fuse=1)' --kernel softmax --no-verify 2>&1 >/dev/null | FileCheck --check-prefix=ORDER %s

// GRID: kernel `softmax`: left alone: fuse is for rows that several loops walk, one thread each
// KEPT: kernel `softmax`: left alone: elements that are kept are read once already; leave out fuse or keep
// ORDER: kernel `softmax`: left alone: the order of the sum sum would change; pass --reassociate to permit it
// CHECK: kernel `softmax`: L1 and L2 are one walk over the row
__global__ void softmax(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += expf(a[r * n + j] - most);
  for (int j = 0; j < n; ++j) y[r * n + j] = expf(a[r * n + j] - most) / sum;
}

// CHECK: kernel `norm`: left alone: no loop sums up with the greatest value that an earlier one found
__global__ void norm(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += expf(a[r * n + j]);
  for (int j = 0; j < n; ++j) y[r * n + j] = expf(a[r * n + j]) / sum;
}

// CHECK: refused-fuse.cu:[[@LINE+6]]: kernel `shorter`: left alone: L2 has other iterations than L1
__global__ void shorter(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  for (int j = 1; j < n; ++j) sum += expf(a[r * n + j] - most);
  y[r] = sum;
}

// CHECK: kernel `sometimes`: left alone: L1 and L2 stand in different blocks
__global__ void sometimes(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  if (r % 2 == 0)
    for (int j = 0; j < n; ++j) sum += expf(a[r * n + j] - most);
  y[r] = sum + most;
}

// CHECK: kernel `needed`: left alone: what stands between L1 and L2 needs most
__global__ void needed(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  if (most < 0) most = 0;
  for (int j = 0; j < n; ++j) sum += expf(a[r * n + j] - most);
  y[r] = sum;
}

// CHECK: kernel `stored`: left alone: something is stored between L1 and L2
__global__ void stored(const float* __restrict__ a, float* __restrict__ y, float* __restrict__ z, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  z[r] = 1;
  for (int j = 0; j < n; ++j) sum += expf(a[r * n + j] - most);
  y[r] = sum;
}

// CHECK: kernel `another`: left alone: what L1 goes by is another for L2
__global__ void another(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0, scale = 2;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j] * scale);
  scale = r;
  for (int j = 0; j < n; ++j) sum += expf(a[r * n + j] * scale - most);
  y[r] = sum;
}

// CHECK: kernel `counts`: left alone: L1 does more than find most
__global__ void counts(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0, all = 0;
  for (int j = 0; j < n; ++j) {
    most = fmaxf(most, a[r * n + j]);
    all += a[r * n + j];
  }
  for (int j = 0; j < n; ++j) sum += expf(a[r * n + j] - most);
  y[r] = sum + all;
}

// Values that not each iteration has.
// CHECK: kernel `masked`: left alone: L1 does more than find most
__global__ void masked(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j)
    if (j % 3 != 1) most = fmaxf(most, a[r * n + j]);
  for (int j = 0; j < n; ++j) sum += expf(a[r * n + j] - most);
  y[r] = sum;
}

// CHECK: kernel `given`: left alone: what most begins with is neither a number nor the first value of L1
__global__ void given(const float* __restrict__ a, float* __restrict__ y, float least, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = least, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  for (int j = 0; j < n; ++j) sum += expf(a[r * n + j] - most);
  y[r] = sum;
}

// Sums of rows that are longer than others have other starts.
// CHECK: kernel `second`: left alone: what most begins with is neither a number nor the first value of L1
__global__ void second(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = a[r * n + 1], sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  for (int j = 0; j < n; ++j) sum += expf(a[r * n + j] - most);
  y[r] = sum;
}

// CHECK: kernel `positive`: left alone: L2 does more than sum up
__global__ void positive(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  for (int j = 0; j < n; ++j)
    if (a[r * n + j] > 0) sum += expf(a[r * n + j] - most);
  y[r] = sum;
}

// No power, another value, a scale that may be below zero, a power of a power, a shift of its own.
// CHECK: kernel `linear`: left alone: sum does not fall by one factor where most rises
__global__ void linear(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  for (int j = 0; j < n; ++j) sum += a[r * n + j] - most;
  y[r] = sum;
}
// CHECK: kernel `other`: left alone: sum does not fall by one factor where most rises
__global__ void other(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  for (int j = 0; j < n; ++j) sum += expf(b[r * n + j] - most);
  y[r] = sum;
}
// CHECK: kernel `cooled`: left alone: sum does not fall by one factor where most rises
__global__ void cooled(const float* __restrict__ a, float* __restrict__ y, float heat, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  for (int j = 0; j < n; ++j) sum += expf((a[r * n + j] - most) * heat);
  y[r] = sum;
}
// CHECK: kernel `uneven`: left alone: sum does not fall by one factor where most rises
__global__ void uneven(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  for (int j = 0; j < n; ++j) sum += expf(a[r * n + j] * 2 - most);
  y[r] = sum;
}
// CHECK: kernel `squared`: left alone: sum does not fall by one factor where most rises
__global__ void squared(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  for (int j = 0; j < n; ++j) sum += expf(a[r * n + j] - most) + 1;
  y[r] = sum;
}

// CHECK: kernel `leaves`: left alone: L2 stores to y, which no later loop over the same elements replaces
__global__ void leaves(const float* __restrict__ a, float* __restrict__ y, float* __restrict__ z, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  for (int j = 0; j < n; ++j) {
    y[r * n + j] = expf(a[r * n + j] - most);
    sum += y[r * n + j];
  }
  z[r] = sum;
}

// The last loop goes over more than what was stored.
// CHECK: kernel `causal`: left alone: L2 stores to y, which no later loop over the same elements replaces
__global__ void causal(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -3.4e38f, sum = 0;
  for (int j = 0; j <= r; ++j)
    if (a[r * n + j] > most) most = a[r * n + j];
  for (int j = 0; j <= r; ++j) {
    float e = expf(a[r * n + j] - most);
    sum += e;
    y[r * n + j] = e;
  }
  for (int j = 0; j < n; ++j) y[r * n + j] = j <= r ? y[r * n + j] / sum : 0;
}

// Read elsewhere before it is replaced.
// CHECK: kernel `peeks`: left alone: L2 stores to y, which no later loop over the same elements replaces
__global__ void peeks(const float* __restrict__ a, float* __restrict__ y, float* __restrict__ z, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  for (int j = 0; j < n; ++j) {
    y[r * n + j] = expf(a[r * n + j] - most);
    sum += y[r * n + j];
  }
  z[r] = y[r * n];
  for (int j = 0; j < n; ++j) y[r * n + j] /= sum;
}

// CHECK: kernel `cleared`: left alone: what L2 stores to y cannot be worked out again later
__global__ void cleared(float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  for (int j = 0; j < n; ++j) {
    y[r * n + j] = expf(a[r * n + j] - most);
    sum += y[r * n + j];
  }
  for (int j = 0; j < n; ++j) a[r * n + j] = 0;
  for (int j = 0; j < n; ++j) y[r * n + j] /= sum;
}

// The greatest is raised before what was counted from it is replaced.
// CHECK: kernel `raised`: left alone: what L2 stores to y cannot be worked out again later
__global__ void raised(const float* __restrict__ a, float* __restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int j = 0; j < n; ++j) most = fmaxf(most, a[r * n + j]);
  for (int j = 0; j < n; ++j) {
    y[r * n + j] = expf(a[r * n + j] - most);
    sum += y[r * n + j];
  }
  most = 2 * most;
  for (int j = 0; j < n; ++j) y[r * n + j] = y[r * n + j] / sum + most;
}
