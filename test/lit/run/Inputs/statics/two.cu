#ifdef CONSTANT
static __device__ const int offsets[2] = {8, 9};
__device__ int other(int i) { return offsets[i]; }
#else
static __device__ int table[2] = {8, 9};
__device__ int other(int i) { return table[i]; }
#endif
