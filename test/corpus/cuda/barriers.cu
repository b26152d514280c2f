// no-opencl: countingBarriers __syncthreads_count
// no-opencl: fences fence
// The counting barriers, all fences, and barriers in uniform control flow.
__global__ void countingBarriers(const int* in, int* out, int limit) {
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  int c = __syncthreads_count(v > limit);
  int all = __syncthreads_and(v >= 0);
  int any = __syncthreads_or(v == limit);
  if (threadIdx.x == 0) out[blockIdx.x] = all ? c : any ? -c : 0;
}

__global__ void fences(volatile int* flags, int* data, int n) {
  int i = threadIdx.x;
  data[i] = n;
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  flags[blockIdx.x] = 1;
  if (n > 10) {
    __syncthreads();
    data[i] = data[(i + 1) % n];
  }
}

__global__ void relax(int* level, const int* rowPtr, const int* cols, int n) {
  __shared__ int changed;
  do {
    __syncthreads();
    if (threadIdx.x == 0) changed = 0;
    __syncthreads();
    for (int v = threadIdx.x; v < n; v += blockDim.x)
      for (int e = rowPtr[v]; e < rowPtr[v + 1]; e++)
        if (level[cols[e]] + 1 < level[v]) {
          level[v] = level[cols[e]] + 1;
          changed = 1;
        }
    __syncthreads();
  } while (changed);
}
