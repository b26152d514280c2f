// A subscript whose variable part is negative, and whose constant part brings it back into the array, in shared memory and in an array of the
// thread's own.
// RUN: %hone check %s --block 128 --grid 1 --set k=21 | FileCheck %s
// CHECK: kernel `f`: clean
__global__ void f(const float* r, float* c, long long k) {
  __shared__ float tile[16][8];
  float own[16][2];
  int t = threadIdx.x;
  tile[t / 8][t % 8] = r[t];
  for (int i = 0; i < 16; ++i) own[i][0] = own[i][1] = r[i];
  __syncthreads();
  float sum = 0;
  for (long long i = k - 1; i >= 0; i -= 3) sum += tile[-((k - 1 - i) / 3) + 15][t % 8] + own[-((k - 1 - i) / 3) + 15][t % 2];
  c[t] = sum;
}
