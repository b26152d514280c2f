// A loop between two sizes is shown with fewer iterations where it is long: half of what lies between them, never none.
// RUN: %hone opt %s --set first=1024 --set last=1088 --recipe 'forward-stores(iterations=64)' --estimate --no-verify | FileCheck %s
// RUN: %hone opt %s --set first=1024 --set last=1536 --recipe 'block(x=128)' --estimate --no-verify | FileCheck %s
// RUN: %hone opt %s --set first=1024 --set last=1536 --recipe 'forward-stores(iterations=64)' --estimate --no-verify 2>&1 | FileCheck --check-prefix=MORE %s
// MORE: kernel `solve`: at these sizes the original runs
// CHECK: kernel `solve` on h200 (first=1024 last=1088 n=4096)
#pragma hone set(n=4096) block(64)
__global__ void solve(const float* l, float* x, int n, int first, int last) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n)
    for (int i = first; i < last; ++i) {
      float sum = x[i * n + j];
      for (int k = first; k < i; ++k) sum -= l[i * n + k] * x[k * n + j];
      x[i * n + j] = sum / l[i * n + i];
    }
}
