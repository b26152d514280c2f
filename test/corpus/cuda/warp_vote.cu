// no-opencl: compactPositive OpenCL has no
// no-opencl: votes OpenCL has no
// no-opencl: matchKeys OpenCL has no
// Warp votes, the active mask, match functions and bit counting.
__global__ void compactPositive(const int* in, int* out, int* counter, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool keep = i < n && in[i] > 0;
  unsigned mask = __ballot_sync(0xffffffff, keep);
  int lane = threadIdx.x & 31;
  int base = 0;
  if (lane == 0) base = atomicAdd(counter, __popc(mask));
  base = __shfl_sync(0xffffffff, base, 0);
  if (keep) out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

__global__ void votes(const unsigned* flags, int* result) {
  unsigned f = flags[threadIdx.x];
  int r = 0;
  if (__any_sync(0xffffffff, f > 10)) r |= 1;
  if (__all_sync(0xffffffff, f < 1000)) r |= 2;
  if (!__all_sync(0xffffffff, f & 1)) r |= 4;
  result[threadIdx.x] = r;
}

__global__ void matchKeys(const unsigned* keys, unsigned* groups) {
  unsigned active = __activemask();
  unsigned peers = __match_any_sync(active, keys[threadIdx.x]);
  groups[threadIdx.x] = __ffs(peers) - 1;
}
