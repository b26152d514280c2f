// Regions without kernels run on the host, on what the device has: what the host had is not seen in between, and comes back.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build %s %build/lib/libhone_accrt.a -I %source/runtime/acc -I %source/runtime/include/acc -I %S/Inputs -o program
// RUN: env HONE_RUN_LEAKS=1 ./program | FileCheck %s
// RUN: %not ./program x 2>&1 | FileCheck --check-prefix=POINTER %s
// POINTER: t.cu:9: region: this runs on the host, which cannot use the memory of the device that `p` points to
#include "calls.h"

struct Vector {
  double* data;
};
double a[4], b[4], c[4];
static const double fixed[2] = {7, 8};

int main(int argc, char**) {
  if (argc > 1) {
    double* p = (double*)acc_malloc(8);
    hone_acc_host_begin("t.cu:9: region", 1, 0, hone_acc_sync, -1, 1, hone_acc_deviceptr, "p", p, 0ul, nullptr);
  }
  a[0] = 1;
  hone_acc_data_begin("t.cu:1: data", 1, hone_acc_sync, -1, 1, hone_acc_copyin, "a", a, sizeof a, nullptr);
  addOn("t.cu:2: region", hone_acc_present, a, 4, 1, 5);
  a[1] = 100;  // the host's own
  hone_acc_host_begin("t.cu:3: region", 1, 0, hone_acc_sync, -1, 4, hone_acc_lookup, "a", a, 0ul, nullptr,
                      hone_acc_copyin, "b", b, sizeof b, nullptr, hone_acc_copyout | hone_acc_zero, "c", c, sizeof c,
                      nullptr, hone_acc_copyin, "fixed", fixed, sizeof fixed, nullptr);
  // CHECK: body 2 1 0
  printf("body %g %g %g\n", a[0], a[1], c[0]);
  a[0] += 10;
  b[0] += 5;
  c[0] += fixed[1];
  hone_acc_host_end("t.cu:3: region");
  // CHECK: after 1 100 0 8
  printf("after %g %g %g %g\n", a[0], a[1], b[0], c[0]);
  acc_update_self(a, sizeof a);
  // CHECK: device 12 1 present 1 0
  printf("device %g %g present %d %d\n", a[0], a[1], acc_is_present(a, sizeof a), acc_is_present(b, 8));
  hone_acc_data_end("t.cu:1: data");

  // Through a pointer that is attached, though no clause names what it points to.
  Vector v = {b};
  b[0] = 3;
  hone_acc_enter_data("t.cu:4: enter data", 1, hone_acc_sync, -1, 2, hone_acc_copyin, "v", &v, sizeof v, nullptr,
                      hone_acc_copyin, "v.data", b, sizeof b, &v.data);
  addOn("t.cu:5: region", hone_acc_present, b, 4, 1);
  hone_acc_host_begin("t.cu:6: region", 1, 0, 7, 1, 1, 5ll, hone_acc_present, "v", &v, sizeof v, nullptr);
  v.data[0] *= 10;
  hone_acc_host_end("t.cu:6: region");
  // CHECK: kept 3 1
  printf("kept %g %d\n", b[0], v.data == b);
  hone_acc_exit_data("t.cu:7: exit data", 1, hone_acc_sync, -1, 2, hone_acc_copyout, "v.data", b, sizeof b, &v.data,
                     hone_acc_delete, "v", &v, sizeof v, nullptr);
  // CHECK: attached 40 1
  printf("attached %g %d\n", b[0], v.data == b);

  // Where the host was to run it anyway, nothing moves.
  enter("t.cu:8: enter data", hone_acc_copyin, "a", a, sizeof a);
  a[0] = -1;
  for (int k = 0; k < 2; ++k) {
    hone_acc_host_begin("t.cu:8: region", k, k, hone_acc_sync, -1, 1, hone_acc_copy, "a", a, sizeof a, nullptr);
    a[0] -= 1;
    hone_acc_host_end("t.cu:8: region");
  }
  // CHECK: own -3
  printf("own %g\n", a[0]);
  leave("t.cu:8: exit data", hone_acc_delete, "a", a, sizeof a);
}
