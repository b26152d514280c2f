// Tiles that a mask leaves without work are skipped in what is chosen, and its estimate counts the blocks that leave.
// RUN: %hone opt %s --candidates 1 --set T=384 --set C=32 > %t.list
// RUN: FileCheck %s < %t.list
// CHECK: *{{.*}}skip-blocks
// RUN: %hone opt %s --estimate --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2)' --set T=1024 --set C=32 > %t.all
// RUN: %hone opt %s --estimate --recipe 'block(x=16, y=16) stage(depth=16) merge-threads(x=2, y=2) skip-blocks' --set T=1024 --set C=32 > %t.some
// RUN: %python -c "import re, sys; a, s = (float(re.search(r'estimated time +\S+ \S+ +(\S+) us', open(f).read())[1]) for f in sys.argv[1:]); assert s < 0.7 * a, (a, s)" %t.all %t.some
__global__ void scores(float* __restrict__ out, const float* __restrict__ q, const float* __restrict__ k, int T, int C) {
  int t2 = blockIdx.x * blockDim.x + threadIdx.x;
  int t = blockIdx.y * blockDim.y + threadIdx.y;
  if (t2 >= T || t >= T) return;
  if (t2 > t) {
    out[t * T + t2] = -1.0f;
    return;
  }
  float sum = 0;
  for (int i = 0; i < C; ++i) sum += q[t * C + i] * k[t2 * C + i];
  out[t * T + t2] = sum;
}

void run(float* out, const float* q, const float* k, int T, int C) {
  scores<<<dim3((T + 15) / 16, (T + 15) / 16), dim3(16, 16)>>>(out, q, k, T, C);
}
