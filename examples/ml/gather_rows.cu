// Rows of a table in the order of a list, one number per thread.
//   gather_rows [rows [columns]]
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void gather_rows(const float* table, const int* list, float* out, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[row * columns + column] = table[list[row] * columns + column];
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "gather_rows: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 203;
  int columns = argc > 2 ? std::atoi(argv[2]) : 301;
  const int lines = 2 * rows;
  std::vector<float> table(size_t(lines) * columns), out(size_t(rows) * columns);
  std::vector<int> list(rows);
  for (size_t i = 0; i < table.size(); ++i) table[i] = float(i % 1021) / 8;
  for (int row = 0; row < rows; ++row) list[row] = row * 31 % lines;
  float *dTable, *dOut;
  int *dList;
  check(cudaMalloc(&dTable, table.size() * sizeof(float)));
  check(cudaMalloc(&dList, list.size() * sizeof(int)));
  check(cudaMalloc(&dOut, out.size() * sizeof(float)));
  check(cudaMemcpy(dTable, table.data(), table.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dList, list.data(), list.size() * sizeof(int), cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  gather_rows<<<dim3((columns + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(dTable, dList, dOut, rows, columns);
  check(cudaEventRecord(end));
  check(cudaGetLastError());
  check(cudaMemcpy(out.data(), dOut, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaFree(dTable));
  check(cudaFree(dList));
  check(cudaFree(dOut));

  double total = 0;
  int wrong = 0;
  for (size_t i = 0; i < out.size(); ++i) {
    wrong += out[i] != table[size_t(list[i / columns]) * columns + i % columns];
    total += double(out[i]) * double(1 + i % 3);
  }
  std::printf("gather_rows %d x %d: checksum %.6g, %s\n", rows, columns, total, wrong ? "wrong" : "ok");
  std::printf("kernel time %.2f us\n", milliseconds * 1000);
  return wrong != 0;
}
