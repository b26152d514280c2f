// Loops that do something else from launch to launch, or nobody knows what: no iterations.
// RUN: %hone opt %s --recipe 'unroll-host-loop' -o %t.cu 2> %t.err || true
// RUN: FileCheck %s < %t.err
// RUN: FileCheck --check-prefix=COUNT %s < %t.err
// CHECK-NOT: iterations of the loop
// COUNT-COUNT-24: left alone: no loop of the host is known that launches it once in every iteration and does nothing else that matters
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>

__global__ void prints(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void twice(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void partnerless(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void copied(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void changes(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void grows(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void breaks(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void elsewhere(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void counted(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void unknown(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void logged(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void converted(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void called(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void referred(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void outside(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void conditional(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void handed(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void shadowed(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + p; }
__global__ void derived(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + n + p; }
__global__ void sized(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + n + p; }
__global__ void remembered(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + n + p; }
__global__ void watched(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + n + p; }
__global__ void pointed(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + n + p; }
__global__ void managed(const int* in, int* out, int n, int p) { out[threadIdx.x] = in[threadIdx.x] + n + p; }

__managed__ int left;

int next();
void see(cudaError_t status);
int* global;

static int checks;
static void counting(cudaError_t status) {
  ++checks;
  if (status != cudaSuccess) std::printf("failed\n");
}
static void logging(cudaError_t status) {
  std::printf("status %d\n", int(status));
}

void host(int* in, int* out, int n, int*& other) {
  for (int p = 1; p < n; p *= 2) {
    prints<<<1, 32>>>(in, out, n, p);
    std::printf("step %d\n", p);
  }
  for (int p = 1; p < n; p *= 2) {
    twice<<<1, 32>>>(in, out, n, p);
    twice<<<1, 32>>>(out, in, n, p);
  }
  for (int p = 1; p < n; p *= 2) {
    partnerless<<<1, 32>>>(in, in + n, n, p);
    std::swap(in, out);
  }
  for (int p = 1; p < n; p *= 2) {
    copied<<<1, 32>>>(in, out, n, p);
    cudaMemcpy(in, out, n * sizeof(int), cudaMemcpyDeviceToDevice);
  }
  for (int p = 1; p < n; p *= 2) {
    changes<<<1, 32>>>(in, out, n, p);
    n -= 1;
  }
  for (int p = 1; p < n; p *= 2) grows<<<p, 32>>>(in, out, n, p);
  for (int p = 1; p < n; p *= 2) {
    breaks<<<1, 32>>>(in, out, n, p);
    if (cudaGetLastError() == cudaSuccess) break;
  }
  elsewhere<<<1, 32>>>(in, out, n, 1);
  for (int p = 1; p < n; p *= 2) elsewhere<<<1, 32>>>(in, out, n, p);
  for (int p = 1; p < n; p *= 2) {
    counted<<<1, 32>>>(in, out, n, p);
    counting(cudaGetLastError());
  }
  for (int p = 1; p < n; p *= 2) {
    unknown<<<1, 32>>>(in, out, n, p);
    see(cudaGetLastError());
  }
  for (int p = 1; p < n; p *= 2) {
    logged<<<1, 32>>>(in, out, n, p);
    logging(cudaGetLastError());
  }
  for (long p = 1; p < n; p *= 2) converted<<<1, 32>>>(in, out, n, p);
  for (int p = 1; p < n; p *= 2) called<<<1, 32>>>(in, out, next(), p);
  for (int p = 1; p < n; p *= 2) {
    referred<<<1, 32>>>(other, out, n, p);
    std::swap(other, out);
  }
  for (int p = 1; p < n; p *= 2) {
    outside<<<1, 32>>>(global, out, n, p);
    std::swap(global, out);
  }
  for (int p = 1; p < n; p *= 2)
    if (p != 4) conditional<<<1, 32>>>(in, out, n, p);
  int q = 1;
  int* address = &q;
  for (q = 1; q < *address + n; q *= 2) handed<<<1, 32>>>(in, out, n, q);
  int bound = n;
  for (int p = 1; p < bound / 2 + 1; p *= 2) {
    int bound = 3;
    shadowed<<<1, 32>>>(in, out, 1, p);
  }
  // Values of an iteration that come from its counter.
  for (int p = 1; p < n; p *= 2) {
    int rest = n - p < 4 ? n - p : 4;
    derived<<<1, 32>>>(in, out, rest, p);
  }
  for (int p = 1; p < n; p *= 2) {
    const int blocks = n / p;
    sized<<<blocks, 32>>>(in, out, n, p);
  }
  int status = 0;
  for (int p = 1; p < n; p *= 2) {
    remembered<<<1, 32>>>(in, out, status, p);
    status = cudaGetLastError();
  }
  // Launches may write what the host reads.
  int* flag;
  cudaMallocManaged(&flag, sizeof(int));
  for (int p = 1; p < n && *flag; p *= 2) {
    watched<<<1, 32>>>(in, flag, n, p);
    cudaDeviceSynchronize();
  }
  for (int p = 1; p < n; p *= 2) {
    pointed<<<1, 32>>>(in, flag, flag[0], p);
    cudaDeviceSynchronize();
  }
  for (int p = 1; p < left; p *= 2) {
    managed<<<1, 32>>>(in, out, n, p);
    cudaDeviceSynchronize();
  }
}
