// A histogram in shared memory with atomics, and a scan of its bins by one warp.
#include <cstdio>
#include <vector>

constexpr int BINS = 64;

__global__ void histogram(const unsigned char* data, int n, unsigned int* bins) {
  __shared__ unsigned int local[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[data[i] / 4], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

__global__ void scan(unsigned int* bins) {
  unsigned int carry = 0;
  for (int base = 0; base < BINS; base += 32) {
    unsigned int v = bins[base + threadIdx.x];
    for (int o = 1; o < 32; o *= 2) {
      const unsigned int other = __shfl_up_sync(0xffffffffu, v, o);
      if (threadIdx.x >= o) v += other;
    }
    v += carry;
    bins[base + threadIdx.x] = v;
    carry = __shfl_sync(0xffffffffu, v, 31);
  }
}

int main() {
  const int n = 20000;
  std::vector<unsigned char> data(n);
  unsigned int state = 12345;
  for (unsigned char& d : data) d = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
  unsigned char* dData;
  unsigned int* dBins;
  cudaMalloc(&dData, n);
  cudaMalloc(&dBins, BINS * sizeof(unsigned int));
  cudaMemcpy(dData, data.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(dBins, 0, BINS * sizeof(unsigned int));
  histogram<<<7, 96>>>(dData, n, dBins);
  scan<<<1, 32>>>(dBins);
  std::vector<unsigned int> bins(BINS);
  cudaMemcpy(bins.data(), dBins, BINS * sizeof(unsigned int), cudaMemcpyDeviceToHost);
  unsigned int sum = 0, wrong = 0;
  for (int b = 0; b < BINS; ++b) {
    for (unsigned char d : data) sum += d / 4 == b;
    wrong += bins[b] != sum;
  }
  std::printf("%u wrong, %u in the first half, %u in all\n", wrong, bins[BINS / 2 - 1], bins[BINS - 1]);
  cudaFree(dData);
  cudaFree(dBins);
}
