// Softmaxes in one walk over rows with infinities, with NaN, and without elements: what the original has, NaN too.
// RUN: %hone opt %s --recipe 'split-reduction(fuse=1)' --reassociate --no-verify -o %t.warp.cu 2>&1 | FileCheck --check-prefix=DONE %s
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=64, each=4, fuse=1)' --reassociate --no-verify -o %t.block.cu 2>&1 | FileCheck --check-prefix=DONE %s
// RUN: %hone opt %s --recipe 'split-reduction(each=4, fuse=1) vectorize' --reassociate --no-verify -o %t.wide.cu 2>&1 | FileCheck --check-prefix=DONE %s
// DONE-DAG: kernel `fromLowest`: L1 and L2 are one walk over the row
// DONE-DAG: kernel `fromFirst`: L1 and L2 are one walk over the row
// DONE-DAG: kernel `fromNumber`: L1 and L2 are one walk over the row
// DONE-DAG: kernel `scaled`: L1 and L2 are one walk over the row
// RUN: %hone run %s > %t.before
// RUN: %hone run %t.warp.cu > %t.warp
// RUN: %hone run %t.block.cu > %t.block
// RUN: %hone run %t.wide.cu > %t.wide
// RUN: diff %t.before %t.warp
// RUN: diff %t.before %t.wide
// RUN: diff %t.before %t.block
// RUN: FileCheck --check-prefix=ROWS %s < %t.before
// The sum, the greatest, the sum of all quotients.
// ROWS: fromLowest empty: 0 -inf 0
// ROWS: fromLowest one: 1 3 1
// ROWS: fromLowest all -inf: nan -inf nan
// ROWS: fromLowest begins with -inf: 1.5 7 1
// ROWS: fromLowest NaN behind -inf: nan 2 nan
// ROWS: fromLowest NaN first: nan 2 nan
// ROWS: fromLowest +inf: nan inf nan
// ROWS: scaled far apart: 1 3e+38 1
#include <cmath>
#include <cstdio>

__global__ void fromLowest(const float* __restrict__ in, float* __restrict__ out, float* __restrict__ ends,
                           int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* x = in + r * n;
  float* y = out + r * n;
  float most = -INFINITY;
  for (int j = 0; j < n; ++j) most = fmaxf(most, x[j]);
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += exp2f(x[j] - most);
  for (int j = 0; j < n; ++j) y[j] = exp2f(x[j] - most) / sum;
  ends[2 * r] = sum;
  ends[2 * r + 1] = most;
}

__global__ void fromFirst(const float* __restrict__ in, float* __restrict__ out, float* __restrict__ ends,
                          int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* x = in + r * n;
  float most = x[0];
  for (int j = 0; j < n; ++j)
    if (x[j] > most) most = x[j];
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += exp2f(x[j] - most);
  for (int j = 0; j < n; ++j) out[r * n + j] = exp2f(x[j] - most) / sum;
  ends[2 * r] = sum;
  ends[2 * r + 1] = most;
}

__global__ void fromNumber(const float* __restrict__ in, float* __restrict__ out, float* __restrict__ ends,
                           int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -3.4e38f;
  for (int j = 0; j < n; ++j)
    if (in[r * n + j] > most) most = in[r * n + j];
  double sum = 0;
  for (int j = 0; j < n; ++j) {
    out[r * n + j] = exp2f(in[r * n + j] - most);
    sum += out[r * n + j];
  }
  for (int j = 0; j < n; ++j) out[r * n + j] /= (float)sum;
  ends[2 * r] = sum;
  ends[2 * r + 1] = most;
}

__global__ void scaled(const float* __restrict__ in, float* __restrict__ out, float* __restrict__ ends,
                       int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -INFINITY;
  for (int j = 0; j < n; ++j) most = fmaxf(most, in[r * n + j]);
  float sum = 0, twice = 0;
  for (int j = 0; j < n; ++j) {
    const float e = exp2f((in[r * n + j] - most) / 2);
    sum += e;
    twice += 2 * e;
  }
  for (int j = 0; j < n; ++j) out[r * n + j] = 2 * exp2f((in[r * n + j] - most) / 2) / twice;
  ends[2 * r] = sum;
  ends[2 * r + 1] = most;
}

template <class Kernel> void show(const char* kernel, const char* name, Kernel launch, const float* row, int n) {
  float *in, *out, *ends, result[2], quotients[512], total = 0;
  cudaMalloc(&in, 512 * sizeof(float));
  cudaMalloc(&out, 512 * sizeof(float));
  cudaMalloc(&ends, sizeof result);
  cudaMemcpy(in, row, (n ? n : 1) * sizeof(float), cudaMemcpyHostToDevice);
  launch(in, out, ends, 1, n);
  cudaMemcpy(result, ends, sizeof result, cudaMemcpyDeviceToHost);
  cudaMemcpy(quotients, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int j = 0; j < n; ++j) total += quotients[j];
  printf("%s %s:", kernel, name);
  for (float f : {result[0], result[1], total})
    if (f != f)
      printf(" nan");
    else
      printf(" %.4g", f);
  printf("\n");
}

template <class Kernel> void rowsOf(const char* kernel, Kernel launch) {
  const float inf = INFINITY, nan = NAN;
  float row[512] = {3};
  auto fill = [&](float value) {
    for (float& f : row) f = value;
  };
  show(kernel, "empty", launch, row, 0);
  show(kernel, "one", launch, row, 1);
  fill(-inf);
  show(kernel, "all -inf", launch, row, 200);
  show(kernel, "one -inf", launch, row, 1);
  row[150] = 7, row[199] = 6;
  show(kernel, "begins with -inf", launch, row, 200);
  row[3] = nan, row[150] = 2;
  show(kernel, "NaN behind -inf", launch, row, 199);
  fill(1);
  row[0] = nan, row[40] = 2;
  show(kernel, "NaN first", launch, row, 200);
  fill(nan);
  row[77] = 2;
  show(kernel, "NaN but one", launch, row, 101);
  fill(1);
  row[5] = inf;
  show(kernel, "+inf", launch, row, 99);
  row[6] = -inf, row[70] = inf;
  show(kernel, "+inf and -inf", launch, row, 99);
  fill(-3e38f);
  row[33] = 3e38f;
  show(kernel, "far apart", launch, row, 100);
  for (int i = 0; i < 512; ++i) row[i] = i * 37 % 23;
  for (int n : {2, 31, 33, 257, 511}) show(kernel, "numbers", launch, row, n);
}

int main() {
  rowsOf("fromLowest", [](auto... a) { fromLowest<<<1, 32>>>(a...); });
  rowsOf("fromFirst", [](auto... a) { fromFirst<<<1, 32>>>(a...); });
  rowsOf("fromNumber", [](auto... a) { fromNumber<<<1, 32>>>(a...); });
  rowsOf("scaled", [](auto... a) { scaled<<<1, 32>>>(a...); });
}
