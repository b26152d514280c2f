// Arrays that no machine should have to fill for an estimate, and a grid that covers them though no launch is in sight.
// RUN: rm -rf %t && %hone tune %s --set w=65536 --set h=8192 --budget 2 --no-store --bundle %t 2>&1 | FileCheck %s
// CHECK: add: no launch is in sight; it is measured with 4096 x 512 x 1 blocks
// CHECK: add: 2 variants at h=8192 w=65536
// RUN: grep '"do":"case"' %t/jobs.jsonl | FileCheck --check-prefix=CASE %s
// CASE: "elements":536870912
// RUN: grep '"do":"measure"' %t/jobs.jsonl | head -n 1 | FileCheck --check-prefix=JOB %s
// JOB: "grid":[4096,512,1]
// RUN: not %hone tune %s --recipe 'blok(x=32)' --budget 0 --no-store --bundle %t.none 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: there is no pass 'blok'; did you mean 'block'
__kernel void add(__global const float* a, __global float* b, int w, int h) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < w && y < h) b[x * h + y] += a[y * w + x];
}
