// RUN: %hone verify %s --kernel product --recipe 'block(x=16, y=16) stage' | FileCheck %s
// RUN: %hone verify %s --kernel blur --recipe 'block(x=32) stage' | FileCheck --check-prefix=BLUR %s
// CHECK: kernel `product`: equal in {{[0-9]+}} runs
// CHECK-NOT: the original ran
kernel void product(global const float* restrict a, global const float* restrict b, global float* restrict c, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < w) {
    float sum = 0;
    for (int i = 0; i < w; ++i) sum += a[y * w + i] * b[i * w + x];
    c[y * w + x] = sum;
  }
}

// BLUR: kernel `blur`: equal in {{[0-9]+}} runs
// BLUR-NOT: the original ran
kernel void blur(global const uchar* restrict a, global uchar* restrict o, int n) {
  int x = get_global_id(0);
  if (x < 2 || x >= n - 2) return;
  int sum = 0;
  for (int d = -2; d <= 2; ++d) sum += a[x + d];
  o[x] = sum / 5;
}
