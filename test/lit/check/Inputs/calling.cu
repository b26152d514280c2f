#include "part.h"

void launch(float* a, int n, const Part& part);

__global__ void clear(float* a) { a[threadIdx.x] = 0; }

void run(float* a) {
  Part part;
  part.width = 100;
  launch(a, part.width * 3, part);
}
