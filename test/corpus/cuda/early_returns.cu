// Early returns at many depths, returns from loops in device functions, void functions with returns, guards stacked.
__device__ int lowerBound(const int* a, int n, int key) {
  if (n <= 0) return 0;
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) >> 1;
    if (a[mid] == key) return mid;
    if (a[mid] < key)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

__device__ void mark(int* flags, int i, int n) {
  if (i < 0) return;
  if (i >= n) return;
  flags[i] = 1;
}

__global__ void lookup(const int* sorted, int n, const int* keys, int* flags, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  int k = keys[i];
  if (k < sorted[0]) {
    mark(flags, -1, n);
    return;
  }
  for (int t = 0; t < 4; ++t) {
    if (k == sorted[t]) {
      flags[t] = 2;
      return;
    }
  }
  mark(flags, lowerBound(sorted, n, k), n);
}
