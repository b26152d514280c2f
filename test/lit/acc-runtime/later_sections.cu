// Sections that begin behind the first element: a region that names the pointer alone finds them, and moves the pointer along.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build %s %build/lib/libhone_accrt.a -I %source/runtime/acc -I %source/runtime/include/acc -I %S/Inputs -o program
// RUN: env HONE_RUN_LEAKS=1 ./program | FileCheck %s
// RUN: %not ./program x 2>&1 | FileCheck --check-prefix=TWO %s
// TWO: t.cu:2: region: `a` has several sections on the device, {{.*}} among them; a clause has to say which of them this uses
#include "calls.h"

__global__ void add(double* a, int from, int to) {
  for (int k = from + int(threadIdx.x); k < to; k += int(blockDim.x)) a[k] += 1;
}
extern "C" void launch(hone_acc_call* call) {
  add<<<1, 32>>>((double*)hone_acc_moved(call, 0, *(double**)call->vars[0]), 10, 60);
  hone_acc_launched(call, cudaGetLastError());
}

int main(int argc, char**) {
  double* a = new double[100]();
  double* p = a;
  const int based = hone_acc_copyin | hone_acc_base;
  hone_acc_data_begin("t.cu:1: data", 1, hone_acc_sync, -1, 1, hone_acc_copy | hone_acc_base, "a[10:50]", a + 10,
                      400ul, nullptr, a);
  if (argc > 1)
    hone_acc_enter_data("t.cu:1: enter data", 1, hone_acc_sync, -1, 1, based, "a[80:5]", a + 80, 40ul, nullptr, a);
  const auto region = [&] {
    hone_acc_region("t.cu:2: region", launch, 1, 0, hone_acc_sync, -1, 1, 0, 1, &p, hone_acc_lookup, "a", a, 0ul,
                    nullptr);
  };
  region();
  // CHECK: use 1
  printf("use %d\n", hone_acc_use("t.cu:3: host_data", 1, 0, a, "a") == (double*)acc_deviceptr(a + 10) - 10);
  hone_acc_data_begin("t.cu:4: data", 1, hone_acc_sync, -1, 1, based, "a[20:5]", a + 20, 40ul, nullptr, a);
  region();
  hone_acc_host_begin("t.cu:5: region", 1, 0, hone_acc_sync, -1, 1, hone_acc_lookup, "a", a, 0ul, nullptr);
  a[10] *= 10;
  hone_acc_host_end("t.cu:5: region");
  hone_acc_data_end("t.cu:4: data");
  hone_acc_data_end("t.cu:1: data");
  // CHECK: 0 20 2 2 0
  printf("%g %g %g %g %g\n", a[9], a[10], a[11], a[59], a[60]);
  // Gone with it.
  // CHECK: gone 1
  printf("gone %d\n", hone_acc_use("t.cu:6: host_data", 1, 1, a, "a") == a);
}
