// A bitonic sorting network in global and shared memory with xor partners and swapped booleans.
template <typename K>
__device__ inline void compareExchange(K& a, K& b, bool up) {
  if ((a > b) == up) {
    K t = a;
    a = b;
    b = t;
  }
}

__global__ void bitonicGlobal(unsigned* keys, unsigned j, unsigned k, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned ixj = i ^ j;
  if (ixj > i && ixj < n) {
    if ((i & k) == 0) {
      if (keys[i] > keys[ixj]) {
        unsigned t = keys[i];
        keys[i] = keys[ixj];
        keys[ixj] = t;
      }
    } else if (keys[i] < keys[ixj]) {
      unsigned t = keys[i];
      keys[i] = keys[ixj];
      keys[ixj] = t;
    }
  }
}

__global__ void bitonicShared(int* keys) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  s[t] = keys[blockIdx.x * 1024 + t];
  s[t + 512] = keys[blockIdx.x * 1024 + t + 512];
  for (unsigned size = 2; size <= 1024; size <<= 1)
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * t - (t & (stride - 1));
      compareExchange(s[pos], s[pos + stride], !(t & (size / 2)));
    }
  __syncthreads();
  keys[blockIdx.x * 1024 + t] = s[t];
  keys[blockIdx.x * 1024 + t + 512] = s[t + 512];
}
