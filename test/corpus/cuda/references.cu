// References: parameters, locals bound to elements and members, const references to temporaries, swap.
struct Cell {
  float u, v;
};

__device__ inline void swapf(float& a, float& b) {
  float t = a;
  a = b;
  b = t;
}

__device__ void minmax(const float* p, int n, float& lo, float& hi) {
  lo = hi = p[0];
  for (int i = 1; i < n; ++i) {
    if (p[i] < lo) lo = p[i];
    if (p[i] > hi) hi = p[i];
  }
}

template <typename T>
__device__ void accumulate(T& dst, const T& a, T const& b = T(1)) {
  dst += a * b;
}

__global__ void sortPairs(float* a, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 1 < n && a[i] > a[i + 1]) swapf(a[i], a[i + 1]);
}

__global__ void ranges(const float* data, float2* out, int len, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float lo, hi;
  minmax(data + i * len, len, lo, hi);
  float2& r = out[i];
  r.x = lo;
  r.y = hi;
}

__global__ void react(Cell* grid, float feed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Cell& c = grid[i];
    const float& u = c.u;
    float& v = c.v;
    const float uvv = u * v * v;
    accumulate(v, uvv);
    accumulate(c.u, feed * (1 - u), 0.5f);
    c.u -= uvv;
  }
}
