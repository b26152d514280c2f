// Only the original is a friend: what stands beside it may not name what the friend may.
// RUN: %hone opt %s --recipe 'block(x=64)' --kernel fill -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %hone opt %s --recipe 'unroll(by=2)' --kernel sums -o %t.2.cu 2>&1 | FileCheck --check-prefix=INPLACE %s
class Pair {
  int value;

 public:
  explicit Pair(int v) : value(v) {}
  friend __global__ void fill(int* x, int n, Pair p);
  friend __global__ void sums(int* x, int n, Pair p);
};
// REMARK: friend.cu:[[#@LINE+1]]: kernel `fill`: left alone: its new text would name what only friends and members may (Clang: 'value' is a private member of 'Pair')
__global__ void fill(int* x, int n, Pair p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = p.value;
}
// INPLACE: kernel `sums`: rewritten
__global__ void sums(int* x, int n, Pair p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
  for (int j = 0; j < n; ++j) s += j * p.value;
  if (i < n) x[i] = s;
}
void run(int* b, int n) {
  fill<<<(n + 255) / 256, 256>>>(b, n, Pair(3));
  sums<<<(n + 255) / 256, 256>>>(b, n, Pair(3));
}
