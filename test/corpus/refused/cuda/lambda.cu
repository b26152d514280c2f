// expect-refused: withLambda 4 lambda
// A lambda called in a kernel body.
__global__ void withLambda(float* x, float k) {
  auto scale = [k](float v) { return k * v; };
  x[threadIdx.x] = scale(x[threadIdx.x]);
}
