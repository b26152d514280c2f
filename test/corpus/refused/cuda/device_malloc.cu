// requires: toolkit
// expect-refused: mallocs 7 malloc
// malloc and free in a kernel.
#include <cuda_runtime.h>
#include <stdlib.h>
__global__ void mallocs(int* out, int n) {
  int* tmp = (int*)malloc(n * sizeof(int));
  if (!tmp) return;
  tmp[0] = n;
  out[threadIdx.x] = tmp[0];
  free(tmp);
}
