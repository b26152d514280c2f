// flags: --extended-lambda
// expect-refused: apply 10 lambda
// A kernel template instantiated with the type of a lambda.
template <typename F>
__global__ void apply(float* x, F f) {
  x[threadIdx.x] = f(x[threadIdx.x]);
}

void launch(float* x, float k) {
  apply<<<1, 32>>>(x, [=] __device__(float v) { return v * k; });
}
