// A kernel that is defined outside its namespace, by its qualified name: what stands beside it would be in another namespace. What replaces its body
// is not concerned.
// RUN: %hone opt %s --recipe 'block(x=64)' --no-verify -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe 'promote' --no-verify -o %t.cu 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: %clang_cuda_ptx %t.cu
// CHECK: kernel `plain`: left alone: it is defined outside its namespace, by its qualified name, where no new kernel can stand beside it; define it inside
// CHECK: kernel `generic<float>`: left alone: it is defined outside its namespace
// CHECK-NOT: internal
// INSIDE: kernel `plain`: rewritten
// INSIDE: kernel `sums<float>`: left alone: its template is defined outside its namespace, where it cannot be specialized; define it inside
namespace outer {
namespace inner {
__global__ void plain(const float* __restrict__ a, float* __restrict__ s, int n, int m);
template <class T>
__global__ void generic(const T* __restrict__ a, T* __restrict__ s, int n);
template <class T>
__global__ void sums(const T* __restrict__ a, T* __restrict__ s, int n, int m);
}  // namespace inner
}  // namespace outer

__global__ void outer::inner::plain(const float* __restrict__ a, float* __restrict__ s, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < m; ++k) s[i] += a[k * n + i];
}

template <class T>
__global__ void outer::inner::generic(const T* __restrict__ a, T* __restrict__ s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) s[i] = a[i] + 1;
}

template <class T>
__global__ void outer::inner::sums(const T* __restrict__ a, T* __restrict__ s, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < m; ++k) s[i] += a[k * n + i];
}

void host(const float* a, float* s, int n, int m) {
  outer::inner::plain<<<(n + 255) / 256, 256>>>(a, s, n, m);
  outer::inner::generic<<<(n + 255) / 256, 256>>>(a, s, n);
  outer::inner::sums<<<(n + 255) / 256, 256>>>(a, s, n, m);
}
