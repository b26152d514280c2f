__global__ void step(float* x) { x[threadIdx.x * WIDTH] = sizeof(REAL); }
