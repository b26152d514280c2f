// Ids that a parameter shifts. Unsigned, they begin anew past their width: whether the first of the merged threads has work says nothing of the others.
// RUN: %hone verify %s --kernel below --exact --set p=-1 --reassociate --recipe 'block(x=128) merge-threads(x=2)'
// RUN: %hone verify %s --kernel below --exact --set p=-1 --recipe 'merge-threads(x=2, how=adjacent)'
// RUN: %hone verify %s --kernel below --exact --set p=7 --recipe 'merge-threads(x=2)'
// RUN: %hone verify %s --kernel shifted --exact --set p=-130 --recipe 'merge-threads(x=2)'
// RUN: %hone opt %s --kernel below --recipe 'block(x=128) merge-threads(x=2)' --no-verify -o %t.cu
// RUN: FileCheck %s --input-file %t.cu --check-prefix BELOW
// RUN: %hone opt %s --kernel shifted --recipe 'block(x=128) merge-threads(x=2)' --no-verify -o %t.cu
// RUN: FileCheck %s --input-file %t.cu --check-prefix SHIFTED

// BELOW: {{^namespace}} below_hone
// BELOW: void kernel
// BELOW-NOT: if (
// BELOW: for (unsigned int k
#pragma hone set(n=1000, m=4) grid(11) block(100)
__global__ void below(const float* a, const float* l, float* c, unsigned n, unsigned m, int p) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x + p;
  if (i < n) {
    float sum = 0;
    for (unsigned k = 0; k < m; ++k) sum += l[k] * a[k * n + i];
    c[i] = sum;
  }
}

// A signed id has nothing past its range: the first of the merged threads stands for all.
// SHIFTED: {{^namespace}} shifted_hone
// SHIFTED: if ((int)({{.*}} - p) < n) {
// SHIFTED: l_reg = l[k];
#pragma hone set(n=1000, m=4) grid(11) block(100)
__global__ void shifted(const float* a, const float* l, float* c, int n, int m, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x - p;
  if (i < n) {
    float sum = 0;
    for (int k = 0; k < m; ++k) sum += l[k] * a[k * n + i];
    c[i] = sum;
  }
}
