// expect-refused: wideProduct 4 __int128
// 128-bit integers.
__global__ void wideProduct(const unsigned long long* a, unsigned long long* hi) {
  unsigned __int128 p = (unsigned __int128)a[threadIdx.x] * a[threadIdx.x + 1];
  hi[threadIdx.x] = (unsigned long long)(p >> 64);
}
