// Threads that share a row take neighbours of it in accesses of 16 bytes: elements of 4, 2, 1 and 8 bytes, kept in
// registers or not. Rows that are no whole groups, or too many, are walked element by element.
// RUN: %hone opt %s --recipe 'split-reduction(each=4, keep=2) vectorize' --kernel layernorm --reassociate -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %hone opt %s --recipe 'split-reduction(each=8, keep=2) vectorize' --reassociate -o %t.8.cu 2>/dev/null
// RUN: FileCheck --check-prefix=EIGHT %s < %t.8.cu
// RUN: awk '/^namespace layernorm_hone/,/hone: end/' %t.cu | awk '/__global__/,/^}/' | awk '/^}/ { exit } { print }' | %python -c "import sys; assert 40 < len(sys.stdin.readlines()) < 80"
// REMARK: kernel `layernorm`: note: longer rows, and those that are no multiple of 4 elements, are walked element by element
// REMARK: kernel `layernorm`: 4 elements of in loaded in one access, 4 elements of out stored in one access, 4 elements of weight loaded in one access, 4 elements of bias loaded in one access

// Rows of all lengths: none, one, odd, one to three more than whole groups, whole groups of some threads alone, long ones.
// RUN: %hone verify %s --recipe 'split-reduction(each=4, keep=2) vectorize' --reassociate --kernel wide --set rows=5 --set width=0 | FileCheck --check-prefix=ODD %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4, keep=2) vectorize' --reassociate --set rows=5 --set width=1 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4, keep=2) vectorize' --reassociate --set rows=6 --set width=4 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4, keep=2) vectorize' --reassociate --set rows=7 --set width=77 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4, keep=2) vectorize' --reassociate --kernel softmax --set rows=7 --set width=78 | FileCheck --check-prefix=ODD %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4, keep=2) vectorize' --reassociate --kernel softmax --set rows=7 --set width=79 | FileCheck --check-prefix=ODD %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4, keep=2) vectorize' --reassociate --set rows=7 --set width=80 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4, keep=2) vectorize' --reassociate --kernel softmax --set rows=3 --set width=1300 | FileCheck --check-prefix=LONG %s
// RUN: %hone verify %s --recipe 'split-reduction(each=8, keep=2) vectorize' --reassociate --set rows=7 --set width=88 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(each=8, keep=2) vectorize' --reassociate --kernel scale --set rows=7 --set width=92 | FileCheck --check-prefix=ODD %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=64, each=4, keep=3) vectorize' --reassociate --set rows=7 --set width=88 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4) vectorize' --reassociate --set rows=7 --set width=88 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4) vectorize' --reassociate --kernel layernorm --set rows=7 --set width=91 | FileCheck --check-prefix=ODD %s
// SAME-NOT: NOT EQUAL
// SAME-COUNT-6: kernel `{{[A-Za-z]+}}`: equal in
// Rows that begin at odd elements.
// RUN: %hone verify %s --recipe 'split-reduction(each=4, keep=2) vectorize' --reassociate --kernel layernorm --set rows=7 --set width=80 --alias in=weight+1 | FileCheck --check-prefix=ODD %s
// ODD: equal in
// LONG: width=1300, grid 1, block 256: equal (conditions of the fast version do not hold here: the original ran)
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// CHECK: kernel_1(
// CHECK: float x_kept[kIterations][kEach];
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int slot = 0; slot < kIterations; ++slot) {
// CHECK-NEXT: const int i_first = (lane + slot * kLanes) * kEach;
// CHECK-NEXT: if (i_first + 3 < width) {
// CHECK-NEXT: // Several elements in one access: loads of in.
// CHECK-NEXT: const float4 in_four = *(const float4*)(x + i_first);
// CHECK: x_kept[slot][e] = in_part[e];
// CHECK: const float4 weight_four = *(const float4*)(weight + i_first);
// CHECK: *(float4*)(out + {{.*}}) =
// CHECK: kernel_2(
// CHECK-NOT: kept
// CHECK: for (int i = lane; i < width; i += kLanes) {
// CHECK-NOT: kernel_3
// CHECK: width % 4 == 0
// CHECK: width <= 256
// CHECK: layernorm_hone::kernel_1<<<
// CHECK: layernorm_hone::kernel_2<<<
__global__ void layernorm(float* out, float* mean, float* rstd, const float* in, const float* weight, const float* bias,
                          int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* x = in + r * width;
  float m = 0.0f;
  for (int i = 0; i < width; i++) m += x[i];
  m = m / width;
  float v = 0.0f;
  for (int i = 0; i < width; i++) {
    float d = x[i] - m;
    v += d * d;
  }
  float s = 1.0f / sqrtf(v / width + 1e-5f);
  for (int i = 0; i < width; i++) out[r * width + i] = s * (x[i] - m) * weight[i] + bias[i];
  mean[r] = m;
  rstd[r] = s;
}

__global__ void softmax(float* out, const float* in, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    const float* x = in + r * width;
    float* y = out + r * width;
    float most = -3.4e38f;
    for (int j = 0; j < width; j++)
      if (x[j] > most) most = x[j];
    double sum = 0.0;
    for (int j = 0; j < width; j++) {
      y[j] = expf(x[j] - most);
      sum += y[j];
    }
    for (int j = 0; j < width; j++) y[j] /= (float)sum;
  }
}

// EIGHT: namespace shift_hone
// EIGHT: __nv_bfloat16 x_kept[kIterations][kEach];
// EIGHT: *(uint4*)x_part = *(const uint4*)(x +
// EIGHT: *(uint4*)(y + {{.*}}) = *(const uint4*)y_part;
__global__ void shift(const __nv_bfloat16* __restrict__ x, __nv_bfloat16* __restrict__ y, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int j = 0; j < width; ++j) sum += __bfloat162float(x[r * width + j]);
  for (int j = 0; j < width; ++j) y[r * width + j] = __float2bfloat16(__bfloat162float(x[r * width + j]) - sum);
}

// EIGHT: namespace scale_hone
// EIGHT: *(uint4*)x_part = *(const uint4*)(x +
// EIGHT: *(uint4*)(y + {{.*}}) = *(const uint4*)y_part;
__global__ void scale(const __half* __restrict__ x, __half* __restrict__ y, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = 0;
  for (int j = 0; j < width; ++j) most = fmaxf(most, fabsf(__half2float(x[r * width + j])));
  for (int j = 0; j < width; ++j) y[r * width + j] = __float2half(__half2float(x[r * width + j]) / (most + 1));
}

__global__ void bytes(const unsigned char* __restrict__ x, unsigned char* __restrict__ y, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int sum = 0;
  for (int j = 0; j < width; ++j) sum += x[r * width + j];
  for (int j = 0; j < width; ++j) y[r * width + j] = x[r * width + j] + sum;
}

__global__ void wide(const double* __restrict__ x, double* __restrict__ y, double* __restrict__ sums, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  double sum = 0;
  for (int j = 0; j < width; ++j) sum += x[r * width + j];
  for (int j = 0; j < width; ++j) y[r * width + j] = x[r * width + j] / (sum + 1);
  sums[r] = sum;
}
