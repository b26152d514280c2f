// cl-std: CL1.2
// A union that reads one member after writing another.
typedef union {
  float f;
  uint u;
} Bits;

__kernel void punned(__global float *x) {
  Bits b;
  b.f = x[get_global_id(0)];
  b.u ^= 0x80000000u;
  x[get_global_id(0)] = b.f;
}
