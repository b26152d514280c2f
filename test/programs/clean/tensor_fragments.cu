// Products by fragments that a warp holds, of several shapes, types and layouts.
#include <cuda_bf16.h>
#include <mma.h>

#include <cstdio>

namespace wmma = nvcuda::wmma;

// c = 2 * a * b + c, a by rows and b by columns.
template <int m, int n, int k, class In, class Out>
__global__ void product(const In* a, const In* b, Out* c, int depth) {
  wmma::fragment<wmma::matrix_a, m, n, k, In, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, m, n, k, In, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, m, n, k, Out> sum, before;
  wmma::fill_fragment(sum, Out(0));
  for (int from = 0; from < depth; from += k) {
    wmma::load_matrix_sync(left, a + from, depth);
    wmma::load_matrix_sync(right, b + from, depth);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::load_matrix_sync(before, c, m, wmma::mem_col_major);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = Out(2) * sum.x[i] + before.x[i];
  wmma::store_matrix_sync(c, sum, m, wmma::mem_col_major);
}

__global__ void rounded(const float* in, float* out) { out[threadIdx.x] = wmma::__float_to_tf32(in[threadIdx.x]); }

void showRounded() {
  float values[4] = {1.0f + 1.0f / 2048, 1.0f + 1.0f / 4096, -3.3f, 1e30f}, *from, *to;
  cudaMalloc(&from, sizeof values);
  cudaMalloc(&to, sizeof values);
  cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice);
  rounded<<<1, 4>>>(from, to);
  cudaMemcpy(values, to, sizeof values, cudaMemcpyDeviceToHost);
  cudaFree(from);
  cudaFree(to);
  for (float v : values) printf("%a ", v);
  printf("\n");
}

template <class T>
T small(int v) {
  return T(float(v));
}

template <int m, int n, int k, class In, class Out>
int wrongOnes() {
  const int depth = 3 * k;
  static In a[m * depth], b[n * depth];
  static Out c[m * n];
  for (int i = 0; i < m * depth; ++i) a[i] = small<In>(i % 7);
  for (int i = 0; i < n * depth; ++i) b[i] = small<In>(i % 5);
  for (int i = 0; i < m * n; ++i) c[i] = Out(i % 11);
  In *da, *db;
  Out* dc;
  cudaMalloc(&da, sizeof a);
  cudaMalloc(&db, sizeof b);
  cudaMalloc(&dc, sizeof c);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c, sizeof c, cudaMemcpyHostToDevice);
  product<m, n, k, In, Out><<<1, 32>>>(da, db, dc, depth);
  cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      int want = (row + column * m) % 11;
      for (int i = 0; i < depth; ++i) want += 2 * ((row * depth + i) % 7) * ((column * depth + i) % 5);
      wrong += c[row + column * m] != Out(want);
    }
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  return wrong;
}

int main() {
  printf("%d ", wrongOnes<16, 16, 16, __half, float>());
  printf("%d ", wrongOnes<32, 8, 16, __half, float>());
  printf("%d ", wrongOnes<8, 32, 16, __nv_bfloat16, float>());
  printf("%d ", wrongOnes<16, 16, 16, signed char, int>());
  printf("%d ", wrongOnes<32, 8, 16, unsigned char, int>());
  printf("%d\n", wrongOnes<8, 8, 4, double, double>());
  showRounded();
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
