// Atomic functions on shared and global memory, with and without use of the old value, and a CAS loop.
__global__ void histogram(const unsigned char* data, unsigned* bins, int n) {
  __shared__ unsigned local[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    if (local[b]) atomicAdd(bins + b, local[b]);
}

__device__ float atomicMaxFloat(float* addr, float value) {
  int* ai = (int*)addr;
  int old = *ai, assumed;
  do {
    assumed = old;
    old = atomicCAS(ai, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}

__global__ void maxFloat(const float* x, float* m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMaxFloat(m, x[i]);
}

__global__ void everyAtomic(int* a, unsigned* u, float* f, unsigned long long* l, double* d) {
  int t = threadIdx.x;
  int old = atomicAdd(&a[0], 1);
  old += atomicSub(&a[1], 2);
  old ^= atomicExch(&a[2], t);
  atomicMin(&a[3], t);
  atomicMax(&a[4], old);
  atomicAnd(&u[0], 0xfffffff0u);
  atomicOr(&u[1], 1u << (t & 31));
  atomicXor(&u[2], (unsigned)old);
  u[t + 8] = atomicInc(&u[3], 100u);
  u[t + 9] = atomicDec(&u[4], 100u);
  atomicAdd(f, 1.5f);
  atomicAdd(l, 1ull);
  atomicAdd(d, 0.5);
  if (atomicCAS(&a[5], 0, 1) == 0) a[6] = atomicExch(&a[7], 9) + 1;
  atomicExch(&f[1], (float)t);
}
