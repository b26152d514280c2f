// Instantiations of templates, whose launch functions are specializations of a template.

// grid: (n + 63) / 64
// block: 64
// set: n=100
// set: n=256
// extreme: n=-1
// extreme: n=0x7fffffff
// instance: scale<float, 4>
// instance: scale<double, 4>
// instance: scale<short, 4>
// recipe: block(x=32)
// recipe: merge-threads(x=4) vectorize
// recipe: merge-threads(x=4)
template <typename T, int N = 4>
__global__ void scale(const T* __restrict__ a, T* __restrict__ b, int n, T by = T(3)) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * by + N;
}

// grid: (w + 15) / 16, (h + 15) / 16
// block: 16,16
// set: w=40 h=33
// set: w=64 h=64
// extreme: w=-1
// instance: turn<float, 16, true>
// instance: turn<long long, 16, false>
// recipe: stage
template <typename T, int TILE, bool ADD>
__global__ void turn(const T* a, T* __restrict__ b, int w, int h) {
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x < w && y < h) b[x * h + y] = a[y * w + x] + ADD;
}

#define DISPATCH(kind, ...)                                   \
  switch (kind) {                                             \
    case 0: { using scalar_t = float; __VA_ARGS__(); break; }  \
    case 1: { using scalar_t = double; __VA_ARGS__(); break; } \
    default: { using scalar_t = short; __VA_ARGS__(); break; } \
  }
template <typename T, bool ADD>
void turned(const T* a, T* b, int w, int h) {
  constexpr int side = 16;
  turn<T, side, ADD><<<dim3((w + side - 1) / side, (h + side - 1) / side), dim3(side, side)>>>(a, b, w, h);
}
void host(int kind, const void* a, void* b, int n) {
  DISPATCH(kind, ([&] {
    scale<scalar_t><<<(n + 63) / 64, 64>>>(static_cast<const scalar_t*>(a), static_cast<scalar_t*>(b), n);
  }));
  turned<float, true>(static_cast<const float*>(a), static_cast<float*>(b), n, n);
  turned<long long, false>(static_cast<const long long*>(a), static_cast<long long*>(b), n, n);
}
