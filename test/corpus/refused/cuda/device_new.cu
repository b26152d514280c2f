// expect-refused: allocates 4 new
// new and delete in a kernel.
__global__ void allocates(int* out, int n) {
  int* tmp = new int[n];
  for (int i = 0; i < n; ++i) tmp[i] = i;
  out[threadIdx.x] = tmp[n - 1];
  delete[] tmp;
}
