// Structured and dynamic counts: data goes when both are zero, copies happen then, sections lie within sections.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build %s %build/lib/libhone_accrt.a -I %source/runtime/acc -I %source/runtime/include/acc -I %S/Inputs -o program
// RUN: env HONE_RUN_LEAKS=1 ./program | FileCheck %s
// RUN: env ACC_DEVICE_TYPE=host ./program | FileCheck --check-prefix=HOST %s
#include "calls.h"

double a[100];
const unsigned long bytes = sizeof a;

int main() {
  for (double& x : a) x = 1;
  // CHECK: region ran on the device: 1
  // HOST: region ran on the device: 0
  printf("region ran on the device: %d\n", addOn("t.cu:1: region", hone_acc_copy, a, 100, 1));
  // CHECK: copy: 2 2
  printf("copy: %g %g\n", a[0], a[99]);

  // Within a data region only the region's end copies out.
  hone_acc_data_begin("t.cu:2: data", 1, hone_acc_sync, -1, 1, hone_acc_copy, "a", a, bytes, nullptr);
  addOn("t.cu:3: region", hone_acc_copy, a, 100, 1);
  // A section within it.
  addOn("t.cu:4: region", hone_acc_present, a + 10, 5, 10);
  // CHECK: inside: 2 present 1
  printf("inside: %g present %d\n", a[0], acc_is_present(a, bytes));
  hone_acc_data_end("t.cu:2: data");
  // CHECK: after: 3 3 13 13 3 present 0
  printf("after: %g %g %g %g %g present %d\n", a[0], a[9], a[10], a[14], a[15], acc_is_present(a, bytes));

  // Dynamic lifetimes nest too; what a region still holds is not ended by exit data.
  enter("t.cu:5: enter data", hone_acc_copyin, "a", a, bytes);
  enter("t.cu:6: enter data", hone_acc_copyin, "a", a, bytes);
  addOn("t.cu:7: region", hone_acc_present, a, 100, 1);
  leave("t.cu:8: exit data", hone_acc_copyout, "a", a, bytes);
  // CHECK: once: 3 present 1
  printf("once: %g present %d\n", a[0], acc_is_present(a, bytes));
  leave("t.cu:9: exit data", hone_acc_copyout, "a", a, bytes);
  // CHECK: twice: 4 present 0
  printf("twice: %g present %d\n", a[0], acc_is_present(a, bytes));
  leave("t.cu:10: exit data", hone_acc_copyout, "a", a, bytes);  // nothing to do, and no error

  // finalize ends all dynamic lifetimes; a region around keeps the data.
  hone_acc_data_begin("t.cu:11: data", 1, hone_acc_sync, -1, 1, hone_acc_copyout, "a", a, bytes, nullptr);
  enter("t.cu:12: enter data", hone_acc_copyin, "a", a, bytes);
  enter("t.cu:13: enter data", hone_acc_copyin, "a", a, bytes);
  update("t.cu:14: update", hone_acc_update_device, "a", a, bytes);
  addOn("t.cu:15: region", hone_acc_present, a, 100, 1);
  leave("t.cu:16: exit data", hone_acc_delete | hone_acc_finalize, "a", a, bytes);
  leave("t.cu:17: exit data", hone_acc_copyout, "a", a, bytes);  // the structured count is not its matter
  // CHECK: finalized: 4 present 1
  printf("finalized: %g present %d\n", a[0], acc_is_present(a, bytes));
  hone_acc_data_end("t.cu:11: data");
  // CHECK: ended: 5 present 0
  printf("ended: %g present %d\n", a[0], acc_is_present(a, bytes));

  // zero counts where memory is made; always copies whatever the counts say.
  hone_acc_data_begin("t.cu:18: data", 1, hone_acc_sync, -1, 1, hone_acc_create | hone_acc_zero, "a", a, bytes, nullptr);
  addOn("t.cu:19: region", hone_acc_copyout | hone_acc_zero | hone_acc_always_out, a, 100, 1);
  // CHECK: zero: 1
  printf("zero: %g\n", a[0]);
  a[0] = 20;
  addOn("t.cu:20: region", hone_acc_copyin | hone_acc_always_in, a, 100, 1);
  update("t.cu:21: update", hone_acc_update_self, "a[0:1]", a, 8);
  // CHECK: always: 21
  printf("always: %g\n", a[0]);
  hone_acc_data_end("t.cu:18: data");

  // Conditions that do not hold, regions of the host, empty sections, null pointers.
  hone_acc_data_begin("t.cu:22: data", 0, hone_acc_sync, -1, 1, hone_acc_copyin, "a", a, bytes, nullptr);
  // CHECK: condition: present 0
  printf("condition: present %d\n", acc_is_present(a, bytes));
  hone_acc_data_end("t.cu:22: data");
  double* null = nullptr;
  long none = 0;
  double by = 1;
  // CHECK: if(0): 0, self: 0, empty: 1, null: 1
  int skipped = hone_acc_region("t.cu:23: region", launchAdd, 0, 0, hone_acc_sync, -1, 0, 0, 0);
  int self = hone_acc_region("t.cu:24: region", launchAdd, 1, 1, hone_acc_sync, -1, 0, 0, 0);
  int empty = addOn("t.cu:25: region", hone_acc_copy, a, 0, 1);
  int nothing = hone_acc_region("t.cu:26: region", launchAdd, 1, 0, hone_acc_sync, -1, 3, 0, 1, &null, &none, &by,
                                hone_acc_present, "null[0:8]", null, 64ul, nullptr);
  printf("if(0): %d, self: %d, empty: %d, null: %d\n", skipped, self, empty, nothing);

  // no_create: used where it is there. A part that is present is enough for what no clause names.
  enter("t.cu:27: enter data", hone_acc_copyin, "a[0:50]", a, 400);
  addOn("t.cu:28: region", hone_acc_no_create, a, 50, 1);
  addOn("t.cu:29: region", hone_acc_lookup, a + 10, 10, 1);
  long half = 50;
  double* pa = a;
  hone_acc_region("t.cu:30: region", launchAdd, 1, 0, hone_acc_sync, -1, 3, 0, 1, &pa, &half, &by,
                  hone_acc_copy | hone_acc_implicit, "a", a, bytes, nullptr);
  leave("t.cu:31: exit data", hone_acc_copyout, "a[0:50]", a, 400);
  // CHECK: parts: 23 4 1
  printf("parts: %g %g %g\n", a[0], a[10], a[99]);
  // CHECK: address 1 1 0
  void* device = acc_copyin(a + 1, 8);
  printf("address %d %d %d\n", acc_deviceptr(a + 1) == device, acc_hostptr(device) == a + 1,
         acc_deviceptr(a) != nullptr);
  acc_delete(a + 1, 8);
}
