// Bounds that no longer fit 64 bits are a reason like others.
// RUN: %hone opt %s --recipe 'rotate-loop(L1) drop-temporaries(c)' --temporary c --reassociate --no-verify --block 32 -o %t.cu 2>&1 | FileCheck %s
// CHECK: left alone: numbers in its conditions or subscripts outgrow 64 bits
__global__ void rotated(const int* a, int* c, double* c1, const int* q, float* c2, int w, int k) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x >= w) return;
  int v2 = 2 * (a[x]);
  c[x] = v2;
  c1[x] = v2 + a[x];
  float re4 = 0, im5 = 0;
  for (int i3 = (int)k - 1; i3 > -1; --i3) {
    re4 += q[x] * q[x * 3 + i3];
    im5 += q[x * 3 + i3] * 2;
  }
  c2[x] = re4 - im5;
}
