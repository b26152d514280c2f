// Variables that keep their values on the host are those that the clause names, whatever else is called so.
// RUN: %hone acc -O0 -std=c++17 %s -o %t && %t | FileCheck %s && env ACC_DEVICE_TYPE=host %t | FileCheck %s
#include <cstdio>
int x = 1;
namespace ns {
int x = 5;
}
int main() {
  int o[4];
#pragma acc serial firstprivate(ns::x) copyout(o)
  {
    ns::x += 3;
    o[0] = ns::x;
  }
#pragma acc parallel loop private(ns::x) copyout(o[1 : 3])
  for (int i = 1; i < 4; ++i) {
    ns::x = i;
    o[i] = ns::x;
  }
  std::printf("%d %d %d %d\n", o[0], o[3], x, ns::x);
}
// CHECK: 8 3 1 5
