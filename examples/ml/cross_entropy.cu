// Cross entropy of logits, one thread per row.
//   cross_entropy [rows [words]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void cross_entropy(const float* logits, const int* targets, float* losses, int rows, int words) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    const float* x = logits + row * words;
    float most = -INFINITY;
    for (int i = 0; i < words; ++i) most = fmaxf(most, x[i]);
    float sum = 0;
    for (int i = 0; i < words; ++i) sum += expf(x[i] - most);
    losses[row] = logf(sum) + most - x[targets[row]];
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "cross_entropy: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 203;
  int words = argc > 2 ? std::atoi(argv[2]) : 301;
  std::vector<float> logits(size_t(rows) * words), losses(rows);
  std::vector<int> targets(rows);
  for (size_t i = 0; i < logits.size(); ++i) logits[i] = (float(i * 7 % 17) - 8) / 4;
  for (int row = 0; row < rows; ++row) targets[row] = row * 13 % words;
  float *dLogits, *dLosses;
  int *dTargets;
  check(cudaMalloc(&dLogits, logits.size() * sizeof(float)));
  check(cudaMalloc(&dTargets, targets.size() * sizeof(int)));
  check(cudaMalloc(&dLosses, losses.size() * sizeof(float)));
  check(cudaMemcpy(dLogits, logits.data(), logits.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dTargets, targets.data(), targets.size() * sizeof(int), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  cross_entropy<<<(rows + 127) / 128, 128>>>(dLogits, dTargets, dLosses, rows, words);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaMemcpy(losses.data(), dLosses, losses.size() * sizeof(float), cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaFree(dLogits));
  check(cudaFree(dTargets));
  check(cudaFree(dLosses));

  double total = 0;
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    const float* x = &logits[size_t(row) * words];
    double sum = 0;
    for (int i = 0; i < words; ++i) sum += std::exp(double(x[i]));
    wrong += !(std::fabs(losses[row] - (std::log(sum) - x[targets[row]])) <= 1e-4);
    total += double(losses[row]) * (1 + row % 3);
  }
  std::printf("cross_entropy %d x %d: checksum %.6g, %s\n", rows, words, total, wrong ? "wrong" : "ok");
  std::printf("kernel time %.2f us\n", milliseconds * 1000);
  return wrong != 0;
}
