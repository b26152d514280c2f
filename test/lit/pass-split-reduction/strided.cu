// Loops that step by what the launch or a parameter says, as threads that share an array do.
// RUN: %hone verify %s --recipe split-reduction --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=64)' --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=8, rows=24)' --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=grid, ways=3, rows=32)' --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=grid, ways=2)' --reassociate --kernel shared_out | FileCheck --check-prefix=ONE %s
// SAME-NOT: NOT EQUAL
// SAME-NOT: the original ran
// SAME-COUNT-8: kernel `{{[a-z_]+}}`: equal in
// ONE: kernel `shared_out`: equal in
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=16, rows=32)' --kernel shared_out --reassociate 2>/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=16, rows=32)' --kernel shared_out --reassociate 2>&1 >/dev/null | FileCheck --check-prefix=REMARK %s
// A step that is not positive leaves it to the original.
// RUN: %hone verify %s --recipe split-reduction --kernel by_number --set stride=0 --set n=-1 --exact | FileCheck --check-prefix=ZERO %s
// ZERO: kernel `by_number`: equal in 1 run
// ZERO-NEXT: n=-1 stride=0, grid 2, block 32: equal (conditions of the fast version do not hold here: the original ran)

// REMARK: kernel `shared_out`: the iterations of L1 (sum) are shared by 16 threads of a block
// CHECK: constexpr int kRows = 32;
// CHECK: __shared__ float sum_parts[kThreads][kRows];
// CHECK: const int lane = {{.*}}threadIdx.y
// CHECK: for (int i = x + lane * threads; i < n; i += kThreads * threads) {
// CHECK-NEXT: sum += a[i];
// CHECK: sum_parts[lane][threadIdx.x] = sum;
// CHECK: __syncthreads();
// CHECK-NEXT: for (int half = kThreads / 2; half > 0; half /= 2) {
// CHECK: sum_parts[lane][threadIdx.x] += sum_parts[lane + half][threadIdx.x];
// CHECK: __syncthreads();
// CHECK: lane == 0
// CHECK: part[x] = sum;
#pragma hone grid(3) block(40) length(a=n, part=120)
__global__ void shared_out(const float* a, float* part, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = x; i < n; i += threads) sum += a[i];
  part[x] = sum;
}

#pragma hone grid(3) block(40) length(a=n, part=120)
__global__ void by_unsigned(const unsigned* a, unsigned* part, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, most = 0, all = 5;
  for (unsigned i = x; i < n; i += gridDim.x * blockDim.x) {
    most = max(most, a[i]);
    all ^= a[i] * i;
  }
  part[x] = most + 3 * all;
}

#pragma hone grid(2) block(33) length(a=n, part=66)
__global__ void wide(const double* a, double* part, size_t n) {
  size_t x = blockIdx.x * (size_t)blockDim.x + threadIdx.x, step = (size_t)gridDim.x * blockDim.x;
  double sum = 1;
  for (size_t i = x; i < n; i += step) sum += a[i];
  part[x] = sum;
}

// The step is a parameter, the end included.
#pragma hone grid(2) block(32) set(stride=7) length(a=n+1, part=64)
__global__ void by_number(const int* a, int* part, int n, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int i = 0; i <= n; i += stride) sum += a[i] * (x + 1);
  part[x] = sum;
}

// Where it begins is known to the thread alone.
#pragma hone grid(2) block(32) set(stride=3) length(a=n+200, first=64, part=64)
__global__ void from_memory(const int* a, const unsigned char* first, int* part, int n, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int i = first[x]; i < n; i += stride) sum += a[i];
  part[x] = sum;
}

// A guard of the thread's own, loads before the loop, something to do behind it.
#pragma hone grid(3) block(40) length(a=n, part=120, b=120)
__global__ void guarded(const int* a, const int* b, int* part, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= 117) return;
  int scale = b[x] + m;
  if (scale > 3) {
    int sum = scale, product = 1;
    for (int i = x; i < n; i += gridDim.x * blockDim.x) {
      sum += a[i] / (scale & 7 ? scale & 7 : 1);
      product *= a[i] | 1;
    }
    part[x] = sum * scale - product;
  }
}

// Several elements an iteration.
#pragma hone grid(3) block(40) length(a=n+2, part=1)
__global__ void by_threes(const int* a, int* part, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int i = 3 * x; i < n; i += blockDim.x * gridDim.x * 3) sum += a[i] - a[i + 1] * a[i + 2];
  atomicAdd(part, sum);
}
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=16, rows=32)' --kernel by_threes 2>/dev/null | FileCheck --check-prefix=THREES %s
// THREES: for (int i = 3 * x + lane * (threads_x * 3); i < n; i += {{.*}}kThreads * (threads_x * 3)

// Two axes, columns side by side.
#pragma hone set(w=45, h=3) grid((w + 31) / 32, h) block(32)
__global__ void columns(const int* a, int* out, int w, int h, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += a[(i * h + y) * w + x];
    out[y * w + x] = sum;
  }
}
