// Conditions of the fast version that hold at none of the usual sizes: larger ones are tried; where none helps, the kernel is left alone.
// RUN: %hone verify %s --reassociate --recipe 'block(x=32, y=32) merge-threads(x=4, y=4, how=groups) stage(depth=8, wide=4) vectorize' | FileCheck --check-prefix=LARGER %s
// RUN: %hone verify %s --reassociate --set n=100 --set sides=40 --recipe 'block(x=32, y=32) merge-threads(x=4, y=4, how=groups) stage(depth=8, wide=4) vectorize' | FileCheck --check-prefix=NONE %s
// RUN: %hone opt %s --reassociate --set n=100 --set sides=40 --recipe 'block(x=32, y=32) merge-threads(x=4, y=4, how=groups) stage(depth=8, wide=4) vectorize' -o %t.cl --json %t.json 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// LARGER: equal in
// LARGER: first=64 last=128 n=256 sides=256{{.*}}: equal{{$}}
// LARGER: first=64 last=128 n=292 sides=300{{.*}}: equal{{$}}
// LARGER-NOT: note:
// NONE: equal in
// NONE: note: conditions of the fast version hold at none of the {{[0-9]+}} sizes tried, so that the original ran; give sizes at which they do (--set)
// SAID: not verified, so that only --no-verify writes it: conditions of the fast version hold at none of the {{[0-9]+}} sizes tried
// JSON: "applied": false

#pragma hone set(first=64, last=128)
__kernel void update(__global const float* restrict l, __global const float* restrict x, __global float* restrict b, int n,
                     int sides, int first, int last) {
  int j = get_global_id(0);
  int i = get_global_id(1) + last;
  if (i < n && j < sides) {
    float sum = 0;
    for (int k = first; k < last; ++k) sum += l[i * n + k] * x[k * sides + j];
    b[i * sides + j] -= sum;
  }
}
