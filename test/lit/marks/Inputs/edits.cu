int first;

__global__ void add(const int* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}
int between;

void run(const int* a, int* b, int n) {
  dim3 grid((n + 127) / 128);
  n = n + 0;
  add<<<grid, 128>>>(a, b, n);
}
