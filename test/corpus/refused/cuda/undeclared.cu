// expect-refused: broken 5 no_such_thing
// expect-imported: fine
// A kernel that does not compile beside one that does.
__global__ void broken(int* x) {
  x[threadIdx.x] = no_such_thing;
}

__global__ void fine(int* x) { x[threadIdx.x] = 1; }
