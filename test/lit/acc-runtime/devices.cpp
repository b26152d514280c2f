// openacc.h: devices, their types, numbers and properties; the host as a device; init and shutdown; memory by acc_malloc; managed memory.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build %s %build/lib/libhone_accrt.a -I %source/runtime/acc -I %source/runtime/include/acc -o program
// RUN: env HONE_RUN_LEAKS=1 ./program | FileCheck %s --check-prefixes=CHECK,DEVICE
// RUN: env ACC_DEVICE_TYPE=host ./program | FileCheck %s --check-prefixes=CHECK,HOST
// RUN: env ACC_DEVICE_TYPE=nvidia ACC_DEVICE_NUM=0 ./program | FileCheck %s --check-prefixes=CHECK,DEVICE
#include <cuda_runtime.h>
#include <hone_acc.h>
#include <openacc.h>

#include <cstdio>
#include <cstring>

double a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8];

int main() {
  // CHECK: count 1 1 1 1 0 0
  printf("count %d %d %d %d %d %d\n", acc_get_num_devices(acc_device_nvidia), acc_get_num_devices(acc_device_host),
         acc_get_num_devices(acc_device_default), acc_get_num_devices(acc_device_not_host),
         acc_get_num_devices(acc_device_none), acc_get_num_devices(acc_device_radeon));
  const acc_device_t type = acc_get_device_type();
  // DEVICE: type 5 number 0
  // HOST: type 2 number 0
  printf("type %d number %d\n", type, acc_get_device_num(type));
  acc_set_device_type(type);
  acc_set_device_num(0, type);
  acc_set_device_num(-1, acc_device_default);
  acc_init(acc_device_current);
  acc_init_device(0, type);
  hone_acc_init("t.cpp:1: init", 1, -1000, -1000);
  // CHECK: on device 1 0
  printf("on device %d %d\n", acc_on_device(acc_device_host), acc_on_device(acc_device_nvidia));
  // DEVICE: name {{.*}}hone{{.*}}, NVIDIA, {{[0-9]+\.[0-9]+}}, (null), memory 1 1, shared 0
  // HOST: name host, , , (null), memory 0 0, shared 1
  const char* none = acc_get_property_string(0, type, acc_property_memory);
  printf("name %s, %s, %s, %s, memory %d %d, shared %zu\n", acc_get_property_string(0, type, acc_property_name),
         acc_get_property_string(0, type, acc_property_vendor), acc_get_property_string(0, type, acc_property_driver),
         none ? none : "(null)", acc_get_property(0, type, acc_property_memory) > 1000,
         acc_get_property(0, type, acc_property_free_memory) > 1000,
         acc_get_property(0, type, acc_property_shared_memory_support));

  const size_t before = acc_get_property(0, type, acc_property_free_memory);
  double* d = static_cast<double*>(acc_malloc(sizeof a));
  double* e = static_cast<double*>(acc_malloc(sizeof a));
  acc_memcpy_to_device(d, a, sizeof a);
  acc_memcpy_device(e, d, sizeof a);
  acc_memcpy_from_device(b, e + 2, 3 * sizeof(double));
  acc_memcpy_to_device_async(d, b, sizeof(double), 1);
  acc_memcpy_device_async(e, d, sizeof(double), 1);
  acc_memcpy_from_device_async(b + 7, e, sizeof(double), 1);
  acc_wait(1);
  // CHECK: copies 3 4 5 0 3
  printf("copies %g %g %g %g %g\n", b[0], b[1], b[2], b[3], b[7]);
  acc_free(d);
  acc_free(e);
  // CHECK: freed 1
  printf("freed %d\n", before == acc_get_property(0, type, acc_property_free_memory));

  // The host shares all memory with itself.
  // DEVICE: present 0 1 0 address 1 0
  // HOST: present 1 1 1 address 0 1
  const int first = acc_is_present(a, sizeof a);
  void* const at = acc_copyin(a, sizeof a);
  const int second = acc_is_present(a, 0), third = acc_is_present(a, sizeof a + 1);
  printf("present %d %d %d address %d %d\n", first, second, third, at != a, acc_deviceptr(a + 1) == a + 1);
  a[0] = 50;
  acc_update_self(a, 8);
  acc_update_self(nullptr, 8);
  acc_update_self(a, 0);
  // DEVICE: self 1
  // HOST: self 50
  printf("self %g\n", a[0]);
  acc_create(b, sizeof b);
  acc_memcpy_d2d(b, a, 16, 0, 0);
  acc_copyout(b, sizeof b);
  // DEVICE: d2d 1 2
  // HOST: d2d 50 2
  printf("d2d %g %g\n", b[0], b[1]);

  // What dynamic lifetimes hold goes with the device; the next use brings it back.
  acc_shutdown(acc_device_nvidia);
  // DEVICE: shut down 0
  // HOST: shut down 1
  printf("shut down %d\n", acc_is_present(a, 8));
  acc_copyin(a, 8);
  acc_copyin(a, 8);
  acc_copyout_finalize(a, 8);
  acc_delete(a, 8);
  acc_delete(nullptr, 8);
  hone_acc_shutdown("t.cpp:2: shutdown", 1, acc_device_default, 0);

  // The host in a part of the program.
  acc_set_device_type(acc_device_host);
  // CHECK: host 2 region 0
  printf("host %d region %d\n", acc_get_device_type(),
         hone_acc_region("t.cpp:3: region", nullptr, 1, 0, hone_acc_sync, -1, 0, 0, 0));
  acc_copyin(a, sizeof a);
  hone_acc_set("t.cpp:4: set", 1, acc_device_default, -1000, -1000);
  acc_delete(a, sizeof a);
  // CHECK: back 1
  printf("back %d\n", acc_get_device_type() == type);

  // Managed memory is shared: nothing moves.
  double* m = nullptr;
  cudaMallocManaged(reinterpret_cast<void**>(&m), 64);
  hone_acc_enter_data("t.cpp:5: enter data", 1, hone_acc_sync, -1, 2, hone_acc_copyin, "m", m, 64ul, nullptr,
                      hone_acc_lookup, "a", a, 0ul, nullptr);
  // CHECK: managed 1 1
  printf("managed %d %d\n", acc_deviceptr(m) == m, acc_is_present(m, 64));
  hone_acc_exit_data("t.cpp:6: exit data", 1, hone_acc_sync, -1, 1, hone_acc_copyout, "m", m, 64ul, nullptr);
  cudaFree(m);

  // Mapped memory: exit data does not end it, whatever it says.
  if (type == acc_device_host) return 0;
  d = static_cast<double*>(acc_malloc(sizeof a));
  acc_map_data(a, d, sizeof a);
  acc_copyin(a, sizeof a);
  acc_delete_finalize(a, sizeof a);
  acc_delete(a, sizeof a);
  acc_update_device(a, sizeof a);
  // DEVICE: mapped 1 1
  printf("mapped %d %d\n", acc_deviceptr(a) == d, acc_hostptr(d + 1) == a + 1);
  acc_unmap_data(a);
  // DEVICE: unmapped 0
  printf("unmapped %d\n", acc_is_present(a, 8));
  acc_free(d);
}
