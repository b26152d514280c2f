// Findings in kernels of regions call memory by the names of the clauses; what no kernel or copy has written is not read unseen.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build %s %build/lib/libhone_accrt.a -I %source/runtime/acc -I %source/runtime/include/acc -I %S/Inputs -o program
// RUN: %not ./program 2>&1 | FileCheck %s
#include "calls.h"

__global__ void sum(double* to, const double* from, int n) {
  for (int k = 0; k < n; ++k) to[0] += from[k];
}
extern "C" void launchSum(hone_acc_call* call) {
  sum<<<1, 1>>>((double*)call->items[0].device, (double*)call->items[1].device, *(int*)call->vars[0]);
  hone_acc_launched(call, cudaGetLastError());
}

int main() {
  double to = 0, from[10] = {};
  int n = 11;
  hone_acc_region("t.cu:1: region", launchSum, 1, 0, hone_acc_sync, -1, 1, 0, 2, &n, hone_acc_create, "to", &to,
                  sizeof to, nullptr, hone_acc_copyin, "from[0:10]", from, sizeof from, nullptr);
}
// CHECK-DAG: findings.cu:8: error: uninitialised read in global memory, `to`
// CHECK-DAG: findings.cu:8: error: out of bounds in global memory, `from[0:10]`
