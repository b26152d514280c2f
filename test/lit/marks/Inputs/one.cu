#include "shared.cuh"
void one(float* x, int n) {
  twice<<<(n + 255) / 256, 256>>>(x, n);
  thrice<<<(n + 255) / 256, 256>>>(x, n);
}
