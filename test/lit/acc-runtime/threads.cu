// Several threads of the host use one device: each has regions and queues of its own, and all share what is present.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build %s %build/lib/libhone_accrt.a -I %source/runtime/acc -I %source/runtime/include/acc -I %S/Inputs -o program
// RUN: env HONE_RUN_LEAKS=1 ./program | FileCheck %s
// CHECK: wrong 0, default queue 1048576, still present 0
#include "calls.h"

#include <thread>
#include <vector>

double shared[256];
int wrong[8];

void work(int t) {
  acc_set_default_async(t);
  for (int k = 0; k < 100; ++k) {
    std::vector<double> own(size_t(16 + k), double(t));
    const unsigned long bytes = own.size() * sizeof(double);
    const int async = k % 3 == 0 ? int(hone_acc_sync) : k % 3 == 1 ? int(acc_async_noval) : t + 10;
    hone_acc_data_begin("t.cu:1: data", 1, async, -1, 2, hone_acc_copyin, "shared", shared, sizeof shared, nullptr,
                        hone_acc_create | hone_acc_zero, "own", own.data(), bytes, nullptr);
    hone_acc_update("t.cu:2: update", 1, async, -1, 1, hone_acc_update_self, "own", own.data(), bytes, nullptr);
    acc_wait_all();
    for (const double x : own) wrong[t] += x != 0;
    wrong[t] += !acc_is_present(shared, sizeof shared) + (acc_deviceptr(shared) == nullptr);
    for (int times = 0; times < 3; ++times) addOn("t.cu:3: region", hone_acc_present, own.data(), long(own.size()), t, async);
    hone_acc_update("t.cu:4: update", 1, async, -1, 1, hone_acc_update_self, "own", own.data(), bytes, nullptr);
    acc_wait_all();
    for (const double x : own) wrong[t] += x != 3 * t;
    acc_copyin(own.data(), bytes);
    acc_delete(own.data(), bytes);
    hone_acc_data_end("t.cu:1: data");
    wrong[t] += acc_get_default_async() != t;
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) threads.emplace_back(work, t);
  for (std::thread& t : threads) t.join();
  int sum = 0;
  for (const int w : wrong) sum += w;
  acc_wait_all();
  std::printf("wrong %d, default queue %d, still present %d\n", sum, acc_get_default_async(),
              acc_is_present(shared, sizeof shared));
}
