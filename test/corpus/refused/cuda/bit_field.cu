// expect-refused: fields 4 bit-field
// A struct with bit-fields as element type.
struct Packed {
  unsigned a : 4;
  unsigned b : 12;
  unsigned c : 16;
};

__global__ void fields(Packed* p) {
  p[threadIdx.x].a = p[threadIdx.x].b >> 8;
}
