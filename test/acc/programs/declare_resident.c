// declare device_resident: values that only the device has.
#include "acctest.h"
static int state[32];
#pragma acc declare device_resident(state)
int main(void) {
  int a[32];
#pragma acc parallel loop present(state)
  for (int i = 0; i < 32; ++i) state[i] = i * 3;
#pragma acc parallel loop copyout(a) present(state)
  for (int i = 0; i < 32; ++i) a[i] = state[31 - i];
  show("a", a, 32);
  return 0;
}
