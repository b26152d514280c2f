// A kernel that cannot run is no obstacle until it is launched.
// RUN: %hone run %s 2>&1 | FileCheck %s --check-prefix=UNUSED
// Also when it was built before.
// RUN: %hone run %s 2>&1 | FileCheck %s --check-prefix=UNUSED
// RUN: not %hone run %s -- launch 2>&1 | FileCheck %s --check-prefix=LAUNCHED
// UNUSED: left_alone.cu:[[#@LINE+7]]: kernel lane cannot run: inline assembly 'mapa.u32 $0, 0, 1'
// UNUSED: done
// LAUNCHED: before
// LAUNCHED-NOT: done
// LAUNCHED: kernel lane cannot run on the embedded device: {{.*}}left_alone.cu:[[#@LINE+3]]: inline assembly 'mapa.u32 $0, 0, 1'
#include <cstdio>
__global__ void lane(int* a) {
  asm("mapa.u32 %0, 0, 1;" : "=r"(a[0]));
}
int main(int argc, char**) {
  std::printf("before\n");
  if (argc > 1) lane<<<1, 1>>>(nullptr);
  std::printf("done\n");
}
