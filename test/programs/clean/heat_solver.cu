// A solver of several kernels: two streams, events between them, constant memory, dynamic shared memory, templates, pitched
// memory, and a check of convergence on the host.
#include <cmath>
#include <cstdio>
#include <vector>

struct Coefficients {
  float centre, side;
};
__constant__ Coefficients weights;
__device__ unsigned int steps_done;

template <int HALO>
__global__ void step(const float* in, size_t inPitch, float* out, size_t outPitch, int w, int h) {
  extern __shared__ float tile[];
  const int tw = blockDim.x + 2 * HALO;
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  for (int ty = threadIdx.y; ty < int(blockDim.y) + 2 * HALO; ty += blockDim.y)
    for (int tx = threadIdx.x; tx < tw; tx += blockDim.x) {
      const int gx = min(max(int(blockIdx.x * blockDim.x) + tx - HALO, 0), w - 1);
      const int gy = min(max(int(blockIdx.y * blockDim.y) + ty - HALO, 0), h - 1);
      tile[ty * tw + tx] = reinterpret_cast<const float*>(reinterpret_cast<const char*>(in) + gy * inPitch)[gx];
    }
  __syncthreads();
  if (x < w && y < h) {
    const int c = (threadIdx.y + HALO) * tw + threadIdx.x + HALO;
    float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(out) + y * outPitch);
    row[x] = weights.centre * tile[c] + weights.side * (tile[c - 1] + tile[c + 1] + tile[c - tw] + tile[c + tw]);
  }
  if (x == 0 && y == 0) atomicAdd(&steps_done, 1u);
}

__global__ void difference(const float* a, size_t aPitch, const float* b, size_t bPitch, int w, int h, unsigned int* largest) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w) return;
  const float d = fabsf(reinterpret_cast<const float*>(reinterpret_cast<const char*>(a) + y * aPitch)[x] -
                        reinterpret_cast<const float*>(reinterpret_cast<const char*>(b) + y * bPitch)[x]);
  atomicMax(largest, __float_as_uint(d));
}

int main() {
  const int w = 37, h = 29;
  std::vector<float> field(w * h, 0.0f);
  field[h / 2 * w + w / 2] = 1000.0f;
  Coefficients c{0.5f, 0.125f};
  cudaMemcpyToSymbol(weights, &c, sizeof c);
  float *a, *b;
  size_t pa, pb;
  cudaMallocPitch(&a, &pa, w * sizeof(float), h);
  cudaMallocPitch(&b, &pb, w * sizeof(float), h);
  cudaMemcpy2D(a, pa, field.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
  unsigned int *largest, *host;
  cudaMalloc(&largest, sizeof(unsigned int));
  cudaMallocHost(&host, sizeof(unsigned int));
  cudaStream_t compute, watch;
  cudaStreamCreate(&compute);
  cudaStreamCreate(&watch);
  cudaEvent_t stepped, measured;
  cudaEventCreate(&stepped);
  cudaEventCreate(&measured);
  const dim3 block(16, 8), grid((w + 15) / 16, (h + 7) / 8);
  const size_t shared = (block.x + 2) * (block.y + 2) * sizeof(float);
  int rounds = 0;
  float change = 0;
  do {
    for (int i = 0; i < 10; ++i) {
      step<1><<<grid, block, shared, compute>>>(a, pa, b, pb, w, h);
      std::swap(a, b);
      std::swap(pa, pb);
    }
    cudaEventRecord(stepped, compute);
    cudaStreamWaitEvent(watch, stepped, 0);
    cudaMemsetAsync(largest, 0, sizeof(unsigned int), watch);
    difference<<<dim3((w + 31) / 32, h), 32, 0, watch>>>(a, pa, b, pb, w, h, largest);
    cudaMemcpyAsync(host, largest, sizeof(unsigned int), cudaMemcpyDeviceToHost, watch);
    cudaEventRecord(measured, watch);
    cudaEventSynchronize(measured);
    unsigned int bits = *host;
    change = reinterpret_cast<float&>(bits);
    ++rounds;
  } while (change > 0.05f && rounds < 50);
  cudaMemcpy2D(field.data(), w * sizeof(float), a, pa, w * sizeof(float), h, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float f : field) sum += f;
  unsigned int steps = 0;
  cudaMemcpyFromSymbol(&steps, steps_done, sizeof steps);
  std::printf("%d rounds, %u steps, sum %.2f, centre %.3f, change %.4f, %s\n", rounds, steps, sum, field[h / 2 * w + w / 2], change,
              cudaGetErrorName(cudaGetLastError()));
  cudaStreamDestroy(compute);
  cudaStreamDestroy(watch);
  cudaEventDestroy(stepped);
  cudaEventDestroy(measured);
  cudaFreeHost(host);
  cudaFree(largest);
  cudaFree(a);
  cudaFree(b);
}
