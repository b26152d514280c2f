// A closure may hold everything but an array.
// RUN: %hone run %s 2>&1 | FileCheck %s
// CHECK: held_array.cu:[[#@LINE+4]]: kernel held cannot run: array held by a lambda
#include <cstdio>
__global__ void held(int* a) {
  int three[3] = {1, 2, 3};
  auto get = [three](int i) { return three[i]; };
  a[threadIdx.x] = get(threadIdx.x % 3);
}
int main() { std::printf("done\n"); }
