/* Without -O0 kernels are rewritten as hone opt does, once; the next build takes them from the cache.
   RUN: rm -rf %t && mkdir %t && mkdir %t/cache && chmod 700 %t/cache
   RUN: env HONE_TIME_LIMIT=300 XDG_CACHE_HOME=%t/cache %hone acc %s -o %t/first && %t/first | FileCheck %s
   RUN: ls %t/cache/hone/acc | FileCheck --check-prefix=KEPT %s
   RUN: env HONE_TIME_LIMIT=300 XDG_CACHE_HOME=%t/cache %hone acc %s -o %t/first && %t/first | FileCheck %s
   RUN: ls %t/cache/hone/acc | FileCheck --check-prefix=KEPT %s
   RUN: env HONE_TIME_LIMIT=300 HONE_CACHE_SIZE=1 XDG_CACHE_HOME=%t/cache %hone acc -DOTHER %s -o %t/first && %t/first | FileCheck %s
   RUN: ls %t/cache/hone/acc | FileCheck --check-prefix=KEPT %s
   RUN: env XDG_CACHE_HOME=%t/cache %hone acc -O0 %s -o %t/naive && %t/naive | FileCheck %s
*/
#include <stdio.h>
#include <stdlib.h>
#ifdef OTHER
#define factor * 1.0f
#else
#define factor
#endif

static void rows(int n, const float *restrict a, const float *restrict x, float *restrict y) {
#pragma acc parallel loop gang vector copyin(a[0:n*n], x[0:n]) copyout(y[0:n])
  for (int i = 0; i < n; ++i) {
    float s = 0;
#pragma acc loop seq
    for (int k = 0; k < n; ++k) s += a[i * n + k] * x[k] factor;
    y[i] = s;
  }
}

int main(void) {
  const int n = 96;
  float *a = malloc(n * n * sizeof(float)), *x = malloc(n * sizeof(float)), *y = malloc(n * sizeof(float)), sum = 0;
  for (int i = 0; i < n * n; ++i) a[i] = i % 5;
  for (int i = 0; i < n; ++i) x[i] = i % 3;
  rows(n, a, x, y);
  for (int i = 0; i < n; ++i) sum += y[i];
  printf("%.0f\n", sum);
  return 0;
}
/* CHECK: 18429
   KEPT: {{^[0-9a-f]+}}.cu
   KEPT-NEXT: {{^[0-9a-f]+}}.o
   KEPT-NOT: .
*/
