__global__ void gather(const float* from, const int* index, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[index[i]];
}
