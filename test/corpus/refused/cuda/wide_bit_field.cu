// expect-refused: fields 5 bit-field
// Bit-fields of a packed struct that share more than eight bytes.
struct __attribute__((packed)) Packed {
  unsigned long long a : 40;
  unsigned long long b : 40;
};

__global__ void fields(Packed* p) {
  p[threadIdx.x].a = p[threadIdx.x].b >> 8;
}
