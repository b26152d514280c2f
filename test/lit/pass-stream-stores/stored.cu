// RUN: %hone opt %s --recipe 'stream-stores' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe 'stream-stores' | FileCheck --check-prefix=EQUAL %s
// RUN: %hone opt %s --recipe 'stream-stores(c)' --kernel mixed -o %t2.cu 2>&1 | FileCheck --check-prefix=ONE %s
// EQUAL: equal in
// EQUAL: equal in

// SAID: kernel `product`: stores to c leave the caches first
// TEXT: __stcs(&c[i], a[i] * b[i]);
__global__ void product(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] * b[i];
}

// What is read as well, here or elsewhere, stays as it was.
// SAID: kernel `mixed`: stores to c, v leave the caches first
// TEXT: __stcs(&c[i], a[i]);
// TEXT: a[i] = {{.*}};
// TEXT: __stcs(&v[i], make_float4(
// ONE: kernel `mixed`: stores to c leave the caches first
__global__ void mixed(float* a, float* c, float4* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] = a[i];
  a[i] = a[i] + 1;
  v[i] = make_float4(0, 1, 2, i);
}
