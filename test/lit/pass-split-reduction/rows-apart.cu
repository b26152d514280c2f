// Rows of which nothing is known before the launch (gathers, pointers from memory): the kernel asks where it
// walks them, and one thread walks those that overlap in order.
// RUN: %hone opt %s --recipe split-reduction -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe split-reduction --exact --set rows=5 --set n=70 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=64)' --exact --set rows=3 --set n=90 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(each=2)' --exact --set rows=3 --set n=90 | FileCheck --check-prefix=SAME %s
// SAME-NOT: NOT EQUAL
// SAME-COUNT-8: kernel `{{[A-Za-z]+}}`: equal in

// What overlaps gives what the original gives, row by row.
// RUN: %hone verify %s --recipe split-reduction --exact --kernel gather --set rows=1 --set n=70 --alias table=y+1 | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe split-reduction --exact --kernel gather --set rows=1 --set n=70 --alias y=table+1 | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe split-reduction --exact --kernel gather --set rows=1 --set n=70 --alias y=table | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe split-reduction --exact --kernel inside --set rows=1 --set n=70 --alias y=table+1 | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe split-reduction --exact --kernel inside --set rows=1 --set n=70 --alias y=ids | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe split-reduction --exact --kernel shifted --set rows=1 --set n=70 --alias y=table+3 | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe split-reduction --exact --kernel mixed --set rows=1 --set n=70 --alias y=table+1 | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe split-reduction --exact --kernel back --set rows=1 --set n=70 --alias y=table+5 | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe split-reduction --exact --kernel two --set rows=1 --set n=70 --alias y=a+1 | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe split-reduction --exact --kernel two --set rows=1 --set n=70 --alias y=b+1 | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --recipe split-reduction --exact --kernel maybe --set rows=1 --set n=70 --alias y=table+1 | FileCheck --check-prefix=ALIAS %s
// ALIAS: equal in

// REMARK: kernel `gather`: the iterations of L1 are shared by
// REMARK: kernel `gather`: note: where rows overlap the kernel walks them in order; it asks row by row
// CHECK: {{^}}// hone: begin, beside gather
// CHECK: const int id = ids[r];
// CHECK: if (y + r * n + n <= table + id * n || table + id * n + n <= y + r * n) {
// CHECK-NEXT: for (int j = lane; j < n; j += kLanes) {
// CHECK-NEXT: y[r * n + j] = table[id * n + j] + 1;
// CHECK-NEXT: }
// CHECK-NEXT: } else if (lane == 0) {
// CHECK-NEXT: // Rows that overlap are walked in order.
// CHECK-NEXT: for (int j = 0; j < n; ++j) {
__global__ void gather(const int* ids, const int* table, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int id = ids[r];
  for (int j = 0; j < n; ++j) y[r * n + j] = table[id * n + j] + 1;
}

// An index that the loop itself would read: not where it has no iteration, and it is not to change.
// CHECK: {{^}}// hone: begin, beside inside
// CHECK: if (0 < n && (y + r * n + n <= table + ids[r] * n || table + ids[r] * n + n <= y + r * n)) {
__global__ void inside(const int* ids, const int* table, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int j = 0; j < n; ++j) y[r * n + j] = table[ids[r] * n + j] + 1;
}

__global__ void shifted(const int* ids, const int* table, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int id = ids[r];
  for (int j = 2; j < n; ++j) y[r * n + j - 2] = table[id * n + j] * 3;
}

// Elements of different size.
__global__ void mixed(const int* ids, const short* table, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int id = ids[r];
  for (int j = 0; j < n; ++j) y[r * n + j] = table[id * n + j] + 1;
}

__global__ void back(const int* ids, int* y, const int* table, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const long long at = (long long)ids[r] * n;
  for (int j = 0; j < n; ++j) y[at + j] = table[(long long)r * n + j] - 1;
}

__global__ void two(const int* ids, const int* a, const int* b, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int id = ids[r];
  for (int j = 0; j < n; ++j) y[r * n + j] = a[id * n + j] + b[j];
}

// Read in some iterations alone: what the thread already knows may be asked for all the same.
__global__ void maybe(const int* ids, const int* table, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int id = ids[r];
  for (int j = 0; j < n; ++j)
    if (j % 3 == 0) y[r * n + j] = table[id * n + j] + 1;
}

// A sum beside it.
__global__ void after(const int* ids, const int* table, int* y, int* sums, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int id = ids[r];
  for (int j = 0; j < n; ++j) y[r * n + j] = table[id * n + j] + 1;
  int sum = 0;
  for (int j = 0; j < n; ++j) sum += y[r * n + j];
  sums[r] = sum;
}
