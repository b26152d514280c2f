// What vectorize has loaded in one access goes from the thread's own variables to the tile by plain stores: no
// asynchronous copy reads those.
// RUN: %hone opt %s --target h200 --reassociate --block 112 --recipe 'stage(depth=32, wide=4, layout=rows) vectorize(a) prefetch(to=async)' --no-verify -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --target h200 --reassociate --block 112 --grid 1 --recipe 'stage(depth=32, wide=4, layout=rows) vectorize(a) prefetch(to=async)' --set k=40 --set w=104 | FileCheck --check-prefix=SAME %s
// SAME: kernel `rows`: equal in

// CHECK-LABEL: namespace rows_hone
// CHECK: a_part[4] =
// CHECK-NOT: __pipeline_memcpy_async({{.*}}a_part
// CHECK: a_tile[0][row][col + v] = a_part[v];
// CHECK: __pipeline_memcpy_async({{.*}}(a + (
__global__ void rows(const int* a, int* c, int w, int k) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x < w) {
    const int* from = a + x * k;
    int sum = 1;
    for (int j = 0; j < k; ++j) {
      sum += from[j];
    }
    c[x] = sum;
  }
}
