// expect-refused: localPointer 10 function
// expect-refused: throughTable 15 function
// Calls through function pointers: a local one and one from a table in device memory.
typedef float (*Fn)(float);
__device__ float twice(float x) { return 2 * x; }
__device__ float thrice(float x) { return 3 * x; }
__device__ Fn table[2] = {twice, thrice};

__global__ void localPointer(float* x, int k) {
  Fn f = k ? twice : thrice;
  x[threadIdx.x] = f(x[threadIdx.x]);
}

__global__ void throughTable(float* x, int k) {
  x[threadIdx.x] = table[k](x[threadIdx.x]);
}
