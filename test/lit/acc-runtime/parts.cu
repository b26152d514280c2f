// Members of an object that are brought one by one: each is where a pointer to another one leads, what is implied fills the gaps, and
// the memory goes with the last.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hone build %s %build/lib/libhone_accrt.a -I %source/runtime/acc -I %source/runtime/include/acc -I %S/Inputs -o program
// RUN: env HONE_RUN_LEAKS=1 ./program | FileCheck %s
// RUN: %not ./program x 2>&1 | FileCheck --check-prefix=APART %s
// APART: t.cu:3: region: `s.b` and `s.a` are parts of `s` that were brought to the device apart from each other; bring all of it
#include "calls.h"

struct S {
  int n;
  double a[10], b[10];
};

__global__ void add(S* s, int n) {
  const int i = int(threadIdx.x);
  if (i < n) s->a[i] += s->b[i];
}
__global__ void addAll(S* s) {
  const int i = int(threadIdx.x);
  if (i < s->n) s->a[i] += s->b[i];
}
extern "C" void launch(hone_acc_call* call) {
  add<<<1, 32>>>((S*)hone_acc_moved(call, 0, call->vars[0]), 10);
  hone_acc_launched(call, cudaGetLastError());
}
extern "C" void launchAll(hone_acc_call* call) {
  addAll<<<1, 32>>>((S*)hone_acc_moved(call, 0, call->vars[0]));
  hone_acc_launched(call, cudaGetLastError());
}

int main(int argc, char**) {
  S s = {10, {}, {}};
  for (int i = 0; i < 10; ++i) s.a[i] = s.b[i] = i;
  const int in = hone_acc_copyin | hone_acc_part, both = hone_acc_copy | hone_acc_part;
  const int implied = hone_acc_copy | hone_acc_implicit;
  const auto a = [&](int kind, const char* site, hone_acc_launcher run) {
    hone_acc_region(site, run, 1, 0, hone_acc_sync, -1, 1, 0, 2, &s, kind, "s.a", s.a, 80ul, nullptr, "s", &s,
                    (unsigned long)sizeof s, in, "s.b", s.b, 80ul, nullptr, "s", &s, (unsigned long)sizeof s);
  };
  if (argc > 1) {
    acc_copyin(s.a, 80);
    acc_copyin(s.b, 80);
    a(both, "t.cu:3: region", launch);
  }
  // CHECK: region 8 4 0
  a(both, "t.cu:1: region", launch);
  printf("region %g %g %d\n", s.a[4], s.b[4], acc_is_present(&s, 1));

  // The parts stay, and a region with the whole of it brings the rest along. What is implied stands first, and is entered last.
  hone_acc_enter_data("t.cu:2: enter data", 1, hone_acc_sync, -1, 1, in, "s.b", s.b, 80ul, nullptr, "s", &s,
                      (unsigned long)sizeof s);
  // CHECK: parts 0 1 0
  printf("parts %d %d %d\n", acc_is_present(s.a, 80), acc_is_present(s.b, 80), acc_is_present(&s, sizeof s));
  s.b[4] = 100;  // the device has another value
  hone_acc_region("t.cu:4: region", launchAll, 1, 0, hone_acc_sync, -1, 1, 0, 2, &s, implied, "s", &s,
                  (unsigned long)sizeof s, nullptr, both, "s.a", s.a, 80ul, nullptr, "s", &s, (unsigned long)sizeof s);
  // CHECK: whole 12 100 10 0
  printf("whole %g %g %d %d\n", s.a[4], s.b[4], s.n, acc_is_present(s.a, 80));
  hone_acc_host_begin("t.cu:5: region", 1, 0, hone_acc_sync, -1, 1, implied, "s", &s, (unsigned long)sizeof s, nullptr);
  s.a[4] += s.b[4] + s.n;
  hone_acc_host_end("t.cu:5: region");
  // CHECK: host 26 100 10
  printf("host %g %g %d\n", s.a[4], s.b[4], s.n);
  hone_acc_exit_data("t.cu:6: exit data", 1, hone_acc_sync, -1, 1, hone_acc_copyout, "s.b", s.b, 80ul, nullptr);
  // CHECK: gone 4 0
  printf("gone %g %d\n", s.b[4], acc_is_present(s.b, 80));
}
