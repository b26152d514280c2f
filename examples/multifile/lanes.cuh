// Helpers of a warp.
#ifndef MULTIFILE_LANES_CUH
#define MULTIFILE_LANES_CUH

#define WARP 32
#define FULL_MASK 0xffffffffu

template <typename T>
__device__ T warpSum(T value) {
  for (int offset = WARP / 2; offset > 0; offset /= 2) value += __shfl_down_sync(FULL_MASK, value, offset);
  return value;
}

__device__ __forceinline__ unsigned mix(unsigned h) {
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  return h;
}

#endif
