// Graphs that allocate and free memory, made node by node and by capturing two streams; what is wrong with their use.
// RUN: %hone run %s | FileCheck %s
// RUN: not %hone run %s -- after-free 2>&1 | FileCheck %s --check-prefix=FREED
#include <cstdio>
#include <cstring>

__global__ void square(const float* from, float* to, int n) {
  const int i = threadIdx.x;
  if (i < n) to[i] = from[i] * from[i];
}

constexpr int n = 32;
float input[n], output[n];

cudaGraphExec_t byNodes(float** kept, unsigned long long flags) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaMemAllocNodeParams p;
  memset(&p, 0, sizeof p);
  p.bytesize = sizeof input;
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t a, b, copy, run, back, gone;
  cudaGraphAddMemAllocNode(&a, graph, nullptr, 0, &p);
  float* from = (float*)p.dptr;
  cudaGraphAddMemAllocNode(&b, graph, &a, 1, &p);
  float* to = (float*)p.dptr;
  cudaGraphAddMemcpyNode1D(&copy, graph, &b, 1, from, input, sizeof input, cudaMemcpyHostToDevice);
  int count = n;
  void* arguments[] = {&from, &to, &count};
  cudaKernelNodeParams k = {};
  k.func = (void*)square;
  k.gridDim = dim3(1);
  k.blockDim = dim3(n);
  k.kernelParams = arguments;
  cudaGraphAddKernelNode(&run, graph, &copy, 1, &k);
  cudaGraphAddMemFreeNode(&gone, graph, &run, 1, from);
  cudaGraphAddMemcpyNode1D(&back, graph, &run, 1, output, to, sizeof output, cudaMemcpyDeviceToHost);
  *kept = to;
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, flags);
  cudaGraphDestroy(graph);
  return exec;
}

cudaGraphExec_t byCapture() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t squared, copied;
  cudaEventCreate(&squared);
  cudaEventCreate(&copied);
  float *from, *to;
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&from, sizeof input, first);
  cudaMallocAsync(&to, sizeof input, first);
  cudaMemcpyAsync(from, input, sizeof input, cudaMemcpyHostToDevice, first);
  square<<<1, n, 0, first>>>(from, to, n);
  cudaEventRecord(squared, first);
  cudaStreamWaitEvent(second, squared);
  cudaMemcpyAsync(output, to, sizeof output, cudaMemcpyDeviceToHost, second);
  cudaFreeAsync(to, second);
  cudaEventRecord(copied, second);
  cudaFreeAsync(from, first);
  cudaStreamWaitEvent(first, copied);
  cudaStreamDestroy(second);
  cudaGraph_t graph;
  printf("captured: %s\n", cudaGetErrorName(cudaStreamEndCapture(first, &graph)));
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  return exec;
}

unsigned long long held(cudaGraphMemAttributeType what) {
  unsigned long long bytes;
  cudaDeviceGetGraphMemAttribute(0, what, &bytes);
  return bytes;
}

int main(int argc, char**) {
  for (int i = 0; i < n; ++i) input[i] = float(i);
  float *kept, *own;
  cudaGraphExec_t exec = byNodes(&kept, 0);
  // CHECK: before: 0 bytes
  printf("before: %llu bytes\n", held(cudaGraphMemAttrUsedMemCurrent));
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  // CHECK: nodes: 9, 128 bytes in use, 256 reserved
  printf("nodes: %g, %llu bytes in use, %llu reserved\n", output[3], held(cudaGraphMemAttrUsedMemCurrent),
         held(cudaGraphMemAttrReservedMemCurrent));
  // CHECK: again: cudaErrorInvalidValue
  printf("again: %s\n", cudaGetErrorName(cudaGraphLaunch(exec, 0)));
  cudaFree(kept);
  if (argc > 1) {
    // FREED: wild pointer in global memory: {{.*}}in 'graph memory of 128 bytes', which was freed
    square<<<1, n>>>(kept, kept, n);
    cudaDeviceSynchronize();
    return 0;
  }
  cudaDeviceGraphMemTrim(0);
  // CHECK: trimmed: 0 reserved, then cudaSuccess
  printf("trimmed: %llu reserved, then %s\n", held(cudaGraphMemAttrReservedMemCurrent),
         cudaGetErrorName(cudaGraphLaunch(exec, 0)));
  cudaGraphExec_t freeing = byNodes(&own, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  cudaGraphLaunch(freeing, 0);
  // CHECK: frees itself: cudaSuccess
  printf("frees itself: %s\n", cudaGetErrorName(cudaGraphLaunch(freeing, 0)));
  memset(output, 0, sizeof output);
  // CHECK: captured: cudaSuccess
  cudaGraphExec_t captured = byCapture();
  // CHECK: nothing done: 0
  printf("nothing done: %g\n", output[5]);
  cudaGraphLaunch(captured, 0);
  cudaGraphLaunch(captured, 0);
  cudaDeviceSynchronize();
  // CHECK: capture: 25
  printf("capture: %g\n", output[5]);
}
