// expect-refused: direct 5 recursi
// expect-refused: mutual 10 recursi
// expect-imported: iterative
// Direct and mutual recursion in device functions.
__device__ int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__device__ int odd(int n);
__device__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }

__global__ void direct(int* x) { x[threadIdx.x] = fib(threadIdx.x); }
__global__ void mutual(int* x) { x[threadIdx.x] = even(threadIdx.x); }

__global__ void iterative(int* x) {
  int a = 0, b = 1;
  for (int i = 0; i < threadIdx.x; ++i) {
    int t = a + b;
    a = b;
    b = t;
  }
  x[threadIdx.x] = a;
}
