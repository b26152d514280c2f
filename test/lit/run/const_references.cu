// What a const reference refers to changes while the function runs, is told apart from a copy, or is more than its class says.
// RUN: %hone run %s --extended-lambda 2>&1 | FileCheck %s
// RUN: %hone opt %S/Inputs/const_reference.cu --recipe inline 2>/dev/null | FileCheck %s --check-prefix=TEXT
// CHECK-NOT: {{error|warning|WRONG}}
// CHECK: 14 right
// CHECK-NOT: {{error|warning|WRONG}}
// TEXT: const float& first = a[r * w];
#include <cstdio>

struct View {
  float* p;
  int w;
  __device__ float& operator[](int i) const { return p[i]; }
  __device__ void scale(const float& by) const {
    for (int i = 0; i < w; ++i) p[i] *= by;
  }
};
struct Add {
  float* to;
  __device__ void operator()() const { *to += 1; }
};
__device__ int global = 1;
__device__ void normalize(View v, const float& first) {
  for (int i = 0; i < v.w; ++i) v[i] /= first;
}
__device__ float throughFunctor(Add add, const float& r) {
  add();
  return r;
}
template <class F> __device__ float throughLambda(F f, const float& r) {
  f();
  return r;
}
__device__ int throughGlobal(const int& r) {
  global = 5;
  return r;
}
__device__ float afterBarrier(const float& r) {
  __syncthreads();
  return r;
}
__device__ bool isSame(const int& a, const int& b) { return &a == &b; }
__device__ int next(const int& a) { return (&a)[1]; }
__device__ int changing(const volatile int& flag) {
  int seen = flag;
  while (flag == 0) {}
  return seen + flag;
}

struct Shape {
  int id = 1;
  __device__ virtual int area() const { return -1; }
};
struct Square : Shape {
  int s;
  __device__ Square(int a) : s(a) {}
  __device__ int area() const override { return s * s; }
};
struct Base {
  int x = 1;
};
struct Derived : Base {
  int y = 7;
};
__device__ int areaOf(const Shape& s) { return s.area(); }
__device__ int down(const Base& b) { return static_cast<const Derived&>(b).y; }

template <class D> struct Term {
  __device__ const D& self() const { return static_cast<const D&>(*this); }
};
struct Leaf : Term<Leaf> {
  float v;
  __device__ Leaf(float x) : v(x) {}
  __device__ float value() const { return v; }
};
template <class L, class R> struct Sum : Term<Sum<L, R>> {
  const L& l;
  const R& r;
  __device__ Sum(const L& a, const R& b) : l(a), r(b) {}
  __device__ float value() const { return l.value() + r.value(); }
};
template <class L, class R> __device__ Sum<L, R> operator+(const Term<L>& a, const Term<R>& b) { return {a.self(), b.self()}; }
template <class E> __device__ float valueOf(const Term<E>& e) { return e.self().value(); }

// These may be passed as values, and are.
struct Vec {
  float x, y;
  __device__ Vec& operator+=(const Vec& o) {
    x += o.x, y += o.y;
    return *this;
  }
};
__device__ Vec operator+(const Vec& a, const Vec& b) {
  Vec r = a;
  r += b;
  return r;
}

__global__ void all(float* out, int* whole) {
  {
    float a[3] = {2, 4, 8};
    normalize(View{a, 3}, a[0]);
    out[0] = a[1];
  }
  {
    float a[3] = {3, 4, 8};
    View{a, 3}.scale(a[0]);
    out[1] = a[1];
  }
  {
    float s = 1;
    out[2] = throughFunctor(Add{&s}, s);
  }
  {
    float s = 1;
    out[3] = throughLambda([&] { s += 1; }, s);
  }
  out[4] = throughGlobal(global);
  int same = 1, pair[2] = {1, 4};
  out[5] = isSame(same, same);
  out[6] = next(pair[0]);
  Square q(5);
  out[7] = areaOf(q);
  Derived d;
  out[8] = down(d);
  Leaf l(3), r(4);
  out[9] = valueOf(l + r);
  Vec v{1, 2};
  v += v + v;
  out[10] = v.x * 10 + v.y;
  whole[0] = 3;
  out[11] = changing(whole[0]);
}
__global__ void shared(float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = afterBarrier(s[63 - threadIdx.x]);
}

int main() {
  float *out, *turned;
  int* whole;
  cudaMallocManaged(&out, 64 * sizeof(float));
  cudaMallocManaged(&turned, 64 * sizeof(float));
  cudaMallocManaged(&whole, 64 * sizeof(int));
  all<<<1, 1>>>(out, whole);
  shared<<<1, 64>>>(turned);
  cudaDeviceSynchronize();
  const float wanted[] = {4, 36, 2, 2, 5, 1, 4, 25, 7, 7, 36, 6};
  int right = 0;
  for (int i = 0; i < 12; ++i) {
    right += out[i] == wanted[i];
    if (out[i] != wanted[i]) printf("WRONG %d: %g, not %g\n", i, out[i], wanted[i]);
  }
  right += turned[0] == 63;
  right += turned[63] == 0;
  printf("%d right\n", right);
  cudaFree(out), cudaFree(turned), cudaFree(whole);
}
