// Arrays that lie end to end share nothing: the test before the launch lets the fast kernel run, and not where they share one element.
// RUN: %hone opt %s --recipe 'block(x=32, y=8) stage' -o %t.cu 2> %t.said
// RUN: FileCheck --check-prefix=TEST %s < %t.cu
// RUN: FileCheck --check-prefix=SAID %s < %t.said
// RUN: %hone run %t.cu --json %t.json -- 0 && FileCheck --check-prefix=FAST %s < %t.json
// RUN: %hone run %t.cu --fast --json %t.json -- -1 && FileCheck --check-prefix=PLAIN %s < %t.json
// RUN: %hone verify %s --kernel blur --recipe 'block(x=32, y=8) stage' --set w=37 --set h=21 --grid 2,3 --block 32,8 --alias b=a+777 --exact | FileCheck %s
// RUN: %hone verify %s --kernel blur --recipe 'block(x=32, y=8) stage' --set w=37 --set h=21 --grid 2,3 --block 32,8 --alias b=a+776 --exact | FileCheck %s
// RUN: %hone verify %s --kernel blur --recipe 'block(x=32, y=8) stage' --set w=37 --set h=21 --grid 2,3 --block 32,8 --alias a=b+776 --exact | FileCheck %s
// CHECK: equal
// TEST: const bool apart = a + (long long)w * h <= b || b + (long long)w * h <= a;
// SAID: note: where this does not hold for a launch, the original runs: {{.*}}(&a[w * h] <= b || &b[w * h] <= a)
// FAST: "kernel": "blur_hone::kernel
// PLAIN: "kernel": "blur
// PLAIN-NOT: blur_hone
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void blur(const float* a, float* b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = a[y * w + x];
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    sum += a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x] + a[(y - 1) * w + x - 1] +
           a[(y - 1) * w + x + 1] + a[(y + 1) * w + x - 1] + a[(y + 1) * w + x + 1];
  b[y * w + x] = sum;
}

int main(int argc, char** argv) {
  const int w = 37, h = 21, more = argc > 1 ? std::atoi(argv[1]) : 0;
  std::vector<float> data(2 * w * h, 1.0f);
  float* both;
  cudaMalloc(&both, data.size() * sizeof(float));
  cudaMemcpy(both, data.data(), data.size() * sizeof(float), cudaMemcpyHostToDevice);
  blur<<<dim3(2, 3), dim3(32, 8)>>>(both, both + w * h + more, w, h);
  cudaDeviceSynchronize();
  cudaFree(both);
}
