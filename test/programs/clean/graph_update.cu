// A graph made of nodes, changed after it was instantiated: one node's arguments, then the whole graph.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void scale(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

static void setNode(cudaKernelNodeParams& p, void** args) {
  p = {};
  p.func = (void*)scale;
  p.gridDim = dim3(4);
  p.blockDim = dim3(64);
  p.kernelParams = args;
}

int main() {
  int n = 200;
  float *x, host[200], by = 2.0f;
  for (int i = 0; i < n; ++i) host[i] = 1.0f;
  cudaMalloc(&x, sizeof host);
  void* args[] = {&x, &by, &n};
  cudaGraph_t graph, inner;
  cudaGraphNode_t in, kernel, child, out, innerKernel;
  cudaKernelNodeParams params;
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&inner, 0);
  setNode(params, args);
  cudaGraphAddKernelNode(&innerKernel, inner, nullptr, 0, &params);
  cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaGraphAddKernelNode(&kernel, graph, &in, 1, &params);
  cudaGraphAddChildGraphNode(&child, graph, &kernel, 1, inner);
  cudaGraphAddMemcpyNode1D(&out, graph, &child, 1, host, x, sizeof host, cudaMemcpyDeviceToHost);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  printf("as made: %g\n", host[199]);
  by = 10.0f;
  cudaGraphExecKernelNodeSetParams(exec, kernel, &params);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  printf("one node changed: %g\n", host[199]);
  cudaGraphExecUpdateResultInfo info;
  printf("%s, ", cudaGetErrorName(cudaGraphExecUpdate(exec, graph, &info)));
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  printf("put back: %g\n", host[199]);
  printf("%s\n", cudaGetErrorName(cudaGraphExecUpdate(exec, inner, &info)));
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaGraphDestroy(inner);
  cudaStreamDestroy(stream);
  cudaFree(x);
  return 0;
}
