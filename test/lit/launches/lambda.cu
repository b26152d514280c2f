// Launches in lambdas are launches of the host.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %hone explain %s | FileCheck --check-prefix=EXPLAIN %s
// EXPLAIN: lambda.cu:[[#@LINE+8]] <<<3, 64>>>(a, b, n)
// REMARK: kernel `scale`: rewritten beside the original; 3 of 3 launches now call scale_launch
__global__ void scale(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}
static int next(int& n) { return ++n; }
void host(float* a, float* b, int n, cudaStream_t s) {
  auto f = [&] { scale<<<3, 64>>>(a, b, n); };
  // CHECK: auto f = [&] { scale_launch(3, 64, 0, 0, a, b, n); };
  auto g = [=](int m) { scale<<<m, 64, 0, s>>>(a, b, n); };
  // CHECK: auto g = [=](int m) { scale_launch(m, 64, 0, s, a, b, n); };
  auto h = [&](int m) { scale<<<next(n), 64, 0, s>>>(a, b, m + n); };
  // CHECK: auto h = [&](int m) { [&](dim3 grid, cudaStream_t stream) { scale_launch(grid, 64, 0, stream, a, b, m + n); }(next(n), s); };
  f(), g(3), h(4);
}
