// The sum of each row: one thread a row.
__global__ void rows(const REAL* __restrict__ a, REAL* __restrict__ s) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= H) return;
  REAL sum = 0;
  for (int x = 0; x < W; ++x) sum += a[y * W + x];
  s[y] = sum;
}
