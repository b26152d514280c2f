// Pointers that the program puts into constant memory are null here: no fault of the kernel.
// RUN: %hone opt %s --target h200 -o %t.cu 2>&1 | FileCheck %s
// CHECK: kernel `twice`: left as it is: it reaches memory by pointers in `tables`, which the program sets before the launch: where they point cannot be read off
// CHECK-NOT: null pointer
struct Tables {
  float* values;
  int count;
};
__constant__ Tables tables[2];
__global__ void twice() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tables[0].values[i] = 2 * tables[1].values[i];
}
void launch() { twice<<<64, 256>>>(); }
