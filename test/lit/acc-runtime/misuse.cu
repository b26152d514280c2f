// What is wrong with a section, an address or a queue: the construct's place, the variable, what is wrong; exit status 1.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build %s %build/lib/libhone_accrt.a -I %source/runtime/acc -I %source/runtime/include/acc -I %S/Inputs -o program
// Asking for lines takes its time, so that but one case does.
// RUN: %not ./program 9 2>&1 | FileCheck --check-prefix=LINE %s
// LINE: misuse.cu:[[#@LINE+87]]: acc_copyin: memory of
// RUN: env HONE_SYMBOLIZER=false %python %S/Inputs/each.py ./program 25 2>&1 | FileCheck %s
// RUN: %not env ACC_DEVICE_TYPE=radeon ./program 1 2>&1 | FileCheck --check-prefix=TYPE %s
// TYPE: ACC_DEVICE_TYPE=radeon: no such type of device; known are host, nvidia, not_host and default
// RUN: %not env ACC_DEVICE_NUM=3 ./program 1 2>&1 | FileCheck --check-prefix=NUMBER %s
// NUMBER: ACC_DEVICE_NUM=3: there is no such device: they are counted from 0, and there is 1
// RUN: %not env ACC_DEVICE_NUM=x ./program 1 2>&1 | FileCheck --check-prefix=WORD %s
// WORD: ACC_DEVICE_NUM=x: not a number
// RUN: env ACC_DEVICE_TYPE=ACC_DEVICE_NVIDIA ACC_DEVICE_NUM=0 ./program 0
// RUN: env ACC_DEVICE_TYPE=host ./program 1
#include "calls.h"

__global__ void outside(double* a) {
  if (a) __trap();
}
extern "C" void launchOutside(hone_acc_call* call) {
  outside<<<1, 1>>>((double*)call->items[0].device);
  hone_acc_launched(call, cudaGetLastError());
}
extern "C" void launchHuge(hone_acc_call* call) {
  addKernel<<<1, 5000>>>(nullptr, 0, 0);
  hone_acc_launched(call, cudaGetLastError());
}

double a[100], b[100];

int main(int, char** argv) {
  const char* const site = "t.c:12: parallel loop in saxpy";
  double* device = nullptr;
  cudaMalloc(&device, 800);
  switch (atoi(argv[1])) {
    case 0: break;
    case 1:
      // CHECK: {{^}}1:{{$}}
      // CHECK-NEXT: {{^}}t.c:12: parallel loop in saxpy: `a[0:n]` is only partly present: of its 800 bytes the device has those from 0 to 399, as part of `a[0:50]` (400 bytes, from t.c:9: enter data in main)
      // CHECK-NEXT: status 1
      enter("t.c:9: enter data in main", hone_acc_copyin, "a[0:50]", a, 400);
      addOn(site, hone_acc_copy, a, 100, 1);
      break;
    case 2:
      // CHECK: {{^}}2:{{$}}
      // CHECK-NEXT: {{^}}t.c:12: parallel loop in saxpy: `a[0:n]` is only partly present: of its 400 bytes the device has those from 320 to 399, as part of `a[90:10]` (80 bytes, from t.c:9: data in main)
      hone_acc_data_begin("t.c:9: data in main", 1, hone_acc_sync, -1, 1, hone_acc_copyin, "a[90:10]", a + 90, 80ul,
                          nullptr);
      addOn(site, hone_acc_present, a + 50, 50, 1);
      break;
    case 3:
      // CHECK: {{^}}3:{{$}}
      // CHECK-NEXT: {{^}}t.c:12: parallel loop in saxpy: `a[0:n]` is not present: no data region, enter data or declare around this has brought it to the device
      // CHECK-NEXT: status 1
      addOn(site, hone_acc_present, a, 100, 1);
      break;
    case 4:
      // CHECK: {{^}}4:{{$}}
      // CHECK-NEXT: {{^}}t.c:7: update in f: `a` is not present
      update("t.c:7: update in f", hone_acc_update_self | hone_acc_if_present, "a", a, 800);
      update("t.c:7: update in f", hone_acc_update_self, "a", a, 800);
      break;
    case 5:
      // CHECK: {{^}}5:{{$}}
      // CHECK-NEXT: {{^}}t.c:10: exit data in main: `a` is only partly present: of its 800 bytes the device has those from 8 to 15
      enter("t.c:9: enter data in main", hone_acc_copyin, "a[1:1]", a + 1, 8);
      leave("t.c:10: exit data in main", hone_acc_delete, "a", a, 800);
      break;
    case 6:
      // CHECK: {{^}}6:{{$}}
      // CHECK-NEXT: {{^}}t.c:8: host_data in f: `a` is not present
      if (hone_acc_use("t.c:8: host_data in f", 1, 1, a, "a") != a) return 3;
      if (hone_acc_use("t.c:8: host_data in f", 0, 0, a, "a") != a) return 3;
      if (hone_acc_use("t.c:8: host_data in f", 1, 0, nullptr, "a")) return 3;
      hone_acc_use("t.c:8: host_data in f", 1, 0, a, "a");
      break;
    case 7:
      // CHECK: {{^}}7:{{$}}
      // CHECK-NEXT: {{^}}t.c:12: parallel loop in saxpy: `a[0:n]` is at an address of the device, where one of the host is needed; pointers to the device go into deviceptr
      addOn(site, hone_acc_copyin, device, 100, 1);
      break;
    case 8:
      // CHECK: {{^}}8:{{$}}
      // CHECK-NEXT: {{^}}t.c:12: parallel loop in saxpy: `a[0:n]` stands in deviceptr, but it is an address of the host; pointers to the device come from acc_malloc, acc_deviceptr or host_data
      addOn(site, hone_acc_deviceptr, device, 100, 1);
      addOn(site, hone_acc_deviceptr, b, 100, 1);
      break;
    case 9:
      // CHECK: {{^}}9:{{$}}
      // CHECK-NEXT: {{^}}acc_copyin: memory of 16 bytes at 0x{{[0-9a-f]+}} is only partly present: of its 16 bytes the device has those from 0 to 7
      acc_copyin(a, 8);
      acc_copyin(a, 16);
      break;
    case 10:
      // CHECK: {{^}}10:{{$}}
      // CHECK-NEXT: {{^}}acc_unmap_data: this was mapped by no acc_map_data, or is no longer mapped
      acc_map_data(a, device, 800);
      acc_unmap_data(a);
      acc_unmap_data(a);
      break;
    case 11:
      // CHECK: {{^}}11:{{$}}
      // CHECK-NEXT: {{^}}acc_unmap_data: this was mapped by no acc_map_data: it is part of `b` from t.c:9: enter data
      enter("t.c:9: enter data", hone_acc_copyin, "b", b, 800);
      acc_unmap_data(b);
      break;
    case 12:
      // CHECK: {{^}}12:{{$}}
      // CHECK-NEXT: {{^}}acc_map_data: memory of 8 bytes at 0x{{[0-9a-f]+}} is present already, as part of `b` from t.c:9: enter data
      enter("t.c:9: enter data", hone_acc_copyin, "b", b, 800);
      acc_map_data(b + 3, device, 8);
      break;
    case 13:
      // CHECK: {{^}}13:{{$}}
      // CHECK-NEXT: {{^}}acc_map_data: the device's address is no address of the device
      acc_map_data(a, b, 8);
      break;
    case 14:
      // CHECK: {{^}}14:{{$}}
      // CHECK-NEXT: {{^}}acc_unmap_data: a data region that goes on holds memory of 800 bytes
      acc_map_data(a, device, 800);
      hone_acc_data_begin(site, 1, hone_acc_sync, -1, 1, hone_acc_copyin, "a", a, 800ul, nullptr);
      acc_unmap_data(a);
      break;
    case 15:
      // CHECK: {{^}}15:{{$}}
      // CHECK-NEXT: {{^}}acc_free: this is no memory that acc_malloc gave, or it was freed before
      {
        void* p = acc_malloc(10);
        acc_free(p);
        acc_free(nullptr);
        acc_free(p);
      }
      break;
    case 16:
      // CHECK: {{^}}16:{{$}}
      // CHECK-NEXT: {{^}}acc_memcpy_to_device: the target is no address of the device
      acc_memcpy_to_device(a, b, 8);
      break;
    case 17:
      // CHECK: {{^}}17:{{$}}
      // CHECK-NEXT: {{^}}acc_memcpy_to_device: the source is an address of the device, where one of the host is needed
      acc_memcpy_to_device(device, device + 1, 8);
      break;
    case 18:
      // CHECK: {{^}}18:{{$}}
      // CHECK-NEXT: {{^}}t.c:12: parallel loop in saxpy: async(-7) names no queue: numbers of queues are 0 and more, or one of the acc_async_ constants
      addOn(site, hone_acc_copy, a, 100, 1, -7);
      break;
    case 19:
      // CHECK: {{^}}19:{{$}}
      // CHECK-NEXT: {{^}}acc_set_device_num: there is no device 1: there is 1, number 0
      acc_set_device_num(1, acc_device_nvidia);
      break;
    case 20:
      // CHECK: {{^}}20:{{$}}
      // CHECK-NEXT: {{^}}acc_set_device_type: there is no device of this type
      acc_set_device_type(acc_device_radeon);
      break;
    case 21:
      // CHECK: {{^}}21:{{$}}
      // CHECK-NEXT: {{^}}t.c:12: parallel loop in saxpy: the device has no memory left for `a[0:n]`, which has {{[0-9]+}} bytes
      addOn(site, hone_acc_create, a, 1l << 40, 1);
      break;
    case 22:
      // CHECK: {{^}}22:{{$}}
      // CHECK-NEXT: {{^}}t.c:12: parallel loop in saxpy: the region did not run: the device says: invalid configuration argument
      hone_acc_region(site, launchHuge, 1, 0, hone_acc_sync, -1, 0, 0, 0);
      break;
    case 23:
      // CHECK: {{^}}23:{{$}}
      // CHECK-NEXT: {{^}}t.c:12: parallel loop in saxpy: the region did not run: the device says: {{.+}}
      // CHECK: status 1
      hone_acc_region(site, launchOutside, 1, 0, hone_acc_sync, -1, 0, 0, 1, hone_acc_copy, "a", a, 800ul, nullptr);
      break;
    case 24:
      // CHECK: {{^}}24:{{$}}
      // CHECK-NEXT: {{^}}acc_free: acc_map_data has mapped memory of 8 bytes at 0x{{[0-9a-f]+}} to this memory; acc_unmap_data has to come first
      {
        void* p = acc_malloc(16);
        acc_map_data(a, (char*)p + 8, 8);
        acc_free(p);
      }
      break;
    case 25:
      // CHECK: {{^}}25:{{$}}
      // CHECK-NEXT: {{^}}acc_memcpy_d2d: `the source on device 0` is not present
      acc_copyin(a, 800);
      acc_memcpy_d2d(a, b, 800, 0, 0);
      break;
  }
  // CHECK-NOT: went on
  if (atoi(argv[1]) && acc_get_device_type() != acc_device_host) printf("case %s went on\n", argv[1]);
}
