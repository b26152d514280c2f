// expect-refused: * 3 no/such/header.cuh
// A header that is nowhere.
#include "no/such/header.cuh"
__global__ void needsHeader(float* x) { x[threadIdx.x] = headerFunction(x[threadIdx.x]); }
