// expect-refused: counts 4 static
// A static local variable, which all threads share across launches.
__global__ void counts(int* out) {
  static int calls = 0;
  calls++;
  out[threadIdx.x] = calls;
}
