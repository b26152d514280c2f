// Atomics with an order and a scope: nvcc's own, libcu++'s objects and references, and a barrier that counts arrivals.
#include <cstdio>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda_runtime.h>

__global__ void builtins(int* sums, float* least, unsigned long long* mask, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __nv_atomic_fetch_add(&sums[0], in[i], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(&sums[1], in[i], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_or(mask, 1ull << (i % 40), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  float mine = 0.5f * in[i];
  unsigned seen = __nv_atomic_load_n(reinterpret_cast<unsigned*>(least), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  while (mine < __uint_as_float(seen) &&
         !__nv_atomic_compare_exchange_n(reinterpret_cast<unsigned*>(least), &seen, __float_as_uint(mine), true, __NV_ATOMIC_RELAXED,
                                         __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)) {
  }
}

__global__ void objects(cuda::atomic<int, cuda::thread_scope_device>* total, double* largest, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  total->fetch_add(in[i], cuda::memory_order_relaxed);
  cuda::atomic_ref<double, cuda::thread_scope_device> top(*largest);
  double seen = top.load(cuda::memory_order_relaxed);
  while (seen < in[i] && !top.compare_exchange_weak(seen, double(in[i]), cuda::memory_order_relaxed)) {
  }
}

// One block hands a value to the other: the flag is released after the value is written.
__global__ void handOver(cuda::atomic<int, cuda::thread_scope_device>* flag, int* value, int* got) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *value = 4711;
    flag->store(1, cuda::memory_order_release);
  } else {
    while (flag->load(cuda::memory_order_acquire) == 0) {
    }
    *got = *value;
  }
}

__global__ void rotate(int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier bar;
  __shared__ int tile[64];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  int v = int(threadIdx.x);
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = v;
    Barrier::arrival_token token = bar.arrive();
    bar.wait(static_cast<Barrier::arrival_token&&>(token));
    v = tile[(threadIdx.x + 33) % blockDim.x];
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = v;
}

int main() {
  const int n = 300;
  int host[n], expectedSum = 0;
  for (int i = 0; i < n; ++i) expectedSum += host[i] = (i * 37) % 101 - 20;
  int *in, *sums, *value, *got, *turned;
  float* least;
  double* largest;
  unsigned long long* mask;
  cuda::atomic<int, cuda::thread_scope_device>* cells;
  cudaMalloc(&in, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMallocManaged(&sums, 2 * sizeof(int));
  cudaMallocManaged(&least, sizeof(float));
  cudaMallocManaged(&largest, sizeof(double));
  cudaMallocManaged(&mask, sizeof *mask);
  cudaMallocManaged(&cells, 2 * sizeof *cells);
  cudaMallocManaged(&value, sizeof(int));
  cudaMallocManaged(&got, sizeof(int));
  cudaMallocManaged(&turned, 64 * sizeof(int));
  sums[0] = 0, sums[1] = -1000, *least = 1e30f, *largest = -1e30, *mask = 0;
  cells[0].store(0), cells[1].store(0);
  *value = *got = 0;
  builtins<<<3, 128>>>(sums, least, mask, in, n);
  objects<<<3, 128>>>(&cells[0], largest, in, n);
  handOver<<<2, 32>>>(&cells[1], value, got);
  rotate<<<1, 64>>>(turned);
  cudaDeviceSynchronize();
  printf("%d %d %d %g %llx\n", sums[0] == expectedSum, cells[0].load() == expectedSum, sums[1], *least, *mask);
  printf("%g %d %d %d %d\n", *largest, *got, turned[0], turned[1], turned[63]);
  return 0;
}
