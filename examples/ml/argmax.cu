// Place of the largest element of each row, the first of equal ones; one thread per row.
//   argmax [rows [columns]]
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void argmax(const float* in, int* places, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float most = in[row * columns];
    int place = 0;
    for (int i = 1; i < columns; ++i) {
      float x = in[row * columns + i];
      if (x > most) {
        most = x;
        place = i;
      }
    }
    places[row] = place;
  }
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "argmax: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 203;
  int columns = argc > 2 ? std::atoi(argv[2]) : 301;
  std::vector<float> in(size_t(rows) * columns);
  std::vector<int> places(rows);
  for (size_t i = 0; i < in.size(); ++i) in[i] = float(i * 7919 % 4093) / 8;
  float *dIn;
  int *dPlaces;
  check(cudaMalloc(&dIn, in.size() * sizeof(float)));
  check(cudaMalloc(&dPlaces, places.size() * sizeof(int)));
  check(cudaMemcpy(dIn, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  argmax<<<(rows + 127) / 128, 128>>>(dIn, dPlaces, rows, columns);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaMemcpy(places.data(), dPlaces, places.size() * sizeof(int), cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaFree(dIn));
  check(cudaFree(dPlaces));

  double total = 0;
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    const float* x = &in[size_t(row) * columns];
    int place = 0;
    for (int i = 1; i < columns; ++i)
      if (x[i] > x[place]) place = i;
    wrong += places[row] != place;
    total += double(places[row]) * (1 + row % 3);
  }
  std::printf("argmax %d x %d: checksum %.6g, %s\n", rows, columns, total, wrong ? "wrong" : "ok");
  std::printf("kernel time %.2f us\n", milliseconds * 1000);
  return wrong != 0;
}
