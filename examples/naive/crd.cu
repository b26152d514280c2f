// Sum of |re| + |im| over complex numbers that lie interleaved: each thread sums every so many of them, then the
// threads halve what is left, all in one kernel.
// The number of threads must be a power of two, and they must all be on the device at once.
//   crd [elements [threads]]
#include <cuda_runtime.h>
#include <hone.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#pragma hone grid(4) block(64) length(z=2*n, part=256, total=1) output(total) temporary(part)
__global__ void crd(const float* z, float* part, float* total, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = x; i < n; i += threads) sum += fabsf(z[2 * i]) + fabsf(z[2 * i + 1]);
  part[x] = sum;
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) total[0] = part[0];
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "crd: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 500009;
  int threads = argc > 2 ? std::atoi(argv[2]) : 2048;
  if (threads < 1 || (threads & (threads - 1)) != 0) {
    std::fprintf(stderr, "crd: the number of threads must be a power of two\n");
    return 2;
  }
  std::vector<float> z(size_t(2) * n);
  for (size_t i = 0; i < z.size(); ++i) z[i] = (float(i * 7 % 17) - 8) / 8;

  float *dz, *part, *total;
  check(cudaMalloc(&dz, z.size() * sizeof(float)));
  check(cudaMalloc(&part, threads * sizeof(float)));
  check(cudaMalloc(&total, sizeof(float)));
  check(cudaMemcpy(dz, z.data(), z.size() * sizeof(float), cudaMemcpyHostToDevice));
  int block = threads < 128 ? threads : 128;
  void* args[] = {&dz, &part, &total, &n};
  check(cudaLaunchCooperativeKernel((const void*)crd, dim3(threads / block), dim3(block), args, 0, 0));
  float sum = 0;
  check(cudaMemcpy(&sum, total, sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaFree(dz));
  check(cudaFree(part));
  check(cudaFree(total));

  double expected = 0;
  for (int i = 0; i < n; ++i) expected += std::fabs(z[2 * i]) + std::fabs(z[2 * i + 1]);
  bool wrong = !(std::fabs(sum - expected) <= 1e-6 * n);
  std::printf("crd %d: checksum %.4f, %s\n", n, double(sum), wrong ? "wrong" : "ok");
  return wrong;
}
