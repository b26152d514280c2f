// Lengths that the user gave are shortened for estimates; a variant whose conditions do not hold at what was given is none to choose: elements of a
// row stay in registers for as many as the row has, not for those that were run here.
// RUN: %hone opt %s --reassociate --target h200 --set rows=2048 --set width=3999 --no-verify -o %t.cu 2>&1 | FileCheck %s
// CHECK: kernel `softmax`: estimated {{.*}} times faster on h200 (rows=2048 width=499)
// CHECK-NOT: width <= {{(512|1024|2048)}}
__global__ void softmax(float* __restrict__ out, const float* __restrict__ in, int rows, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    const float* x = in + r * width;
    float* y = out + r * width;
    float most = -INFINITY;
    for (int j = 0; j < width; j++)
      if (x[j] > most) most = x[j];
    double sum = 0.0;
    for (int j = 0; j < width; j++) {
      y[j] = expf(x[j] - most);
      sum += y[j];
    }
    for (int j = 0; j < width; j++) y[j] /= (float)sum;
  }
}
void run(float* out, float* in, int rows, int width) { softmax<<<(rows + 127) / 128, 128>>>(out, in, rows, width); }
