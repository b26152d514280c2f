// Reductions: a template over type and operation, dynamic shared memory, shuffles, and a second pass.
#include <climits>
#include <cstdio>
#include <vector>

struct Sum {
  template <class T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct Largest {
  template <class T> __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

template <class T, class Op>
__global__ void reduce(const T* in, T* out, int n, T start) {
  extern __shared__ unsigned char raw[];
  T* warps = reinterpret_cast<T*>(raw);
  Op op;
  T value = start;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) value = op(value, in[i]);
  for (int o = 16; o > 0; o /= 2) value = op(value, __shfl_down_sync(0xffffffffu, value, o));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : start;
    for (int o = 16; o > 0; o /= 2) value = op(value, __shfl_down_sync(0xffffffffu, value, o));
    if (threadIdx.x == 0) out[blockIdx.x] = value;
  }
}

template <class T, class Op>
T run(const std::vector<T>& values, T start) {
  const int blocks = 12, threads = 128;
  T *in, *part, *out, result;
  cudaMalloc(&in, values.size() * sizeof(T));
  cudaMalloc(&part, blocks * sizeof(T));
  cudaMalloc(&out, sizeof(T));
  cudaMemcpy(in, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  reduce<T, Op><<<blocks, threads, threads / 32 * sizeof(T)>>>(in, part, int(values.size()), start);
  reduce<T, Op><<<1, 32, sizeof(T)>>>(part, out, blocks, start);
  cudaMemcpy(&result, out, sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(part);
  cudaFree(out);
  return result;
}

int main() {
  std::vector<int> ints;
  std::vector<double> doubles;
  std::vector<float> floats;
  for (int i = 0; i < 5000; ++i) {
    ints.push_back(i * 37 % 1001 - 500);
    doubles.push_back(0.25 * (i % 17));
    floats.push_back(float(i % 64));
  }
  std::printf("sum of ints %d\n", run<int, Sum>(ints, 0));
  std::printf("largest int %d\n", run<int, Largest>(ints, INT_MIN));
  std::printf("sum of doubles %.3f\n", run<double, Sum>(doubles, 0.0));
  std::printf("largest float %.1f\n", run<float, Largest>(floats, -1.0f));
}
