// expect-refused: areas 12 virtual
// A virtual call on an object built in the kernel.
struct Shape {
  __device__ virtual float area() const { return 0; }
};
struct Square : Shape {
  float s;
  __device__ float area() const override { return s * s; }
};

__global__ void areas(float* out) {
  Square sq;
  sq.s = threadIdx.x;
  const Shape& shape = sq;
  out[threadIdx.x] = shape.area();
}
