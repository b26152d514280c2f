// In files that launch kernels, one that nothing launches is not written and no speed-up is claimed for it, unless it is named or offered.
// RUN: %hone opt %s --set n=256 -o %t.cu --json %t.json > %t.txt 2>&1 && FileCheck %s < %t.txt && FileCheck %s --check-prefix=ONE < %t.cu
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %hone opt %s --set n=256 --offer -o %t.2.cu 2>&1 | FileCheck --check-prefix=OFFER %s
// RUN: %hone opt %s --set n=256 --kernel spare -o %t.3.cu 2>&1 | FileCheck --check-prefix=NAMED %s
// RUN: %hone opt %s --recipe 'block(x=16, y=16) stage' --no-verify -o %t.4.cu 2>&1 | FileCheck --check-prefix=GIVEN %s
// Launched from another of the given files:
// RUN: rm -rf %t && mkdir %t && cp %s %t/k.cu && cp %S/Inputs/launches_spare.cu %t && %hone opt %t/k.cu %t/launches_spare.cu --set n=256 --in-place 2>&1 | FileCheck --check-prefix=OTHER %s

// CHECK: kernel `product`: rewritten beside the original; 1 of 1 launch now calls product_launch
// CHECK-NOT: kernel `spare`{{.*}}faster
// CHECK: never_launched.cu:[[#@LINE+20]]: kernel `spare`: left alone: nothing in the files at hand launches it; --kernel with its name, or --offer, has it rewritten all the same
// CHECK-NOT: kernel `spare`{{.*}}faster
// CHECK: 1 of 2 kernels rewritten, 1 of 1 launch changed
// ONE-NOT: spare_launch
// JSON: "name": "spare"
// JSON-NOT: "speedup": {{[0-9]}}
// OFFER: kernel `spare`: rewritten beside the original; no launch of it is in sight
// NAMED: kernel `spare`: rewritten beside the original; no launch of it is in sight
// GIVEN: kernel `spare`: rewritten beside the original; no launch of it is in sight
// OTHER: kernel `spare`: rewritten beside the original; 1 of 1 launch now calls spare_launch

__global__ void product(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float s = 0;
    for (int k = 0; k < n; ++k) s += a[row * n + k] * b[k * n + col];
    c[row * n + col] = s;
  }
}

__global__ void spare(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float s = 1;
    for (int k = 0; k < n; ++k) s += a[row * n + k] * b[k * n + col];
    c[row * n + col] = s;
  }
}

void run(const float* a, const float* b, float* c, int n) {
  product<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, b, c, n);
}
