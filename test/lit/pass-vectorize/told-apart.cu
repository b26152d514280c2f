// Neighbours of rows that memory names: behind a test that the rows lie apart, and at addresses that stay as they
// are while a loop runs.
// RUN: %hone opt %s --recipe 'split-reduction(each=4) vectorize' --reassociate -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %hone opt %s --recipe vectorize --kernel asked --no-verify -o %t.one.cu 2>/dev/null
// RUN: FileCheck --check-prefix=ASKED %s < %t.one.cu
// RUN: %hone opt %s --recipe vectorize --no-verify -o %t.no.cu 2>&1 | FileCheck --check-prefix=NOT %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4) vectorize' --kernel gather --reassociate --set rows=5 --set n=1 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4) vectorize' --kernel gather --reassociate --set rows=5 --set n=77 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4) vectorize' --kernel gather --reassociate --set rows=5 --set n=300 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=64, each=8) vectorize' --kernel embed --reassociate --set rows=5 --set n=304 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=64, each=8) vectorize' --kernel embed --reassociate --set rows=5 --set n=43 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4) vectorize' --kernel gather --reassociate --exact --set rows=1 --set n=72 --alias table=y+1 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(each=4) vectorize' --kernel gather --reassociate --exact --set rows=1 --set n=72 --alias y=table+4 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe vectorize --kernel asked --exact --set n=5 --alias b=a+4 | FileCheck --check-prefix=SAME %s
// SAME: equal in
#include <cuda_bf16.h>

// REMARK: kernel `gather`: 4 elements of y stored in one access, 4 elements of table loaded in one access
// CHECK: {{^}}// hone: begin, beside gather
// CHECK: if (y + r * n + n <= table + id * n || table + id * n + n <= y + r * n) {
// CHECK: for (; i_next + 3 < n; i_next += kLanes * kEach) {
// CHECK-NEXT: // Several elements in one access: loads of table, stores of y.
// CHECK: const float4 table_four = *(const float4*)(table + {{.*}});
// CHECK: *(float4*)(y + {{.*}}) = make_float4(
// CHECK: } else if (lane == 0) {
__global__ void gather(const int* ids, const float* table, float* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int id = ids[r];
  for (int i = 0; i < n; ++i) y[r * n + i] = table[id * n + i] + 1;
}

// CHECK: {{^}}// hone: begin, beside embed
// CHECK: const uint2
__global__ void embed(__nv_bfloat16* out, const int* tokens, const __nv_bfloat16* words, const __nv_bfloat16* places, int rows,
                      int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const __nv_bfloat16* word = words + tokens[r] * n;
  const __nv_bfloat16* place = places + r * n;
  __nv_bfloat16* to = out + r * n;
  for (int i = 0; i < n; ++i) to[i] = __float2bfloat16(__bfloat162float(word[i]) + __bfloat162float(place[i]));
}

// A test that somebody wrote.
// ASKED: const float4 b_four = *(const float4*)(b +
__global__ void asked(float* a, const float* b, const int* at, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  const int from = at[x] * 4;
  if (a + 4 * x + 4 <= b + from || b + from + 4 <= a + 4 * x)
    for (int i = 0; i < 4; ++i) a[4 * x + i] = b[from + i] * 2;
}

// One that says too little: of the first three elements, of other rows, or by memory that may have changed.
// NOT: kernel `shorter`: left alone: a may alias b
__global__ void shorter(float* a, const float* b, const int* at, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  const int from = at[x] * 4;
  if (a + 4 * x + 4 <= b + from || b + from + 3 <= a + 4 * x)
    for (int i = 0; i < 4; ++i) a[4 * x + i] = b[from + i] * 2;
}
// NOT: kernel `before`: left alone: a may alias b
__global__ void before(float* a, const float* b, const int* at, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  const int from = at[x] * 4;
  if (a + 4 * x + 4 <= b + from || b + from + 4 <= a + 4 * x + 1)
    for (int i = 0; i < 4; ++i) a[4 * x + i] = b[from + i] * 2;
}
// NOT: kernel `other`: left alone: a may alias b
__global__ void other(float* a, const float* b, const int* at, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  int from = at[x] * 4;
  if (a + 4 * x + 4 <= b + from || b + from + 4 <= a + 4 * x) {
    from = at[x + n] * 4;
    for (int i = 0; i < 4; ++i) a[4 * x + i] = b[from + i] * 2;
  }
}
// NOT: kernel `again`: left alone:
__global__ void again(float* a, const float* b, const int* at, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  for (int i = 0; i < 4; ++i) a[at[x] * 4 + i] = b[at[x] * 4 + i] * 2;
}
