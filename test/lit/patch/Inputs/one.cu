#include "kernels.cuh"
void one(float* x) { fill<<<4, 64>>>(x, 1.0f, 256); }
