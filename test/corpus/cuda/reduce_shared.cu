// Block reductions with geometric loops in shared memory, dynamic and static.
extern __shared__ float sdata[];

__global__ void reduceDynamic(const float* in, float* out, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  float v = (i < n) ? in[i] : 0;
  if (i + blockDim.x < n) v += in[i + blockDim.x];
  sdata[tid] = v;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) {
      sdata[tid] += sdata[tid + s];
    }
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

__global__ void reduceStaticInt(const int* in, int* out, int n) {
  __shared__ int cache[256];
  int tid = threadIdx.x;
  int sum = 0;
  for (int i = blockIdx.x * 256 + tid; i < n; i += 256 * gridDim.x) sum += in[i];
  cache[tid] = sum;
  __syncthreads();
  for (int s = 1; s < 256; s *= 2) {
    if (tid % (2 * s) == 0) cache[tid] += cache[tid + s];
    __syncthreads();
  }
  if (!tid) atomicAdd(out, cache[0]);
}
