// What has no text in the IR: a function with it stays a call, and a kernel with it can still be run.
// RUN: %hone survey %s | FileCheck %s
// RUN: %hone check %s --kernel closes --kernel calls | FileCheck --check-prefix=CHECKED %s
// RUN: %hone opt %s --kernel calls --recipe 'inline(all=1)' --no-verify --diff 2>&1 | FileCheck --check-prefix=INLINE %s

__device__ int doubled(int v) {
  int r;
  asm("shl.b32 %0, %1, 1;" : "=r"(r) : "r"(v));
  return r;
}
// CHECK: kernel `calls`: imported, its text stays: 'doubled' has inline assembly
// CHECKED-NOT: error
// INLINE: kernel `calls`: left alone: 'doubled' has inline assembly or closures in it or below it
__global__ void calls(int* x, int n) {
  int i = (blockIdx.x) * (blockDim.x) + (threadIdx.x);
  if (i < n) x[i] = doubled(x[i]);
}

// What passes look at with calls replaced is not what they may write.
// RUN: %hone opt %s --kernel stores --recipe 'merge-threads(x=2)' --no-verify --diff 2>&1 | FileCheck --check-prefix=STORES %s
// STORES: kernel `stores`: left alone: 'twice' has inline assembly or closures in it or below it, which passes cannot print, and memory or subscripts hang on it
__device__ void put(float* p, float v) { asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(p), "f"(v) : "memory"); }
__device__ void twice(float* p, float v) { put(p, 2 * v); }
// CHECK: kernel `stores`: imported, its text stays: 'twice' has inline assembly
__global__ void stores(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) twice(&x[i], x[i]);
}

// CHECK: kernel `closes`: imported, its text stays: a lambda is part of it
__global__ void closes(int* x, int n) {
  auto next = [=](int v) { return v + n; };
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = next(x[i]);
}

struct Base {
  int a;
};
struct Derived : Base {
  int b;
  __device__ int whole() { return a * 10 + b; }
};
__device__ int wholeOf(Base& base) { return static_cast<Derived&>(base).whole(); }
// CHECK: kernel `casts`: imported{{$}}
__global__ void casts(Derived* d, int* x) {
  Base* base = &d[threadIdx.x];
  x[threadIdx.x] = static_cast<Derived*>(base)->b + wholeOf(*base);
}

// CHECK: kernel `chained`: imported{{$}}
__global__ void chained(float4* x, float4* y, float4 v) { x[threadIdx.x] = y[threadIdx.x] = v; }

// CHECK: kernel `held`: imported, its text stays: member 'to' is a reference
struct Holder {
  int& to;
};
__global__ void held(int* x, Holder h) { h.to = x[0]; }

struct Filled {
  int a[3];
  __device__ Filled(int n) : a{1, n} {}
};
// CHECK: kernel `fills`: imported{{$}}
__global__ void fills(int* x) {
  Filled f(x[1]);
  x[0] = f.a[1] + f.a[2];
}
// CHECK: 7 kernels
