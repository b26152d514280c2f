// A union that reads one member after writing another.
union Bits {
  float f;
  unsigned u;
};

__global__ void punned(float* x) {
  Bits b;
  b.f = x[threadIdx.x];
  b.u ^= 0x80000000u;
  x[threadIdx.x] = b.f;
}
