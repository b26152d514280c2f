// A graph captured from a stream and replayed, with a host function in it.
#include <cstdio>

__global__ void scale(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
__global__ void shift(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
}

static int calls = 0;
static void count(void*) { ++calls; }

int main() {
  const int n = 300;
  float *x, host[n];
  for (int i = 0; i < n; ++i) host[i] = float(i);
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  scale<<<2, 160, 0, stream>>>(x, 0.5f, n);
  shift<<<2, 160, 0, stream>>>(x, 1.0f, n);
  cudaLaunchHostFunc(stream, count, nullptr);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d calls, x[0] = %.4f, x[299] = %.4f\n", calls, host[0], host[n - 1]);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(x);
}
