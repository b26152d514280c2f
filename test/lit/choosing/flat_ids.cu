// Ids that threads take apart become axes, which other passes go on from.
// RUN: %hone opt %s --kernel permute --candidates 1 2>&1 | FileCheck --check-prefix=PERMUTE %s
// RUN: %hone opt %s --kernel bias --candidates 1 2>&1 | FileCheck --check-prefix=BIAS %s

// PERMUTE: unflatten block{{.*}} stage
__global__ void permute(const float* in, float* out, int d1, int d2, int d3, int d4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < d1 * d2 * d3 * d4) {
    int i1 = (i / (d2 * d3 * d4)) % d1, i2 = (i / (d3 * d4)) % d2, i3 = (i / d4) % d3, i4 = i % d4;
    out[i4 * (d3 * d1 * d2) + i3 * (d1 * d2) + i1 * d2 + i2] = in[i];
  }
}

// BIAS: unflatten {{.*}}merge-threads
__global__ void bias(float* out, const float* b, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * n) out[i] += b[i % n];
}

void host(float* a, float* b) {
  permute<<<24576, 256>>>(a, b, 8, 12, 1024, 64);
  bias<<<98304, 256>>>(a, b, 8192, 3072);
}
