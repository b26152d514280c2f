// Tuned for several sizes: a kernel for each class of sizes, chosen by the launch function; classes where nothing is faster keep the original.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_sizes.py 2000 50000' --sizes 'n=1000,4000,16000,64000' --budget 8 --store %t/s.db -o %t/out.cu 2>&1 | FileCheck %s --check-prefix=TOLD
// RUN: FileCheck %s --check-prefix=TEXT < %t/out.cu
// RUN: %hone run %t/out.cu -- 1000 2000 2001 32000 32001 64000 | FileCheck %s --check-prefix=RAN
// RUN: %hone verify --program %s %t/out.cu -- 1000 33000 64000 | FileCheck %s --check-prefix=EQUAL
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_sizes.py 2000 50000' --sizes n=4000 --sizes n=64000,1000 --budget 6 --store %t/s.db --report %t/page.html -o %t/again.cu 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: FileCheck %s --check-prefix=PAGE < %t/page.html
// RUN: %hone tune %s --device 'worker:%python %S/Inputs/fake_sizes.py 90000 90000' --sizes 'n=1000..4000' --budget 2 --no-store -o %t/none.cu 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: diff %s %t/none.cu
// RUN: not %hone tune %s --sizes 'm=1,2' --no-store -o %t/none.cu 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %hone tune %s --sizes 'n=' --no-store -o %t/none.cu 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not %hone tune %s --sizes 'n=5' --set n=3 --no-store -o %t/none.cu 2>&1 | FileCheck %s --check-prefix=BOTH

// TOLD: blur on paper at 4 sizes
// TOLD: n=1000 10.00 ±0.0 % the original 10.00 1.00
// TOLD: n=4000 10.00 ±0.0 % small 8.00 1.25
// TOLD: n=64000 10.00 ±0.0 % large 4.00 2.50
// TOLD: class the original, n <= 2000: as it is
// TOLD: class small, 2000 < n <= 32000: {{.+}}
// TOLD: class large, n > 32000: {{.+}}
// TOLD: dispatch checked at 8 sizes, among them both sides of every threshold; 8 of them run on the embedded device
// TEXT: recipe: by size, measured on paper at 4 sizes
// TEXT-NEXT: the original, n <= 2000: as it is
// TEXT-NEXT: small, 2000 < n <= 32000:
// TEXT-NEXT: large, n > 32000:
// TEXT: not measured: below n=1000 and above n=64000, where the class at that end is taken
// TEXT: namespace blur_hone {
// TEXT: void small(
// TEXT: void large(
// TEXT: void blur_launch(
// TEXT: if (n <= 2000) {
// TEXT-NEXT: blur<<<grid, block, shared, stream>>>(a, b, n);
// TEXT-NEXT: } else if (n <= 32000) {
// TEXT: blur_hone::small<<<
// TEXT: } else {
// TEXT: blur_hone::large<<<
// TEXT: blur_launch(
// RAN: 1000: 0 wrong
// RAN: 2000: 0 wrong
// RAN: 2001: 0 wrong
// RAN: 32000: 0 wrong
// RAN: 32001: 0 wrong
// RAN: 64000: 0 wrong
// EQUAL: : equal (
// AGAIN: measurements known from the store
// AGAIN: class the original, n <= 2000
// PAGE: <h2>Sizes</h2>
// PAGE-SAME: n=4000
// PAGE-SAME: n=64000
// NONE: blur stays as it is: nothing that was measured is faster than the original at any of the sizes
// NAME: --sizes m: kernel 'blur' has no number 'm'; it has n
// FORM: --sizes takes 'NAME=VALUE,VALUE,…; NAME=…', each name once, not 'n='
// BOTH: 'n' stands in --set and in --sizes
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void blur(const float* __restrict__ a, float* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1) b[i] = a[i - 1] + a[i] + a[i + 1];
}

int main(int argc, char** argv) {
  int wrong = 0;
  for (int arg = 1; arg < argc; ++arg) {
    const int n = std::atoi(argv[arg]);
    std::vector<float> a(n), b(n);
    for (int i = 0; i < n; ++i) a[i] = float(i % 61);
    float *da, *db;
    cudaMalloc(&da, n * sizeof(float));
    cudaMalloc(&db, n * sizeof(float));
    cudaMemcpy(da, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    blur<<<(n + 255) / 256, 256>>>(da, db, n);
    cudaMemcpy(b.data(), db, n * sizeof(float), cudaMemcpyDeviceToHost);
    int here = 0;
    for (int i = 1; i < n - 1; ++i) here += b[i] != a[i - 1] + a[i] + a[i + 1];
    std::printf("%d: %d wrong\n", n, here);
    wrong += here;
    cudaFree(da);
    cudaFree(db);
  }
  return wrong != 0;
}
