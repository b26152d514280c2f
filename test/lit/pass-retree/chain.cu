// Values whose place is made of eighteen numbers, each of what the one before it left: what a variable holds must not
// be asked anew for each way that leads to it.
// RUN: timeout 200 %hone opt %s --block 256 --recipe retree --no-verify -o %t.cu
// RUN: FileCheck %s < %t.cu
// CHECK: __shfl_xor_sync

__global__ void tree(const int* a, int* b, int s0, int s1, int s2, int s3, int s4, int s5, int s6, int s7, int s8, int s9, int s10, int s11, int s12, int s13, int s14, int s15, int s16, int s17) {
  __shared__ int sh[256];
  const int t = threadIdx.x, r0 = blockIdx.x * blockDim.x + threadIdx.x;
  const int q0 = r0 / s0, r1 = r0 - q0 * s0;
  const int q1 = r1 / s1, r2 = r1 - q1 * s1;
  const int q2 = r2 / s2, r3 = r2 - q2 * s2;
  const int q3 = r3 / s3, r4 = r3 - q3 * s3;
  const int q4 = r4 / s4, r5 = r4 - q4 * s4;
  const int q5 = r5 / s5, r6 = r5 - q5 * s5;
  const int q6 = r6 / s6, r7 = r6 - q6 * s6;
  const int q7 = r7 / s7, r8 = r7 - q7 * s7;
  const int q8 = r8 / s8, r9 = r8 - q8 * s8;
  const int q9 = r9 / s9, r10 = r9 - q9 * s9;
  const int q10 = r10 / s10, r11 = r10 - q10 * s10;
  const int q11 = r11 / s11, r12 = r11 - q11 * s11;
  const int q12 = r12 / s12, r13 = r12 - q12 * s12;
  const int q13 = r13 / s13, r14 = r13 - q13 * s13;
  const int q14 = r14 / s14, r15 = r14 - q14 * s14;
  const int q15 = r15 / s15, r16 = r15 - q15 * s15;
  const int q16 = r16 / s16, r17 = r16 - q16 * s16;
  const int q17 = r17 / s17, r18 = r17 - q17 * s17;
  const int o = q0 * s1 + q1 * s6 + q2 * s11 + q3 * s16 + q4 * s3 + q5 * s8 + q6 * s13 + q7 * s0 + q8 * s5 + q9 * s10 + q10 * s15 + q11 * s2 + q12 * s7 + q13 * s12 + q14 * s17 + q15 * s4 + q16 * s9 + q17 * s14;
  sh[t] = a[o];
  __syncthreads();
  for (int h = 128; h > 0; h >>= 1) {
    if (t < h) sh[t] += sh[t + h];
    __syncthreads();
  }
  if (t == 0) b[blockIdx.x] = sh[0];
}
