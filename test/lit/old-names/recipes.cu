// Old names of passes and parameters in recipes mean the passes of today, and a note says so.
// RUN: %hone opt %s --recipe 'exchange-ids' --no-verify -o %t.old.cu 2> %t.txt
// RUN: FileCheck --check-prefix=NOTE %s < %t.txt
// RUN: %hone opt %s --recipe 'swap-axes' --no-verify -o %t.new.cu 2> %t.new.txt
// RUN: not grep 'is called' %t.new.txt
// RUN: grep -v 'exchange-ids\|swap-axes' %t.old.cu > %t.old.body
// RUN: grep -v 'exchange-ids\|swap-axes' %t.new.cu > %t.new.body
// RUN: diff %t.old.body %t.new.body
// RUN: %hone verify %s --recipe 'exchange-ids' 2>&1 | FileCheck --check-prefixes=NOTE,EQUAL %s
// RUN: not %hone opt %s --recipe 'unroll(rounds=4)' -o %t.cu 2>&1 | FileCheck --check-prefix=OTHER %s
// NOTE: recipe: note: the pass 'exchange-ids' is called 'swap-axes' now
// EQUAL: equal in
// OTHER: 'unroll' has no parameter 'rounds'
__global__ void turned(const float* a, float* b, int w, int h) {
  int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) b[y * w + x] = 2 * a[y * w + x];
}
