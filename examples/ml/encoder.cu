// Token and position embedding, one number per thread; the flat id is taken apart into sequence, position and channel.
//   encoder [sequences [length [channels]]]
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void encoder(const int* tokens, const float* tokenTable, const float* positionTable, float* out, int sequences, int length,
                        int channels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < sequences * length * channels) {
    int bt = i / channels;
    int t = bt % length;
    int c = i % channels;
    out[i] = tokenTable[tokens[bt] * channels + c] + positionTable[t * channels + c];
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "encoder: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int sequences = argc > 1 ? std::atoi(argv[1]) : 3;
  int length = argc > 2 ? std::atoi(argv[2]) : 37;
  int channels = argc > 3 ? std::atoi(argv[3]) : 101;
  const int words = 211;
  std::vector<int> tokens(size_t(sequences) * length);
  std::vector<float> tokenTable(size_t(words) * channels), positionTable(size_t(length) * channels), out(tokens.size() * channels);
  for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = int(i * 31 % words);
  for (size_t i = 0; i < tokenTable.size(); ++i) tokenTable[i] = float(i % 97) / 8;
  for (size_t i = 0; i < positionTable.size(); ++i) positionTable[i] = float(i % 89) / 16;
  int *dTokens;
  float *dTokenTable, *dPositionTable, *dOut;
  check(cudaMalloc(&dTokens, tokens.size() * sizeof(int)));
  check(cudaMalloc(&dTokenTable, tokenTable.size() * sizeof(float)));
  check(cudaMalloc(&dPositionTable, positionTable.size() * sizeof(float)));
  check(cudaMalloc(&dOut, out.size() * sizeof(float)));
  check(cudaMemcpy(dTokens, tokens.data(), tokens.size() * sizeof(int), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dTokenTable, tokenTable.data(), tokenTable.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dPositionTable, positionTable.data(), positionTable.size() * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  encoder<<<(sequences * length * channels + 255) / 256, 256>>>(dTokens, dTokenTable, dPositionTable, dOut, sequences, length, channels);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaMemcpy(out.data(), dOut, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaFree(dTokens));
  check(cudaFree(dTokenTable));
  check(cudaFree(dPositionTable));
  check(cudaFree(dOut));

  double total = 0;
  int wrong = 0;
  for (size_t i = 0; i < out.size(); ++i) {
    size_t place = i / channels, c = i % channels;
    wrong += out[i] != tokenTable[size_t(tokens[place]) * channels + c] + positionTable[place % length * channels + c];
    total += double(out[i]) * double(1 + i % 3);
  }
  std::printf("encoder %d x %d x %d: checksum %.6g, %s\n", sequences, length, channels, total, wrong ? "wrong" : "ok");
  std::printf("kernel time %.2f us\n", milliseconds * 1000);
  return wrong != 0;
}
