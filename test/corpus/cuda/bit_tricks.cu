// Unsigned wrap-around, hashes, random generators, packing of bytes, rotations and 64-bit products.
typedef unsigned int u32;
typedef unsigned long long u64;

__device__ u32 rotl(u32 x, int r) { return (x << r) | (x >> (32 - r)); }

__device__ u32 wangHash(u32 s) {
  s = (s ^ 61) ^ (s >> 16);
  s *= 9;
  s = s ^ (s >> 4);
  s *= 0x27d4eb2d;
  return s ^ (s >> 15);
}

__global__ void murmur(const u32* keys, u32* out, int n, u32 seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  u32 h = seed, k = keys[i];
  k *= 0xcc9e2d51u;
  k = rotl(k, 15) * 0x1b873593u;
  h ^= k;
  h = rotl(h, 13) * 5 + 0xe6546b64u;
  out[i] = h ^ (h >> 13) ^ wangHash(i);
}

__global__ void xorshift(u64* state, double* uniform, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  u64 s = state[t];
  for (int r = 0; r < rounds; r++) {
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
  }
  state[t] = s;
  uniform[t] = (s >> 11) * (1.0 / 9007199254740992.0);
}

__global__ void packBytes(const unsigned char* b, u32* w, signed char* s, u64* wide) {
  int i = threadIdx.x;
  w[i] = b[4 * i] | b[4 * i + 1] << 8 | b[4 * i + 2] << 16 | (u32)b[4 * i + 3] << 24;
  s[i] = (signed char)(b[i] - 128) >> 1;
  u64 p = (u64)w[i] * w[i + 1];
  wide[i] = p + (u32)(p >> 32) - (u32)p;
  w[i] = (u32)-1 - w[i] + (i - 5u > 3u) + (0u - i);
}
