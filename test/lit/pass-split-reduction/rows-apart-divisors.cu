// A test of rows in the kernel divides only where the loop does for certain: not by 0 for a row that has no
// iterations, nor where a condition keeps them from dividing.
// RUN: %hone opt %s --recipe split-reduction --no-verify -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --recipe split-reduction --exact --kernel certain --set rows=1 --set n=0 --set size=0 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe split-reduction --exact --kernel certain --set rows=1 --set n=70 --set size=9 --alias y=table+1 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe split-reduction --exact --kernel number --set rows=1 --set n=70 --alias y=table+1 | FileCheck --check-prefix=SAME %s
// SAME: equal in 1 run{{$}}

// CHECK: {{^}}// hone: begin, beside certain
// CHECK: if (0 < n && (y + r * n + n <= table + id % size || table + id % size + n <= y + r * n)) {
__global__ void certain(const int* ids, const int* table, int* y, int rows, int size, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int id = ids[r];
  for (int j = 0; j < n; ++j) y[r * n + j] = table[id % size + j] + 1;
}

// REMARK: rows-apart-divisors.cu:[[@LINE+6]]: kernel `maybe`: left alone: table may alias y (`ids[r]` is loaded from memory); add __restrict__ or pass --assume-noalias
__global__ void maybe(const int* ids, const int* table, int* y, int rows, int size, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int id = ids[r];
  for (int j = 0; j < n; ++j)
    if (size != 0) y[r * n + j] = table[id / size + j] + 1;
}

// No harm in dividing by a number.
// CHECK: {{^}}// hone: begin, beside number
// CHECK: if (y + r * n + n <= table + id / 3 || table + id / 3 + n <= y + r * n) {
__global__ void number(const int* ids, const int* table, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int id = ids[r];
  for (int j = 0; j < n; ++j)
    if (j % 2) y[r * n + j] = table[id / 3 + j] + 1;
}
