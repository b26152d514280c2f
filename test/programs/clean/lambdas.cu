// Closures in kernels: made on the device, given to a kernel by the host, capturing by value, by reference and `this`;
// classes with arrays of objects, members that are references, and types declared in a function; an array of the thread
// seen through a wider type.
#include <cstdio>
#include <limits>
#include <utility>

template <class F> __global__ void apply(int n, int* out, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(i);
}

struct Affine {
  int factor, offset;
  __host__ __device__ int operator()(int x) const { return factor * x + offset; }
  __device__ int twice(int x) const {
    auto once = [this](int v) { return factor * v + offset; };
    return once(once(x));
  }
};

template <class F> __device__ int sumOver(int n, F&& f) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += std::forward<F>(f)(i);
  return sum;
}

__global__ void local(int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  auto at = [&](int i) -> int& { return tile[i]; };
  at(t) = t * t;
  __syncthreads();
  int seen = 0;
  auto look = [&seen, t](int i) {
    if (i != t) ++seen;
    return i == t ? 0 : i;
  };
  const int others = sumOver(4, std::move(look));
  auto generic = [](auto a, auto b) { return a < b ? b : a; };
  struct Pair {
    int a, b;
  } pair{at(31 - t), others};
  constexpr int scale = 3;
  auto scaled = [](int v) { return v * scale; };
  out[t] = generic(pair.a, pair.b) + scaled(seen) + int(generic(1.5f, 0.5f));
}

struct Cell {
  int value;
  __device__ Cell() : value(7) {}
};
struct Row {
  Cell cells[4];
  int marks[3];
  int zeros[2][2];
  __device__ Row(int a) : marks{a, a + 1}, zeros{} {}
};
struct View {
  int& target;
  const int& source;
  __device__ void copy() { target = source + 1; }
};

__global__ void members(int* out) {
  Cell grid[2][3];
  Row row(5);
  int sum = row.marks[0] + row.marks[1] + row.marks[2] + row.zeros[1][1];
  for (int i = 0; i < 4; ++i) sum += row.cells[i].value;
  for (int i = 0; i < 3; ++i) sum += grid[1][i].value;
  int from = 40, to = 0;
  View view{to, from};
  view.copy();
  Affine affine{2, 1};
  unsigned odd[1], words[3];
  for (int i = 0; i < 3; ++i) words[(i + threadIdx.x) % 3] = i + 1;
  odd[threadIdx.x % 1] = 1;
  sum += int(*(unsigned long long*)words >> 32) * int(odd[0]);
  out[threadIdx.x] = sum + to + affine.twice(3) + (threadIdx.x > 3 ? std::numeric_limits<int>::max() / (1 << 30) : 0);
}

static int total(const int* v, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += v[i];
  return sum;
}

int main() {
  int* device = nullptr;
  int host[64];
  cudaMalloc(&device, sizeof host);
  const int base = 100;
  register int unused = 0;
  (void)unused;
  apply<<<2, 32>>>(64, device, [=] __device__(int i) { return base - i; });
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("from the host: %d\n", total(host, 64));
  apply<<<2, 32>>>(64, device, Affine{3, 4});
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("a functor: %d\n", total(host, 64));
  local<<<1, 32>>>(device);
  cudaMemcpy(host, device, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("in the kernel: %d %d %d\n", host[0], host[31], total(host, 32));
  members<<<1, 8>>>(device);
  cudaMemcpy(host, device, 8 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("members: %d %d\n", host[0], host[7]);
  cudaFree(device);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
