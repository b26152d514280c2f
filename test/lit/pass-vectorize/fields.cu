// A size that is a field of a struct is known to the host as others are.
// RUN: %hone opt %s --recipe vectorize -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe vectorize --set p.size.pitch=130 | FileCheck --check-prefix=SAME %s
struct Size {
  int width, pitch;
};
struct Image {
  Size size;
};

// SAME: kernel `sums`: equal in
// REMARK: kernel `sums`: 2 elements of from loaded in one access
// CHECK: const float2 from_pair = *(const float2*)(from + (y * p.size.pitch + 2 * x));
// CHECK: (size_t)from % 8 == 0 && p.size.pitch % 2 == 0;
#pragma hone grid(1, 4) block(32)
__global__ void sums(const float* from, float* to, Image p) {
  int y = blockIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
  to[y * 64 + x] = from[y * p.size.pitch + 2 * x] + from[y * p.size.pitch + 2 * x + 1];
}
