// Queries, keys and values of attention, heads before positions: (batch, length, 3, heads, size) to three of (batch, heads, length, size).
//   permute [batch [length [heads [size]]]]
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void permute(const float* in, float* q, float* k, float* v, int batch, int length, int heads, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < batch * heads * length * size) {
    int b = i / (heads * length * size);
    int rest = i % (heads * length * size);
    int h = rest / (length * size);
    rest = rest % (length * size);
    int t = rest / size;
    int s = rest % size;
    int from = b * length * 3 * heads * size + t * 3 * heads * size + h * size + s;
    q[i] = in[from];
    k[i] = in[from + heads * size];
    v[i] = in[from + 2 * heads * size];
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "permute: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int batch = argc > 1 ? std::atoi(argv[1]) : 2;
  int length = argc > 2 ? std::atoi(argv[2]) : 61;
  int heads = argc > 3 ? std::atoi(argv[3]) : 5;
  int size = argc > 4 ? std::atoi(argv[4]) : 24;
  const size_t all = size_t(batch) * length * heads * size;
  std::vector<float> in(3 * all), q(all), k(all), v(all);
  for (size_t i = 0; i < in.size(); ++i) in[i] = float(i % 1021) / 8;
  float *dIn, *dQ, *dK, *dV;
  check(cudaMalloc(&dIn, in.size() * sizeof(float)));
  check(cudaMalloc(&dQ, q.size() * sizeof(float)));
  check(cudaMalloc(&dK, k.size() * sizeof(float)));
  check(cudaMalloc(&dV, v.size() * sizeof(float)));
  check(cudaMemcpy(dIn, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  permute<<<(batch * heads * length * size + 255) / 256, 256>>>(dIn, dQ, dK, dV, batch, length, heads, size);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaMemcpy(q.data(), dQ, q.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(k.data(), dK, k.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(v.data(), dV, v.size() * sizeof(float), cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaFree(dIn));
  check(cudaFree(dQ));
  check(cudaFree(dK));
  check(cudaFree(dV));

  double total = 0;
  int wrong = 0;
  size_t i = 0;
  for (int b = 0; b < batch; ++b)
    for (int h = 0; h < heads; ++h)
      for (int t = 0; t < length; ++t)
        for (int s = 0; s < size; ++s, ++i) {
          const float* from = &in[((size_t(b) * length + t) * 3 * heads + h) * size + s];
          const size_t next = size_t(heads) * size;
          wrong += q[i] != from[0] || k[i] != from[next] || v[i] != from[2 * next];
          total += double(q[i] + 2 * k[i] + 3 * v[i]) * double(1 + i % 3);
        }
  std::printf("permute %d x %d x %d x %d: checksum %.6g, %s\n", batch, length, heads, size, total, wrong ? "wrong" : "ok");
  std::printf("kernel time %.2f us\n", milliseconds * 1000);
  return wrong != 0;
}
