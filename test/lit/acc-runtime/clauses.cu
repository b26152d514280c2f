// What clauses say of elements, lengths and pointers: findings count elements where their size is known, a pointer alone means what it leads to, and a negative length is an error.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build %s %build/lib/libhone_accrt.a -I %source/runtime/acc -I %source/runtime/include/acc -I %S/Inputs -o program
// RUN: %not ./program 1 2>&1 | FileCheck --check-prefix=ELEMENTS %s
// RUN: %not ./program 2 2>&1 | FileCheck --check-prefix=BYTES %s
// RUN: %not ./program 3 2>&1 | FileCheck --check-prefix=ALONE %s
// RUN: ./program 4
// RUN: %not ./program 5 2>&1 | FileCheck --check-prefix=ENTER %s
// RUN: %not ./program 6 2>&1 | FileCheck --check-prefix=UPDATE %s
// RUN: %not ./program 7 2>&1 | FileCheck --check-prefix=EXIT %s
// RUN: %not ./program 8 2>&1 | FileCheck --check-prefix=HOST %s
#include "calls.h"

__global__ void copyLast(double* to, const double* from, int n) {
  to[0] = from[n - 1];
}
extern "C" void launchLast(hone_acc_call* call) {
  copyLast<<<1, 1>>>((double*)call->items[0].device, (double*)call->items[1].device, *(int*)call->vars[0]);
  hone_acc_launched(call, cudaGetLastError());
}
extern "C" void launchHost(hone_acc_call* call) {
  copyLast<<<1, 1>>>((double*)call->items[0].device, (double*)call->items[1].host, *(int*)call->vars[0]);
  hone_acc_launched(call, cudaGetLastError());
}

int main(int, char** argv) {
  double to = 0;
  auto* const from = static_cast<double*>(calloc(10, sizeof(double)));
  int n = 11;
  const unsigned long element = sizeof(double), negative = -16ul;
  switch (atoi(argv[1])) {
    case 1:
      // ELEMENTS: out of bounds in global memory, `from[0:10]`, element 10 of 10: reads element 10 of `from[0:10]`, which has 10 elements
      hone_acc_region("t.cu:1: region", launchLast, 1, 0, hone_acc_sync, -1, 1, 0, 2, &n,
                      hone_acc_copyout | hone_acc_element, "to", &to, sizeof to, nullptr, element,
                      hone_acc_copyin | hone_acc_element, "from[0:10]", from, 80ul, nullptr, element);
      break;
    case 2:
      // BYTES: out of bounds in global memory, memory of acc_copyin, byte 80 of 80: reads bytes 80 to 87 of memory of acc_copyin, which has 80 bytes
      acc_copyin(from, 80ul);
      hone_acc_region("t.cu:1: region", launchLast, 1, 0, hone_acc_sync, -1, 1, 0, 2, &n, hone_acc_copyout, "to", &to,
                      sizeof to, nullptr, hone_acc_lookup, "from", from, 0ul, nullptr);
      break;
    case 3:
      // ALONE: t.cu:1: data: `from` is not present: no data region
      hone_acc_data_begin("t.cu:1: data", 1, hone_acc_sync, -1, 1, hone_acc_present, "from[0:0]", from, 0ul, nullptr);
      hone_acc_data_end("t.cu:1: data");
      enter("t.cu:1: enter data", hone_acc_create, "from", from, 80);
      hone_acc_data_begin("t.cu:1: data", 1, hone_acc_sync, -1, 1, hone_acc_present | hone_acc_alone, "from", from + 10, 0ul,
                          nullptr);
      break;
    case 4: {
      const int alone = hone_acc_present | hone_acc_alone, gone = hone_acc_delete | hone_acc_alone;
      enter("t.cu:1: enter data", hone_acc_copyin, "from[0:5]", from, 40);
      hone_acc_data_begin("t.cu:1: data", 1, hone_acc_sync, -1, 2, alone, "from", from + 1, 0ul, nullptr, alone, "null",
                          nullptr, 0ul, nullptr);
      // What ends where a pointer leads to is not meant.
      leave("t.cu:1: exit data", gone, "from", from + 5, 0);
      if (!acc_is_present(from, 40)) return 2;
      leave("t.cu:1: exit data", gone, "from", from, 0);
      if (!acc_is_present(from, 40)) return 3;
      hone_acc_data_end("t.cu:1: data");
      if (acc_is_present(from, 40)) return 4;
      // Sections of no bytes are nowhere, and their pointers are right all the same.
      enter("t.cu:1: enter data", hone_acc_copyin, "to[0:0]", &to, 0);
      hone_acc_data_begin("t.cu:1: data", 1, hone_acc_sync, -1, 1, alone, "to", &to, 0ul, nullptr);
      hone_acc_data_end("t.cu:1: data");
      break;
    }
    case 5:
      // ENTER: t.cu:1: enter data: `from[0:n]` has a negative length: -16 bytes
      hone_acc_enter_data("t.cu:1: enter data", 0, hone_acc_sync, -1, 1, hone_acc_create, "x", from, negative, nullptr);
      enter("t.cu:1: enter data", hone_acc_create, "from[0:n]", from, negative);
      break;
    case 6:
      // UPDATE: t.cu:1: update: `from[0:n]` has a negative length: -16 bytes
      update("t.cu:1: update", hone_acc_update_self | hone_acc_if_present, "from[0:n]", from, negative);
      break;
    case 7:
      // EXIT: t.cu:1: exit data: `from[0:n]` has a negative length: -16 bytes
      leave("t.cu:1: exit data", hone_acc_delete, "from[0:n]", from, negative);
      break;
    case 8:
      // HOST: (memory of the host; the device does not have what `from` and `also` point to here: name it in a clause, as copy(p[0:n]), or bring it with enter data)
      n = 3;
      hone_acc_region("t.cu:1: region", launchHost, 1, 0, hone_acc_sync, -1, 1, 0, 4, &n, hone_acc_copyout, "to", &to,
                      sizeof to, nullptr, hone_acc_lookup, "from", from, 0ul, nullptr, hone_acc_lookup, "to", &to, 0ul,
                      nullptr, hone_acc_no_create, "also", &n, sizeof n, nullptr);
      break;
  }
  return 0;
}
