// A plan that keeps the launch but needs a condition: tested at the entry of the kernel where a launch is out of sight, before the launch where all are in sight.
// RUN: %hone opt %s --recipe promote --kernel mv -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe promote --kernel seen -o %t.2.cu 2>&1 | FileCheck --check-prefix=REMARK2 %s
// RUN: FileCheck --check-prefix=SEEN %s < %t.2.cu
// RUN: %clang_cuda_ptx %t.2.cu

// REMARK: kernel `mv`: rewritten, its condition tested at entry
__global__ void mv(const float* a, const float* b, float* c, int w) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < w)
    for (int i = 0; i < w; ++i) c[y] += a[y * w + i] * b[i];
}
// CHECK: __global__ void mv(const float* a, const float* b, float* c, int w) {
// CHECK-NEXT: // hone: begin, in place of mv
// CHECK-NEXT: #ifndef HONE_OFF
// CHECK-NEXT: // Where this does not hold, the original runs.
// CHECK-NEXT: if (
// CHECK: float c_sum = c[y];
// CHECK: } else {
// CHECK: c[y] += a[y * w + i] * b[i];

// REMARK2: kernel `seen`: rewritten beside the original; 1 of 1 launch now calls seen_launch
__global__ void seen(const float* a, float* c, int w) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < w)
    for (int i = 0; i < w; ++i) c[y] += a[y * w + i];
}
// SEEN: namespace seen_hone {
// SEEN: const bool apart =
// SEEN: seen_hone::kernel<<<grid, block, 0, stream>>>(a, c, w);
// SEEN: seen<<<grid, block, shared, stream>>>(a, c, w);
void run(const float* a, float* c, int w) { seen<<<(w + 255) / 256, 256>>>(a, c, w); }
// SEEN: seen_launch((w + 255) / 256, 256, 0, 0, a, c, w);
