// A plan with another geometry: the original stays, the new kernel stands behind it, and the launch calls the launch function.
// RUN: %hone opt %s --recipe 'block(x=32, y=8)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone check %t.cu --kernel add | FileCheck --check-prefix=RUNS %s
// RUNS: kernel `add`: clean

// REMARK: launch.cu:[[#@LINE+2]]: kernel `add`: blocks of 32x8 threads
// REMARK: launch.cu:[[#@LINE+1]]: kernel `add`: rewritten beside the original; 1 of 1 launch now calls add_launch
__global__ void add(const float* a, float* b, int w, int h) {
  int x = blockIdx.x*blockDim.x+threadIdx.x;  // kept byte for byte
  int y = blockIdx.y*blockDim.y+threadIdx.y;
  if (x < w && y < h) b[y * w + x] += a[y * w + x];
}  // add

// CHECK: __global__ void add(const float* a, float* b, int w, int h) {
// CHECK-NEXT: int x = blockIdx.x*blockDim.x+threadIdx.x;  // kept byte for byte
// CHECK: }  // add
// CHECK-EMPTY:
// CHECK-NEXT: // add, optimized by hone for h200.
// CHECK-NEXT: // recipe: block(x=32, y=8)
// CHECK: namespace add_hone {
// CHECK: __global__ __launch_bounds__(kThreads) void kernel(const float* a, float* b, int w, int h) {
// CHECK: }  // namespace add_hone
// CHECK: // Stands for a launch of add: same grid, block and arguments.
// CHECK-NEXT: static inline void add_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
// CHECK: const long long threads_x = (long long)grid.x * block.x;
// CHECK: // Where one of these does not hold, the original runs.
// CHECK-NEXT: const bool covered = w <= threads_x && h <= threads_y && grid.z == 1 && block.z == 1;
// CHECK-NEXT: const bool in_range = threads_x <= {{[0-9]+}} && threads_y <= {{[0-9]+}};
// CHECK-NEXT: if (enabled && covered && in_range) {
// CHECK-NEXT: const dim3 blocks((grid.x * block.x + kBlockX - 1) / kBlockX, (grid.y * block.y + kBlockY - 1) / kBlockY),
// CHECK-NEXT: threads(kBlockX, kBlockY);
// CHECK-NEXT: add_hone::kernel<<<blocks, threads, 0, stream>>>(a, b, w, h);
// CHECK-NEXT: return;
// CHECK-NEXT: }
// CHECK-NEXT: #endif
// CHECK-NEXT: add<<<grid, block, shared, stream>>>(a, b, w, h);

void run(const float* a, float* b, int w, int h) {
  dim3 block(16, 16);
  add<<<dim3((w + 15) / 16, (h + 15) / 16), block>>>(a, b /* in and out */, w, h);
}
// CHECK: dim3 block(16, 16);
// CHECK-NEXT: add_launch(dim3((w + 15) / 16, (h + 15) / 16), block, 0, 0, a, b /* in and out */, w, h);
