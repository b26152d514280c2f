// A kernel whose barriers are those of the whole grid is launched cooperatively, what grid-sync makes of it is not. Where floats of an array divide, data are positive.
// RUN: rm -rf %t
// RUN: %hone tune %s --kernel total --bundle %t/a --recipe grid-sync --budget 0 --set n=4096 --reassociate
// RUN: FileCheck %s < %t/a/jobs.jsonl
// RUN: %hone tune %s --kernel scale --bundle %t/b --recipe 'block(x=64)' --budget 0 --set n=4096
// RUN: FileCheck %s --check-prefix=DIVIDES < %t/b/jobs.jsonl
// RUN: not %hone tune %s --kernel spread --bundle %t/c --recipe 'block(x=64)' --budget 0 --set n=1048576 --set p=1024 2>&1 | FileCheck %s --check-prefix=WIDE
// CHECK: "do":"case"
// CHECK: "cooperative":true{{.*}}"reference":true
// CHECK-NOT: "cooperative"
// DIVIDES: "positive":true
// WIDE: spread: left out: the length of 'out' is not known at these sizes
#include <hone.h>

#pragma hone grid(4) block(64) length(a=n, part=256, result=1) output(result) temporary(part)
__global__ void total(const float* a, float* part, float* result, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = x; i < n; i += threads) sum += a[i];
  part[x] = sum;
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) result[0] = part[0];
}

#pragma hone block(32)
__global__ void scale(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] / b[i];
}

#pragma hone block(32)
__global__ void spread(const float* in, float* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  int k = i % p;
  out[2 * i - k] = in[i];
}
