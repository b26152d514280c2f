// Work on series: sums with warp shuffles, hashes, a table of kernels chosen by address, a scan in dynamic shared memory.
#include "check.h"
#include "grid.cuh"
#include "lanes.cuh"

__constant__ float weights[4] = {0.5f, 0.25f, 0.125f, 0.0625f};
__device__ unsigned rounds;

// Each block writes the sum of its part; the order of additions is fixed.
template <typename T, int THREADS>
__global__ __launch_bounds__(THREADS) void blockSums(const T* __restrict__ values, T* __restrict__ sums, int count) {
  __shared__ T parts[THREADS / WARP];
  int i = blockIdx.x * THREADS + threadIdx.x;
  T value = i < count ? values[i] : T(0);
  value = warpSum(value);
  int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  if (lane == 0) parts[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < THREADS / WARP ? parts[lane] : T(0);
    value = warpSum(value);
    if (lane == 0) sums[blockIdx.x] = value;
  }
}

__global__ void hashSeries(unsigned* keys, int count, int times) {
  int i = GLOBAL_X;
  if (i == 0) atomicMax(&rounds, (unsigned)times);
  if (i >= count) return;
  unsigned key = keys[i];
  int left = times;
  do {
    switch (key & 3u) {
      case 0: key = mix(key + 1); break;
      case 1: key = mix(key) ^ 0x9e3779b9u;  // and on
      case 2: key += key << 5; break;
      default: key = ~key;
    }
  } while (--left > 0);
  keys[i] = key;
}

__global__ void weighted(const float* in, float* out, int count) {
  int i = GLOBAL_X;
  if (i >= count) return;
  float sum = 0;
  for (int k = 0; k < 4 && i + k < count; ++k) sum += weights[k] * in[i + k];
  out[i] = sum;
}

__global__ void differences(const float* in, float* out, int count) {
  int i = GLOBAL_X;
  if (i < count) out[i] = i ? in[i] - in[i - 1] : in[i];
}

// Inclusive scan of one block, in dynamic shared memory that holds two buffers.
__global__ void scanBlock(const int* in, int* out, int count) {
  extern __shared__ int memory[];
  int* from = memory;
  int* to = memory + blockDim.x;
  int t = threadIdx.x;
  from[t] = t < count ? in[t] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    to[t] = t >= d ? from[t] + from[t - d] : from[t];
    __syncthreads();
    int* swap = from;
    from = to;
    to = swap;
  }
  if (t < count) out[t] = from[t];
}

typedef void (*SeriesKernel)(const float*, float*, int);

int seriesPart() {
  const int count = 1003;
  std::vector<float> floats(count);
  std::vector<int> ints(count);
  std::vector<unsigned> keys(count);
  unsigned state = 99;
  for (int i = 0; i < count; ++i) {
    keys[i] = nextRandom(state);
    ints[i] = (int)(keys[i] % 1000) - 500;
    floats[i] = ints[i] / 64.0f;
  }
  DeviceArray<float> in(floats), out(count);
  DeviceArray<int> intIn(ints), intOut(count);
  DeviceArray<unsigned> keyData(keys);

  DeviceArray<float> sums(8);
  DeviceArray<int> intSums(16);
  blockSums<float, 128><<<8, 128>>>(in, sums, count);
  print("sums float", sums.read());
  blockSums<int, 64><<<16, 64>>>(intIn, intSums, count);
  print("sums int", intSums.read());

  LAUNCH_1D(hashSeries, count, 96, keyData, count, 5);
  print("hashes", keyData.read());
  unsigned seen = 0;
  CHECK(cudaMemcpyFromSymbol(&seen, rounds, sizeof(seen)));
  std::printf("rounds: %u\n", seen);

  const SeriesKernel table[] = {weighted, &differences};
  const char* names[] = {"weighted", "differences"};
  for (int k = 0; k < 2; ++k) {
    table[k]<<<(count + 127) / 128, 128>>>(in, out, count);
    CHECK(cudaGetLastError());
    print(names[k], out.read());
  }

  intOut.clear();
  scanBlock<<<1, 512, 2 * 512 * sizeof(int)>>>(intIn, intOut, 500);
  CHECK(cudaGetLastError());
  std::vector<int> scanned = intOut.read();
  print("scan", scanned);
  int running = 0;
  for (int i = 0; i < 500; ++i) {
    running += ints[i];
    if (scanned[i] != running) return 1;
  }
  return 0;
}
