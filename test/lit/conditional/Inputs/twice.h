__global__ void NAME(int* x) {
#ifdef FIRST
  x[threadIdx.x] = 1;
#else
  x[threadIdx.x] = 2;
#endif
}
