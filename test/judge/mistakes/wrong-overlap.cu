// What may have changed in between is read once. Seen only where arrays overlap.
// grid: 1
// block: 1
// set: n=20
__global__ void smear(const int* a, int* b, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    for (int i = 0; i < n; ++i) b[i] += a[0];
}
__global__ void once(const int* a, int* b, int n) {
  int first = a[0];
  if (threadIdx.x == 0 && blockIdx.x == 0)
    for (int i = 0; i < n; ++i) b[i] += first;
}
static void smear_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const int* a, int* b, int n) {
  if (n > 0)
    once<<<grid, block, shared, stream>>>(a, b, n);
  else
    smear<<<grid, block, shared, stream>>>(a, b, n);
}
