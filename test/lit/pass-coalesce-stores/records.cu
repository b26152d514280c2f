// Each thread writes a record: the block collects them and writes them side by side.
// RUN: %hone opt %s --recipe 'coalesce-stores' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck %s < %t.cu
// RUN: %hone run %s > %t.before
// RUN: %hone run %t.cu > %t.after
// RUN: diff %t.before %t.after
// RUN: %hone opt %s --recipe 'block(x=64) coalesce-stores(wide=4) vectorize' --kernel spread -o %t.cu
// RUN: FileCheck --check-prefix=WIDE %s < %t.cu
// RUN: %hone run %t.cu > %t.after
// RUN: diff %t.before %t.after
// RUN: %hone check %t.cu --kernel records
// SAID: kernel `records`: the block collects the 3 elements of out that each thread writes and writes them side by side
// SAID: kernel `spread`: the block collects the 8 elements of out that each thread writes, the 3 elements of more that each thread writes and writes them side by side
// SAID: kernel `fields`: the block collects the 3 elements of out that each thread writes and writes them side by side
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

// CHECK: __shared__ float out_runs[kBlockX][3];
// CHECK: if (i < n) {
// CHECK: out_runs[threadIdx.x][0] = x * x;
// CHECK: out_runs[threadIdx.x][2] = x + 1;
// CHECK: out_runs[threadIdx.x][1] = x - 1;
// CHECK: }
// CHECK-NEXT: __syncthreads();
// CHECK: for (int at = threadIdx.x; at < 192; at += 64) {
// CHECK-NEXT: if ((int)blockIdx.x * 64 + at / 3 < n) {
// CHECK-NEXT: out[(int)blockIdx.x * 192 + at] = out_runs[at / 3][at % 3];
__global__ void records(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  out[3 * i] = x * x;
  out[3 * i + 2] = x + 1;
  out[3 * i + 1] = x - 1;
}

// In loops, through a pointer of the thread's own, two arrays, no guard. Rows of an even number of words get one more.
// CHECK: __shared__ float out_runs[kBlockX][9];
// CHECK: __shared__ int more_runs[kBlockX][3];
// CHECK: for (int k = 0; k < 4; ++k) {
// CHECK: out_runs[threadIdx.x][k * 2] =
// CHECK: out_runs[threadIdx.x][k * 2 + 1] =
// CHECK: __syncthreads();
// CHECK: out[(int)blockIdx.x * 512 + at] = out_runs[at / 8][at % 8];
// CHECK: more[(int)blockIdx.x * 192 + at] = more_runs[at / 3][at % 3];
// WIDE: for (int at = {{.*}} * 4; at < 512; at += 256)
// WIDE: *(float4*)(out + ((int)blockIdx.x * 512 + at)) =
__global__ void spread(const float* in, float* out, int* more) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* mine = out + 8 * i;
  for (int k = 0; k < 4; ++k) {
    mine[2 * k] = in[i] * k;
    mine[2 * k + 1] = in[i] - k;
  }
  for (int k = 2; k >= 0; --k) more[3 * i + k] = k;
}

struct Point {
  float x, y, z;
};
// CHECK: ((float*)out)[(int)blockIdx.x * 192 + at] = out_runs[at / 3][at % 3];
__global__ void fields(const float* in, Point* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && n > 2) {
    out[i].x = in[i];
    out[i].y = 2 * in[i];
    out[i].z = 3 * in[i];
  }
}

template <class T> void print(const char* name, T* values, int n) {
  std::vector<T> copy(n);
  cudaMemcpy(copy.data(), values, n * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += copy[i] * (i % 17 + 1);
  std::printf("%s %d: %.9g\n", name, n, sum);
}

int main() {
  const int most = 256;
  std::vector<float> values(most);
  for (int i = 0; i < most; ++i) values[i] = i * 7 % 11;
  float *in, *out;
  int* more;
  cudaMalloc(&in, most * sizeof(float));
  cudaMalloc(&out, 8 * most * sizeof(float));
  cudaMalloc(&more, 3 * most * sizeof(int));
  cudaMemcpy(in, values.data(), most * sizeof(float), cudaMemcpyHostToDevice);
  for (int n : {1, 63, 64, 65, 200, 256}) {
    cudaMemset(out, 0, 8 * most * sizeof(float));
    records<<<(n + 63) / 64, 64>>>(in, out, n);
    print("records", out, 3 * most);
    fields<<<(n + 63) / 64, 64>>>(in, (Point*)out, n);
    print("fields", out, 3 * most);
  }
  spread<<<most / 64, 64>>>(in, out, more);
  print("spread", out, 8 * most);
  print("more", more, 3 * most);
}
