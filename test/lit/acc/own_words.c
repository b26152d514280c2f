/* Findings speak of what an OpenACC program has: variables and clauses, no barriers of CUDA, no options of hone run.
   RUN: %hone acc -O0 %s -o %t
   RUN: sh -c '%t 0; test $? -eq 1' 2>&1 | FileCheck --check-prefix=ONE %s
   RUN: sh -c '%t 1; test $? -eq 1' 2>&1 | FileCheck --check-prefix=TWO %s
   RUN: sh -c '%t 2; test $? -eq 1' 2>&1 | FileCheck --check-prefix=INNER %s
   RUN: sh -c '%t 3; test $? -eq 1' 2>&1 | FileCheck --check-prefix=RACE --implicit-check-not=sync --implicit-check-not=barrier %s
   RUN: env HONE_RUN_MAX_SECONDS=1 sh -c '%t 4; test $? -eq 1' 2>&1 | FileCheck --check-prefix=TIME %s
   RUN: env HONE_RUN_MAX_STEPS=100000 sh -c '%t 4; test $? -eq 1' 2>&1 | FileCheck --check-prefix=STEPS %s
   RUN: sh -c '%t 5; test $? -eq 1' 2>&1 | FileCheck --check-prefix=MALLOC %s
   ONE: wild pointer in global memory: reads 8 bytes at an address in no buffer, {{.*}} (memory of the host; the device does not have what `c` points to here: name it in a clause, as copy(p[0:n]), or bring it with enter data)
   TWO: the device does not have what `c` and `d` point to here:
   INNER: (memory of the host: name the data in a clause, as copy(p[0:n]), or bring it with enter data)
   RACE: error: race in global memory, `a[0:100]`, element {{[0-9]+}} of 100: {{.*}} by another {{thread|gang}}, and nothing orders the two
   TIME: no end after 1 seconds: an endless loop or a deadlock? (HONE_RUN_MAX_SECONDS raises the limit)
   STEPS: no end after 100000 instructions of one warp: an endless loop? (HONE_RUN_MAX_STEPS raises the limit)
   MALLOC: out of bounds in global memory, memory of acc_malloc, byte 80 of 80: writes bytes 80 to 87 of memory of acc_malloc, which has 80 bytes
*/
#include <openacc.h>
#include <stdlib.h>
struct S {
  double *inner;
};
int main(int count, char **words) {
  const int how = atoi(words[count - 1]);
  double *a = calloc(100, 8), *b = calloc(100, 8), *c = calloc(100, 8), *d = calloc(100, 8);
  volatile int zero = 0;
#pragma acc enter data copyin(a[0:100], b[0:100])
  if (how == 0) {
#pragma acc parallel loop
    for (int i = 0; i < 10; i++) a[i] = b[i] + c[i];
  } else if (how == 1) {
#pragma acc parallel loop
    for (int i = 0; i < 10; i++) a[i] = b[i] + c[i] + d[i];
  } else if (how == 2) {
    struct S s;
    s.inner = c;
#pragma acc parallel loop present(a[0:100])
    for (int i = 0; i < 10; i++) a[i] = s.inner[i];
  } else if (how == 3) {
#pragma acc parallel loop present(a[0:100])
    for (int i = 1; i < 100; i++) a[i] = a[i - 1] + 1;
  } else if (how == 4) {
#pragma acc serial copyin(zero) present(a[0:100])
    while (zero == 0) a[0] += 1;
  } else {
    double *p = acc_malloc(80);
#pragma acc parallel loop deviceptr(p)
    for (int i = 0; i < 11; i++) p[i] = i;
  }
  return 0;
}
