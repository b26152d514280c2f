__device__ float twice(float x) { return 2 * x; }

__global__ void plain(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] += 1;
}

#define KERNEL(name) \
  __global__ void name(float* x, int n) { \
    for (int i = 0; i < n; ++i) x[i] += 1; \
  }
KERNEL(made)

template <float (*F)(float)>
__global__ void mapped(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = F(x[i]);
}

template <typename... T>
__global__ void packed(float* x, T... n) {
  for (int i = 0; i < (n + ...); ++i) x[i] += 1;
}

void run(float* x, int n) {
  plain<<<1, 32>>>(x, n);
  made<<<1, 32>>>(x, n);
  mapped<twice><<<1, 32>>>(x, n);
  packed<<<1, 32>>>(x, n, n);
}
