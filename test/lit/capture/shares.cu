// What the program spends no time on is left alone, and the rest is chosen for what it is launched with.
// RUN: rm -f %t.capture && %hone run --fast --capture %t.capture %s
// RUN: sed 's/"by":"hone run","device":"h200"/"by":"cupti","device":"another"/' %t.capture > %t.gpu.capture
// RUN: %hone opt %s --capture %t.gpu.capture --diff -v > %t.diff 2> %t.said
// RUN: FileCheck %s < %t.said
// RUN: %hone opt %s --capture %t.gpu.capture --kernel rare --diff 2>&1 | FileCheck --check-prefix=NAMED %s
// CHECK-DAG: kernel `common`: estimated {{.*}} times faster on h200 (h=1024 w=1024, as captured)
// CHECK-DAG: kernel `never`: left alone: no launch in {{.*}} is known to be of it; --kernel with its name has it looked at
// CHECK-DAG: kernel `rare`: left alone: it has 0.{{[0-9]+}} % of the program's time on the device by {{.*}}, too little to be worth a change; --kernel with its name has it looked at
// CHECK-DAG: by the capture, what was rewritten has 9{{[0-9]}} % of the program's time on the device; all of it together is estimated to be {{.*}} times faster
// NAMED-NOT: too little to be worth a change
// Where the target itself took far less than is estimated, estimates say nothing.
// RUN: sed 's/"by":"hone run"/"by":"cupti"/' %t.capture > %t.fast.capture
// RUN: %hone opt %s --capture %t.fast.capture --diff -v 2>&1 | FileCheck --check-prefix=FAST %s
// FAST: kernel `common`: left as it is: it took {{.*}} us when it was captured and is estimated at {{.*}} us: estimates of it are not to be trusted; hone tune measures it
// What hone run counts in place of time says less.
// RUN: %hone opt %s --capture %t.capture --diff -v 2>&1 | FileCheck --check-prefix=COARSE %s
// COARSE-NOT: too little to be worth a change
// COARSE: by the capture, what was rewritten has {{[0-9]+}} % of the program's time on hone run's coarse clock; all of it
#include <cuda_runtime.h>

__global__ void common(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}

__global__ void rare(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 1;
}

__global__ void never(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 2;
}

static void turn(const float* in, float* out, int w, int h) {
  common<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(in, out, w, h);
}

int main(int argc, char** argv) {
  const int w = 512 * (argc + 1), h = 1024;
  float *a, *b;
  cudaMalloc(&a, w * h * sizeof(float));
  cudaMalloc(&b, w * h * sizeof(float));
  rare<<<(w * h + 255) / 256, 256>>>(a, w * h);
  if (argc > 3) never<<<1, 32>>>(a, 32);
  for (int i = 0; i < 130; ++i) turn(a, b, w, h);
  return cudaDeviceSynchronize();
}
