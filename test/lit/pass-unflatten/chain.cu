// An id of twelve digits, each taken from what the one before it left: what a digit is must not be asked anew for
// each way that leads to it.
// RUN: timeout 200 %hone opt %s --recipe unflatten --no-verify -o %t.cu
// RUN: FileCheck %s < %t.cu
// CHECK: are axes of the grid, where they were divided out of one id.

__global__ void chain(const float* a, float* b, int n, int s0, int s1, int s2, int s3, int s4, int s5, int s6, int s7, int s8, int s9, int s10, int s11) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int r0 = i, o = 0;
    int q0 = r0 / (s1 * s2 * s3 * s4 * s5 * s6 * s7 * s8 * s9 * s10 * s11), r1 = r0 - q0 * (s1 * s2 * s3 * s4 * s5 * s6 * s7 * s8 * s9 * s10 * s11);
    o += q0 * s0;
    int q1 = r1 / (s2 * s3 * s4 * s5 * s6 * s7 * s8 * s9 * s10 * s11), r2 = r1 - q1 * (s2 * s3 * s4 * s5 * s6 * s7 * s8 * s9 * s10 * s11);
    o += q1 * s3;
    int q2 = r2 / (s3 * s4 * s5 * s6 * s7 * s8 * s9 * s10 * s11), r3 = r2 - q2 * (s3 * s4 * s5 * s6 * s7 * s8 * s9 * s10 * s11);
    o += q2 * s6;
    int q3 = r3 / (s4 * s5 * s6 * s7 * s8 * s9 * s10 * s11), r4 = r3 - q3 * (s4 * s5 * s6 * s7 * s8 * s9 * s10 * s11);
    o += q3 * s9;
    int q4 = r4 / (s5 * s6 * s7 * s8 * s9 * s10 * s11), r5 = r4 - q4 * (s5 * s6 * s7 * s8 * s9 * s10 * s11);
    o += q4 * s0;
    int q5 = r5 / (s6 * s7 * s8 * s9 * s10 * s11), r6 = r5 - q5 * (s6 * s7 * s8 * s9 * s10 * s11);
    o += q5 * s3;
    int q6 = r6 / (s7 * s8 * s9 * s10 * s11), r7 = r6 - q6 * (s7 * s8 * s9 * s10 * s11);
    o += q6 * s6;
    int q7 = r7 / (s8 * s9 * s10 * s11), r8 = r7 - q7 * (s8 * s9 * s10 * s11);
    o += q7 * s9;
    int q8 = r8 / (s9 * s10 * s11), r9 = r8 - q8 * (s9 * s10 * s11);
    o += q8 * s0;
    int q9 = r9 / (s10 * s11), r10 = r9 - q9 * (s10 * s11);
    o += q9 * s3;
    int q10 = r10 / (s11), r11 = r10 - q10 * (s11);
    o += q10 * s6;
    int q11 = r11 / (1), r12 = r11 - q11 * (1);
    o += q11 * s9;
    b[o] = a[i];
  }
}
