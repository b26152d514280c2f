// A race in what the iterations of a loop make together says which reduction the program lacks.
// RUN: %hone acc -O0 -w %s -o %t && sh -c '%t; test $? -eq 1' 2>&1 | FileCheck %s
int main(void) {
  double s = 0, a[1000], x[4] = {0};
  int c = 0;
  for (int i = 0; i < 1000; ++i) a[i] = i;
#pragma acc parallel loop
  for (int i = 0; i < 1000; ++i) s += a[i];
#pragma acc parallel loop copy(c)
  for (int i = 0; i < 1000; ++i) c++;
#pragma acc parallel loop gang copyin(a) copy(x[0:4])
  for (int i = 0; i < 4; ++i) {
#pragma acc loop vector
    for (int j = 0; j < 64; ++j) x[i] += a[j];
  }
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 100; ++i) a[i / 2] = i;
  return 0;
}
// CHECK: race_hint.c:8: error: race in shared memory, s_of_gang{{.*}}; its iterations write s together, for which reduction(+:s) is missing (
// CHECK: race_hint.c:10: error: race in global memory, `c`{{.*}}; its iterations write c together, for which reduction(+:c) is missing (
// CHECK: race_hint.c:14: error: {{.*}} in global memory, `x[0:4]`{{.*}}; its iterations write x[i] together; a variable with reduction(+:…) has to take its place there (
// CHECK: race_hint.c:17: error: race in global memory, `a`
// CHECK-NOT: its iterations
