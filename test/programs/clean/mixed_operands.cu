// Functions of operands of several types, as nvcc accepts them on the device (with --expt-relaxed-constexpr) and, min and max,
// on the host.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void mixed(double* out, int i, unsigned u, float f, double d, long l, short s) {
  out[0] = max(d, f);
  out[1] = min(f, d);
  out[2] = max(i, u);
  out[3] = max(l, (long)i);
  out[4] = max(s, s);
  out[5] = fmax(f, d);
  out[6] = fmin(f, 1);
  out[7] = pow(f, 2);
  out[8] = pow(2, d);
  out[9] = sqrt(i * i);
}

int main() {
  const int n = 10;
  double *device, host[n];
  cudaMalloc(&device, sizeof host);
  mixed<<<1, 1>>>(device, -1, 4u, 5.5f, 6.25, 7, 8);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (double x : host) printf("%g ", x);
  printf("\n%u %g\n", max(-1, 4u), min(2.5f, 2.25));
  printf("%g %g\n", rsqrtf(16), rsqrt(4.0));
  cudaFree(device);
  return 0;
}
