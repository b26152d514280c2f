// Variables of file scope with a copy on the device: there as long as the program runs, copied in as they were when it started; link
// knows its copy while there is one.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build %s %build/lib/libhone_accrt.a -I %source/runtime/acc -I %source/runtime/include/acc -I %S/Inputs -o program
// RUN: env HONE_RUN_LEAKS=1 ./program | FileCheck %s
#include "calls.h"

int scale = 2;
double table[4] = {1, 2, 3, 4}, made[4], silent[2] = {5, 6}, big[8];
__device__ int deviceScale;
__device__ double deviceTable[4], deviceMade[4], *deviceBig, deviceOnly[2];

__attribute__((constructor)) void declareAll() {
  hone_acc_declare("scale", &scale, sizeof scale, hone_acc_copyin, &deviceScale);
  hone_acc_declare("table", table, sizeof table, hone_acc_copyin, deviceTable);
  hone_acc_declare("made", made, sizeof made, hone_acc_create, deviceMade);
  hone_acc_declare("silent", silent, sizeof silent, hone_acc_copyin, nullptr);
  hone_acc_declare("table", table, sizeof table, hone_acc_copyin, nullptr);  // another file's
  hone_acc_declare("table", table, sizeof table, hone_acc_copyin, deviceTable);
  hone_acc_declare("big", big, sizeof big, hone_acc_link, &deviceBig);
}

__global__ void fill() {
  const int k = threadIdx.x;
  deviceMade[k] = deviceTable[k] * deviceScale;
}
extern "C" void launchFill(hone_acc_call* call) {
  fill<<<1, 4>>>();
  hone_acc_launched(call, cudaGetLastError());
}
__global__ void fillBig(int* wasThere) {
  *wasThere = deviceBig != nullptr;
  if (deviceBig) deviceBig[threadIdx.x] += 1;
}
extern "C" void launchBig(hone_acc_call* call) {
  fillBig<<<1, 1>>>((int*)call->items[0].device);
  hone_acc_launched(call, cudaGetLastError());
}
int runBig() {
  int there = -1;
  hone_acc_region("t.cu:3: region", launchBig, 1, 0, hone_acc_sync, -1, 0, 0, 1, hone_acc_copy, "there", &there,
                  sizeof there, nullptr);
  return there;
}

int main() {
  scale = 100;  // the device's copy has what it was before
  hone_acc_region("t.cu:1: region", launchFill, 1, 0, hone_acc_sync, -1, 0, 0, 2, hone_acc_copy, "made", made,
                  sizeof made, nullptr, hone_acc_present, "table", table, sizeof table, nullptr);
  // CHECK: not yet 0
  printf("not yet %g\n", made[3]);
  update("t.cu:2: update", hone_acc_update_self, "made", made, sizeof made);
  // CHECK: made 2 8 present 1
  printf("made %g %g present %d\n", made[0], made[3], acc_is_present(table, sizeof table));
  update("t.cu:2: update", hone_acc_update_device, "scale", &scale, sizeof scale);
  hone_acc_region("t.cu:1: region", launchFill, 1, 0, hone_acc_sync, -1, 0, 0, 0);
  acc_copyin(made, sizeof made);
  acc_copyout_finalize(made, sizeof made);  // dynamic lifetimes end, the variable does not
  acc_update_self(made, sizeof made);
  // CHECK: again 100 400 present 1
  printf("again %g %g present %d\n", made[0], made[3], acc_is_present(made, sizeof made));
  silent[1] = 0;
  addOn("t.cu:6: region", hone_acc_present, silent, 2, 1);
  acc_update_self(silent, sizeof silent);
  // CHECK: silent 6 7
  printf("silent %g %g\n", silent[0], silent[1]);
  acc_shutdown(acc_device_default);
  // CHECK: still 1
  printf("still %d\n", acc_is_present(made, sizeof made));

  // CHECK: link 0 present 0
  const int first = runBig();
  printf("link %d present %d\n", first, acc_is_present(big, 8));
  enter("t.cu:4: enter data", hone_acc_copyin, "big", big, sizeof big);
  const int second = runBig();
  leave("t.cu:5: exit data", hone_acc_copyout, "big", big, sizeof big);
  // CHECK: linked 1 1 then 0
  printf("linked %d %g then %d\n", second, big[0], runBig());
}
