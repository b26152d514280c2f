// What the second kernel lacks shows where the first was not run: it is told.
// RUN: %hone verify %s --kernel whole --with part | FileCheck %s
// RUN: %hone verify %s --kernel whole --with part --json - | FileCheck --check-prefix=JSON %s
// CHECK: kernel `whole`: equal in
// CHECK: statements of the first that no run came to, and that the second may lack: {{.*}}lacks.cu:14
// JSON: "unreached_in_first"
// JSON-NEXT: {
// JSON-NEXT: "file"
// JSON-NEXT: "line": 14
__global__ void whole(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = a[i];
    if (a[i] > 1000) v = 2;
    b[i] = v;
  }
}
__global__ void part(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i];
}
