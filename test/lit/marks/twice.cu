// A second run works from what the first one replaced: nothing changes, also with another recipe in between; revert brings the file back byte for byte.
// RUN: rm -rf %t && mkdir %t && cp %s %t/k.cu
// RUN: %hone opt %t/k.cu --recipe 'block(x=64)' --kernel fill --in-place --no-verify
// RUN: %hone opt %t/k.cu --recipe 'promote' --kernel rows --in-place --no-verify
// RUN: cp %t/k.cu %t/once.cu && FileCheck %s < %t/once.cu && %clang_cuda_ptx %t/once.cu && %clang_cuda_ptx -DHONE_OFF %t/once.cu
// RUN: %hone opt %t/k.cu --recipe 'block(x=64)' --kernel fill --in-place --no-verify
// RUN: %hone opt %t/k.cu --recipe 'promote' --kernel rows --in-place --no-verify
// RUN: cmp %t/k.cu %t/once.cu
// RUN: %hone opt %t/k.cu --recipe 'block(x=32)' --kernel fill --in-place --no-verify
// RUN: %not cmp %t/k.cu %t/once.cu
// RUN: %hone opt %t/k.cu --recipe 'block(x=64)' --kernel fill --diff --no-verify | FileCheck %s --check-prefix=DIFF
// RUN: %hone opt %t/k.cu --recipe 'block(x=64)' --kernel fill -o %t/other.cu --no-verify && cmp %t/other.cu %t/once.cu
// RUN: %hone opt %t/k.cu --recipe 'block(x=64)' --kernel fill --in-place --no-verify
// RUN: cmp %t/k.cu %t/once.cu
// RUN: %hone opt %t/k.cu --recipe 'promote' --kernel rows --diff --no-verify > %t/none && cmp %t/none /dev/null
// RUN: %hone revert %t/k.cu --diff | FileCheck %s --check-prefix=BACK
// RUN: %hone revert %t/k.cu 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: cmp %t/k.cu %s
// RUN: %hone revert %t/k.cu 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: {{^}}// hone: begin, beside fill{{$}}
// CHECK: {{^}}// hone: end {{[0-9a-f]+$}}
__global__ void fill(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}

// CHECK: {{^}}__global__ void rows(
// CHECK-NEXT: {{^}}  // hone: begin, in place of rows{{$}}
// CHECK-NEXT: {{^}}#ifndef HONE_OFF{{$}}
// CHECK: {{^}}#else  // one row a thread{{$}}
// CHECK: {{^}}#endif{{$}}
// CHECK-NEXT: {{^}}  // hone: end {{[0-9a-f]+$}}
// CHECK-NEXT: {{^}}}
__global__ void rows(const float* __restrict__ a, float* __restrict__ sums, int n) {  // one row a thread
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 16; ++k) sums[i] += a[i * 16 + k];
}

#define CHECKED(call) ((call), cudaGetLastError())

// CHECK-LABEL: void run(
// CHECK: {{^}}  // hone: was {{[0-9a-f]+}}: fill<<<(n + 255) / 256, 256>>>(x, n);{{$}}
// CHECK-NEXT: {{^}}  fill_launch((n + 255) / 256, 256, 0, 0, x, n);
// CHECK: {{^}}  // hone: was {{[0-9a-f]+}}: fill<<<
// CHECK-NEXT: {{^}}  //       n / 256, 256>>>(x, n)
// CHECK: if (n > 9) /* hone: was {{[0-9a-f]+}}: fill<<<n /\* all *\/, 256>>>(x, n) */ fill_launch
// CHECK-NEXT: {{^}}  // hone: was {{[0-9a-f]+}}: CHECKED(fill<<<n, 256>>>(x, n));{{$}}
// CHECK-NEXT: {{^}}  CHECKED(fill_launch(n, 256, 0, 0, x, n));
// DIFF: block(x=64)
// BACK: -// hone: begin, beside fill
// SAID: k.cu: 6 places as before
// NONE: k.cu: nothing in it that hone marked
void run(float* x, int n) {
  fill<<<(n + 255) / 256, 256>>>(x, n);
  fill<<<
      n / 256, 256>>>(x, n);
  if (n > 9) fill<<<n /* all */, 256>>>(x, n);
  CHECKED(fill<<<n, 256>>>(x, n));
}
