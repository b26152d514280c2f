// Reasons for which specialize leaves a kernel as it is.
// RUN: %hone opt %s --recipe 'specialize' -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'specialize(x=1)' --kernel scale -o - 2>&1 >/dev/null | FileCheck --check-prefix=NONE %s
// RUN: %hone opt %s --recipe 'specialize(unused=1)' --kernel scale -o - 2>&1 >/dev/null | FileCheck --check-prefix=SAME %s
// RUN: %hone opt %s --recipe 'specialize(small=300)' --kernel scale -o - 2>&1 >/dev/null | FileCheck --check-prefix=FITS %s
// RUN: %hone opt %s --recipe 'specialize(n=64) specialize(n=64)' --kernel scale -o - 2>&1 >/dev/null | FileCheck --check-prefix=TWICE %s
// RUN: not %hone opt %s --recipe 'specialize(n)' --kernel scale -o - 2>&1 >/dev/null | FileCheck --check-prefix=WORD %s
// NONE: kernel `scale`: left alone: x is no whole number among its parameters
// SAME: kernel `scale`: left alone: its code is the same where unused is 1
// FITS: kernel `scale`: left alone: small cannot be 300
// TWICE: kernel `scale`: left alone: launches in which n is 64 have a kernel of their own already
// WORD: 'specialize' takes no 'n'

// CHECK: kernel `scale`: left alone: nothing says which value a parameter has often: specialize(p=1) makes a kernel for launches in which p is 1
__global__ void scale(float* x, int n, int unused, unsigned char small) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unused = n;
  if (i < unused) x[i] *= small;
}
