// An ordinary host program with its launches parses with the built-in header, before and after the host's own headers.
// RUN: %clang_cuda_ptx -isystem %source/runtime/include/cuda_stub %s
// RUN: %clang_cuda_ptx -isystem %source/runtime/include/cuda_stub -DLATE %s
#ifndef LATE
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <vector>
#endif
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#ifdef LATE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include <complex>
#include <iostream>
#include <vector>
#endif

using namespace std;

#define CHECK(call)                                              \
  do {                                                           \
    cudaError_t status = (call);                                 \
    if (status != cudaSuccess) {                                 \
      fprintf(stderr, "%s\n", cudaGetErrorString(status));       \
      exit(1);                                                   \
    }                                                            \
  } while (0)

__constant__ float table[64];

__host__ __device__ inline float both(float x) { return sqrtf(x) + max(1, 2) + std::abs(x); }

__global__ void scale(float* a, int n) {
  extern __shared__ float buffer[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  buffer[threadIdx.x] = i < n ? a[i] : 0.0f;
  __syncthreads();
  if (i < n) a[i] = both(buffer[threadIdx.x]) * table[i & 63] + std::sin(a[i]) + std::max(i, n) + min(i, n) + std::pow(a[i], 2.0f);
}

__global__ void parent(float* a, int n) {
  if (threadIdx.x == 0) cudaGetLastError();
}

int main() {
  int n = 1000, device = 0;
  cudaDeviceProp prop;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaGetDeviceProperties(&prop, device));
  printf("%s %d.%d %d\n", prop.name, prop.major, prop.minor, prop.multiProcessorCount);
  vector<float> host(n, 1.0f);
  sort(host.begin(), host.end());
  float *data, *pinned, *managed;
  CHECK(cudaMalloc(&data, n * sizeof(float)));
  CHECK(cudaMalloc((void**)&data, n * sizeof(float)));
  CHECK(cudaMallocHost(&pinned, n * sizeof(float)));
  CHECK(cudaMallocManaged(&managed, n * sizeof(float)));
  CHECK(cudaMemcpyToSymbol(table, host.data(), sizeof(table)));
  CHECK(cudaMemcpy(data, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  cudaStream_t stream;
  cudaEvent_t start, stop;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  dim3 grid((n + 255) / 256), block(256);
  scale<<<grid, block, 256 * sizeof(float), stream>>>(data, n);
  scale<<<4, 256>>>(data, n);
  void* arguments[] = {&data, &n};
  CHECK(cudaLaunchKernel((const void*)scale, grid, block, arguments, 0, stream));
  CHECK(cudaLaunchCooperativeKernel((void*)scale, grid, block, arguments));
  CHECK(cudaFuncSetAttribute(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
  CHECK(cudaEventRecord(stop, stream));
  CHECK(cudaEventSynchronize(stop));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(cudaMemcpyAsync(host.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaDeviceSynchronize());
  cout << milliseconds << " " << sqrt(2.0) << " " << max(1, 2) << " " << fabs(-1.0) << endl;
  memset(host.data(), 0, 4);
  cudaFree(data);
  cudaFreeHost(pinned);
  cudaDeviceReset();
  return 0;
}
