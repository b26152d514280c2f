// Queues: streams by number, order within, waits between and on the host, data regions with async, the default queue.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build %s %build/lib/libhone_accrt.a -I %source/runtime/acc -I %source/runtime/include/acc -I %S/Inputs -o program
// RUN: env HONE_RUN_LEAKS=1 ./program | FileCheck %s
// RUN: env ACC_DEVICE_TYPE=host ./program | FileCheck --check-prefix=HOST %s
// HOST: on the host
#include "calls.h"

void* streams[4];
extern "C" void launchNothing(hone_acc_call* call) { streams[call->values[call->value_count - 1]] = call->stream; }

void on(int async, long long slot) {
  hone_acc_region("t.cu:1: region", launchNothing, 1, 0, async, -1, 0, 1, 0, slot);
}

double a[64], b[64];

int main() {
  if (acc_get_device_type() == acc_device_host) {
    acc_wait_all();
    hone_acc_wait("t.cu:1: wait", 1, 3, -1, 1, 2ll);
    acc_set_default_async(3);
    printf("on the host %d %d\n", acc_async_test(3), acc_async_test_all());
    return 0;
  }
  // One stream a queue; without async, or with acc_async_sync, CUDA's own.
  on(hone_acc_sync, 0);
  on(7, 1);
  on(8, 2);
  on(7, 3);
  // CHECK: streams 1 1 1 1
  printf("streams %d %d %d %d\n", streams[0] == nullptr, streams[1] != nullptr, streams[1] != streams[2],
         streams[1] == streams[3]);
  on(acc_async_sync, 0);
  on(acc_async_noval, 1);
  on(acc_async_default, 2);
  // CHECK: default 1048576: 1 1
  printf("default %d: %d %d\n", acc_get_default_async(), streams[0] == nullptr, streams[1] == streams[2]);
  acc_set_default_async(7);
  on(acc_async_noval, 0);
  hone_acc_set("t.cu:2: set", 1, -1000, -1000, 8);
  on(acc_async_noval, 1);
  hone_acc_set("t.cu:2: set", 0, -1000, -1000, 9);
  // CHECK: default 8: 1 1
  printf("default %d: %d %d\n", acc_get_default_async(), streams[0] == streams[3], streams[1] != streams[3]);
  acc_set_default_async(acc_async_sync);
  on(acc_async_noval, 1);
  // CHECK: default sync: 1
  printf("default sync: %d\n", streams[1] == nullptr);
  acc_set_default_async(acc_async_default);

  // Data and work on queues.
  enter("t.cu:3: enter data", hone_acc_copyin, "a", a, sizeof a, nullptr, 1);
  acc_copyin_async(b, sizeof b, 2);
  addOn("t.cu:4: region", hone_acc_present, a, 64, 1, 1);
  addOn("t.cu:5: region", hone_acc_present, b, 64, 2, 2);
  double *pa = a, by = 4;
  long n = 64;
  // wait(1, 2) on a third queue, by values; then a region that waits for all, on the host.
  hone_acc_region("t.cu:6: region", launchAdd, 1, 0, 3, 2, 3, 2, 1, &pa, &n, &by, 1ll, 2ll, hone_acc_present, "a", a,
                  sizeof a, nullptr);
  hone_acc_region("t.cu:7: region", launchAdd, 1, 0, hone_acc_sync, 0, 3, 0, 1, &pa, &n, &by, hone_acc_present, "a", a,
                  sizeof a, nullptr);
  hone_acc_wait("t.cu:8: wait", 1, 4, -1, 2, 1ll, 3ll);
  acc_wait_async(2, 4);
  leave("t.cu:9: exit data", hone_acc_copyout, "a", a, sizeof a, nullptr, 4);
  acc_copyout_async(b, sizeof b, 2);
  // CHECK: present 0 0
  printf("present %d %d\n", acc_is_present(a, 8), acc_is_present(b, 8));
  acc_wait_all_async(5);
  int queues[3] = {acc_async_sync, 4, 5};
  // CHECK: any 1 2 -1
  printf("any %d", acc_wait_any(3, queues));
  queues[1] = acc_async_sync;
  printf(" %d", acc_wait_any(3, queues));
  queues[2] = acc_async_sync;
  printf(" %d\n", acc_wait_any(3, queues));
  hone_acc_wait("t.cu:10: wait", 1, hone_acc_sync, -1, 0);
  // CHECK: data 9 9 2; done 1 1 1 1
  printf("data %g %g %g; done %d %d %d %d\n", a[0], a[63], b[63], acc_async_test(4), acc_async_test(acc_async_sync),
         acc_async_test(99), acc_async_test_all_device(0));

  // A data region on a queue; regions on it; its end is queued too.
  hone_acc_data_begin("t.cu:11: data", 1, 6, 1, 2, 4ll, hone_acc_copy, "a", a, sizeof a, nullptr, hone_acc_copyin,
                      "b", b, sizeof b, nullptr);
  for (int k = 0; k < 3; ++k) addOn("t.cu:12: region", hone_acc_present, a, 64, 1, 6);
  hone_acc_data_end("t.cu:11: data");
  acc_wait(6);
  // CHECK: region 12
  printf("region %g\n", a[5]);
  acc_wait_device(6, 0);
  acc_wait_all_device(0);
  acc_wait_device_async(6, 7, 0);
  acc_async_wait(7);
  acc_async_wait_all();
  // A synchronous end of data whose work is still queued comes behind it.
  hone_acc_data_begin("t.cu:13: data", 1, hone_acc_sync, -1, 1, hone_acc_copy, "a", a, sizeof a, nullptr);
  addOn("t.cu:14: region", hone_acc_present, a, 64, 1, 3);
  hone_acc_data_end("t.cu:13: data");
  // CHECK: behind 13
  printf("behind %g\n", a[5]);
}
