// Launches keep the template arguments they are written with, also where templates and macros make several of one text: they call a template that runs the original, with specializations for what was rewritten.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %clang_cuda_ptx -std=c++14 %t.cu
// RUN: %clang_cuda_ptx -std=c++20 %t.cu
// RUN: %hone opt %t.cu --recipe 'block(x=64)' -o %t.2.cu && cmp %t.cu %t.2.cu
// RUN: cp %t.cu %t.3.cu && %hone revert %t.3.cu && cmp %t.3.cu %s
#define FACTOR 3
enum Kind { Small, Large };
template <typename T>
struct Pair {
  T x, y;
};

// REMARK-DAG: kernel `times<3, false, Large>`: rewritten beside the original; 1 of 1 launch now calls times_launch<3, false, Large>
// CHECK: template <int N, bool B, Kind K>
// CHECK-NEXT: __global__
// CHECK: template <int N, bool B, Kind K>
// CHECK-NEXT: static inline void times_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, float* x, int n) {
// CHECK-NEXT: times<N, B, K><<<grid, block, shared, stream>>>(x, n);
// CHECK: namespace times_3_false_Large_hone {
// CHECK: template <>
// CHECK-NEXT: inline void times_launch<3, false, Large>(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, float* x,
// CHECK: times_3_false_Large_hone::kernel<<<
// CHECK: times<3, false, Large><<<grid, block, shared, stream>>>(x, n);
template <int N, bool B, Kind K>
__global__ void times(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= N + B + K;
}

// REMARK-DAG: kernel `scale<float, 2>`: rewritten beside the original; 1 of 1 launch now calls scale_launch<float, 2>
// REMARK-DAG: kernel `scale<double, 4>`: rewritten beside the original; 1 of 1 launch now calls scale_launch<double, 4>
// CHECK: template <typename T, int N = 2>
// CHECK: template <typename T, int N = 2>
// CHECK-NEXT: static inline void scale_launch(dim3 grid, dim3 block_2, size_t shared, cudaStream_t stream, const T* block,
// CHECK-NEXT: T* __restrict__ b, int n, T by = T(3)) {
// CHECK-NEXT: scale<T, N><<<grid, block_2, shared, stream>>>(block, b, n, by);
// CHECK: inline void scale_launch<float, 4>(
template <typename T, int N = 2>
__global__ void scale(const T* block, T* __restrict__ b, int n, T by = T(3)) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = block[i] * by * N;
}

namespace deep {
// REMARK-DAG: kernel `fill<float>`: rewritten beside the original; 1 of 1 launch now calls deep::fill_launch<float>
// REMARK-DAG: kernel `fill<long>`: rewritten beside the original; 1 of 1 launch now calls deep::fill_launch<long>
// CHECK: inline void fill_launch<long>(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, long* x, long n,
template <typename T>
__global__ void fill(T* x, long n, T v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = v;
}
}  // namespace deep

template <typename V>
__global__ void add(V* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i].x += x[i].y;
}

#define REPORT(text, ...) message(#text, ##__VA_ARGS__)
const char* message(const char* text);
#define DISPATCH(KIND, NAME, ...)                                   \
  switch (KIND) {                                                   \
    case 0: { using scalar_t = float; __VA_ARGS__(); break; }       \
    case 1: { using scalar_t = double; __VA_ARGS__(); break; }      \
    default: throw REPORT(NAME);                                    \
  }

template <typename T, int B>
void host(T* a, T* b, int n) {
  // CHECK: scale_launch<T>((n + B - 1) / B, B, 0, 0, a, b, n);
  scale<T><<<(n + B - 1) / B, B>>>(a, b, n);
  // CHECK: deep::fill_launch(n / 32, 32, 0, 0, a, n, T(1));
  deep::fill<<<n / 32, 32>>>(a, n, T(1));
  // CHECK: add_launch<Pair<T>>(n / 32, 32, 0, 0, (Pair<T>*)a, n / 2);
  add<Pair<T>><<<n / 32, 32>>>((Pair<T>*)a, n / 2);
}

template <typename T>
struct Holder {
  T* data;
  int n;
  void clear() const { deep::fill<T><<<n / 32, 32>>>(data, n, T()); }
  // CHECK: void clear() const { deep::fill_launch<T>(n / 32, 32, 0, 0, data, n, T()); }
};

void dispatch(int kind, void* a, void* b, int n) {
  DISPATCH(kind, "scale", ([&] {
    // CHECK: scale_launch<scalar_t, 4>(n / 64, 64, 0, 0, static_cast<scalar_t*>(a), static_cast<scalar_t*>(b), n);
    scale<scalar_t, 4><<<n / 64, 64>>>(static_cast<scalar_t*>(a), static_cast<scalar_t*>(b), n);
  }));
  // CHECK: auto generic = [&](auto tag) { deep::fill_launch(n / 64, 64, 0, 0, (decltype(tag)*)a, n, tag); };
  auto generic = [&](auto tag) { deep::fill<<<n / 64, 64>>>((decltype(tag)*)a, n, tag); };
  generic(1l);
  generic(2u);
}

void run(float* a, float* b, double* c, int n) {
  host<float, 64>(a, b, n);
  host<double, 128>(c, c, n);
  Holder<int>{(int*)a, n}.clear();
  // CHECK: times_launch<FACTOR, sizeof(int) == 8, Large>(n / 32, 32, 0, 0, a, n);
  times<FACTOR, sizeof(int) == 8, Large><<<n / 32, 32>>>(a, n);
}
