// Bit-fields: read, written, compared and counted in; each is an int where its values fit one.
// no-opencl: grow bit-fields
struct Cell {
  unsigned kind : 3, age : 5;
  int drift : 7;
  bool alive : 1;
};

__device__ int weight(Cell c) { return c.kind * 2 - c.age + c.drift; }

__global__ void grow(Cell* cells, int* sums, Cell base, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Cell c = cells[i];
  if (c.alive && c.age - 3 < 0) c.age += 2;
  c.drift -= base.drift;
  c.kind = c.kind == 7 ? 0 : c.kind + 1;
  unsigned scale = 3;
  sums[i] = weight(c) + (int)(c.age * scale) + (c.kind << 2) - (-c.kind);
  for (int k = 0; k < c.kind; ++k) sums[i] += k ^ base.age;
  cells[i] = c;
}
