// GNU statement expressions: their statements come before the one that holds them, or under its condition.
#define MAXOF(a, b) ({ int a_ = (a), b_ = (b); a_ > b_ ? a_ : b_; })

__global__ void gnuMax(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = MAXOF(x[i], 3) + MAXOF(i, x[i]);
}

__global__ void gnuMaybe(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int seen = 0;
  if (x[i] > 0 && ({ ++seen; x[i] > 2; })) x[i] = -seen;
  x[i] += seen;
}
