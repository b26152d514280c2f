// Named constants of all kinds: macros, constexpr, const globals, enums, static constexpr members, constexpr functions.
#define BLOCK_X 32
#define BLOCK_Y (BLOCK_X / 4)
#define EPS 1e-6f
#define USE_SQRT 1
constexpr unsigned kPrimeX = 73856093u;
const int kBins = 64;
enum { kEmpty = -1, kFull = 1 };
enum Axis : int { AxisX, AxisY, AxisZ };

__host__ __device__ constexpr int divUp(int a, int b) { return (a + b - 1) / b; }

template <typename T>
struct Limits;
template <>
struct Limits<float> {
  static constexpr float big = 3.0e38f;
  static constexpr int digits = 24;
};
template <>
struct Limits<int> {
  static constexpr int big = 2147483647;
  static constexpr int digits = 31;
};

template <typename T>
__global__ void minima(const T* x, T* out, int n) {
  T m = Limits<T>::big;
  for (int i = threadIdx.x; i < n; i += BLOCK_X * BLOCK_Y) m = x[i] < m ? x[i] : m;
  out[threadIdx.x] = m + Limits<T>::digits;
}

__global__ void bins(const float* x, int* slot, const int3* p, int n) {
  __shared__ int count[divUp(kBins, BLOCK_X)][BLOCK_X];
  int i = blockIdx.x * BLOCK_X + threadIdx.x;
  count[0][threadIdx.x] = kEmpty;
  __syncthreads();
  if (i < n) {
    unsigned h = (p[i].x * kPrimeX ^ p[i].y * 19349663u) % kBins;
    if (x[i] > EPS && USE_SQRT) slot[i] = static_cast<int>(h) + AxisZ;
    else slot[i] = kFull;
    if (count[h / BLOCK_X][h % BLOCK_X] == kEmpty) slot[i] -= divUp(n, kBins);
  }
}

template __global__ void minima<float>(const float*, float*, int);
template __global__ void minima<int>(const int*, int*, int);
