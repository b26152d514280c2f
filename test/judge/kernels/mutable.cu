// Const methods that change `mutable` members of objects which come by const reference.

struct Random {
  mutable unsigned state;
  __device__ unsigned next() const {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
  }
};
struct Steps : Random {
  int by;
};
struct Holder {
  Random inner;
};
struct Sum {
  mutable int total;
  __device__ int operator()(int k) const {
    if (k > 1) total += k;
    return total;
  }
};
__device__ unsigned draw(const Random& r) { return r.next(); }
__device__ unsigned drawBase(const Steps& s) { return s.next() + s.by; }
__device__ unsigned drawInner(const Holder& h) { return h.inner.next(); }
template <class F> __device__ int twice(const F& f) { return f(1) + f(2) + f(3); }

// grid: (n + 63) / 64
// block: 64
// set: n=200
// recipe: block(x=32)
__global__ void references(unsigned* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Random r;
  r.state = i;
  Steps s;
  s.state = i * 3;
  s.by = 2;
  Holder h;
  h.inner.state = i + 7;
  Sum f;
  f.total = i;
  unsigned all = draw(r);
  all = all * 31 + draw(r);
  for (int k = 0; k < 3; ++k) all = all * 31 + drawBase(s);
  all = all * 31 + drawInner(h);
  all = all * 31 + drawInner(h);
  all = all * 31 + twice(f);
  o[i] = all + r.state + s.state + h.inner.state + f.total;
}
