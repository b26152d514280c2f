// Names of what hone writes step aside for the file's own: a kernel named `kernel`, constants behind `using namespace`, macros of either kind that the kernel does not use.
// RUN: %hone opt %s --recipe 'block(x=64)' --kernel kernel --kernel scale -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe 'block(x=16, y=16) stage merge-threads(y=4)' --kernel product -o %t.2.cu 2>&1 | FileCheck --check-prefix=STAGED %s
// RUN: FileCheck --check-prefix=TILES %s < %t.2.cu
// RUN: %clang_cuda_ptx %t.2.cu
#define tx threadIdx.x
#define ty threadIdx.y
#define blocks(n) (((n) + 31) / 32)
#define bx(n) n
namespace config {
constexpr int kThreads = 256;
constexpr int kBlockX = 32;
}  // namespace config
using namespace config;

// REMARK: kernel `kernel`: rewritten beside the original; 1 of 1 launch now calls kernel_launch
__global__ void kernel(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1.0f;
}
// CHECK: namespace kernel_hone {
// CHECK-NEXT: constexpr int kBlockX_2 = 64;
// CHECK: void kernel_2(float* x, int n)
// CHECK: static inline void kernel_launch(
// CHECK-NEXT: #ifndef HONE_OFF
// CHECK-NEXT: using namespace kernel_hone;
// CHECK: const dim3 blocks_2((grid.x * block.x + kBlockX_2 - 1) / kBlockX_2), threads(kBlockX_2);
// CHECK-NEXT: kernel_hone::kernel_2<<<blocks_2, threads, 0, stream>>>(x, n);
// CHECK: kernel<<<grid, block, shared, stream>>>(x, n);

// REMARK: kernel `scale`: rewritten beside the original; 1 of 1 launch now calls scale_launch
__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

// STAGED: kernel `product`: rewritten beside the original; 1 of 1 launch now calls product_launch
__global__ void product(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float s = 0;
    for (int k = 0; k < n; ++k) s += a[row * n + k] * b[k * n + col];
    c[row * n + col] = s;
  }
}
// TILES: namespace product_hone {
// TILES-NOT: int tx =
// TILES: void product_launch

void run(float* a, float* b, float* c, int n) {
  kernel<<<blocks(n), kThreads / 8>>>(a, n);
  // CHECK: kernel_launch(blocks(n), kThreads / 8, 0, 0, a, n);
  scale<<<blocks(n), 32>>>(a, n);
  product<<<dim3(blocks(n) * 2, blocks(n) * 2), dim3(16, 16)>>>(a, b, c, n);
}
