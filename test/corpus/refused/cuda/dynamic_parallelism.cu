// flags: -fgpu-rdc
// expect-refused: parent 11 launch
// expect-imported: child
// A kernel launched from a kernel.
__global__ void child(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i]++;
}

__global__ void parent(int* x, int n) {
  if (threadIdx.x == 0) child<<<1, 32>>>(x, n);
}
