// Launches of many shapes: structs, constants, streams, graphs, pools, managed memory, parts of one allocation.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Box {
  float* cells;
  short width;
  double scale;
  int2 corner;
};

__constant__ float weights[4];

__global__ void scaleBox(Box box, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) box.cells[i] = box.cells[i] * (float)box.scale + weights[i % 4] + box.corner.y;
}

__global__ void add(const float* a, float* b, int n, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * f;
}

template <typename T>
__global__ void fill(T* a, T value, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) a[i] = value;
}

__global__ void sums(const float* a, float* out) {
  extern __shared__ float part[];
  part[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float s = 0;
    for (unsigned i = 0; i < blockDim.x; ++i) s += part[i];
    out[blockIdx.x] = s;
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000;
  float *a, *b, *part, *pool, *managed;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&part, 4096 * sizeof(float));
  cudaMallocManaged(&managed, 512 * sizeof(float));
  fill<float><<<(n + 127) / 128, 128>>>(a, 1.5f, n);
  fill<float><<<4, 128>>>(managed, 2.5f, 512);
  const float host[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(weights, host, sizeof host);
  Box box{a, 7, 0.5, {3, -4}};
  scaleBox<<<(n + 255) / 256, 256>>>(box, n);
  for (int turn = 0; turn < 10; ++turn) add<<<(n + 255) / 256, 256>>>(turn % 2 ? a : b, turn % 2 ? b : a, n, 2.0f);
  add<<<2, 128>>>(part, part + 1024, 256, 3.0f);  // cut from one allocation
  add<<<2, 128>>>(part + 1, part, 255, 1.0f);     // overlapping
  sums<<<4, 128, 128 * sizeof(float)>>>(part, b);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&pool, 300 * sizeof(float), stream);
  fill<float><<<3, 100, 0, stream>>>(pool, 0.25f, 300);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(pool, stream);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  fill<float><<<5, 200, 0, stream>>>(part, 1.0f, 1000);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int turn = 0; turn < 3; ++turn) cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  if (argc > 2) abort();
  return 0;
}
