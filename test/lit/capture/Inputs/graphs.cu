// Launches that are nodes of graphs: added, with other parameters later, and captured from a stream; a cooperative one; streams.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void added(int* a, int value) { a[blockIdx.x * blockDim.x + threadIdx.x] += value; }

__global__ void captured(int* a, int value) { a[blockIdx.x * blockDim.x + threadIdx.x] += value; }

__global__ void together(int* a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] += 1;
  cooperative_groups::this_grid().sync();
}

int main() {
  int *a, *pool, *managed;
  cudaMalloc(&a, 1024 * sizeof(int));
  cudaMemset(a, 0, 1024 * sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaGraph_t graph, other;
  cudaGraphCreate(&graph, 0);
  int value = 11;
  void* arguments[] = {&a, &value};
  cudaKernelNodeParams node{};
  node.func = (void*)added;
  node.gridDim = dim3(3);
  node.blockDim = dim3(64);
  node.kernelParams = arguments;
  cudaGraphNode_t made;
  cudaGraphAddKernelNode(&made, graph, nullptr, 0, &node);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, first);
  value = 33;
  cudaGraphExecKernelNodeSetParams(exec, made, &node);
  for (int i = 0; i < 4; ++i) cudaGraphLaunch(exec, first);
  cudaStreamBeginCapture(second, cudaStreamCaptureModeGlobal);
  captured<<<7, 96, 0, second>>>(a, 55);
  cudaStreamEndCapture(second, &other);
  cudaGraphInstantiate(&exec, other, 0);
  cudaGraphLaunch(exec, second);
  cudaMallocAsync(&pool, 64 * sizeof(int), second);
  cudaMemsetAsync(pool, 0, 64 * sizeof(int), second);
  added<<<1, 64, 0, second>>>(pool, 1);
  cudaMallocManaged(&managed, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) managed[i] = i;
  added<<<1, 64>>>(managed, 2);
  cudaDeviceSynchronize();
  void* one[] = {&a};
  cudaLaunchCooperativeKernel((void*)together, dim3(2), dim3(32), one, 0, nullptr);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
