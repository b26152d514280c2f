/* Row A14: one object a source: compiled, linked and run; the text of the host keeps its names and lines.
   RUN: %hone acc -O0 %s -o %t && %t | FileCheck %s
   RUN: %hone acc -O0 -c %s -o %t.o && %hone acc %t.o -o %t.linked && %t.linked | FileCheck %s
   RUN: env ACC_DEVICE_TYPE=host %t | FileCheck %s
   RUN: %hone acc -O0 -std=c89 -Wall -Wextra -pedantic -Werror -Wno-long-long %s -o %t && %t | FileCheck %s
   RUN: %hone acc -O0 -S %s -o %t.s && %hone acc %t.s -o %t.fromS && %t.fromS | FileCheck %s
*/
#include <stdio.h>

static void saxpy(int n, float a, const float *x, float *y) {
  int i;
  if (n > 0)
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])
    for (i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
  else
    puts("nothing to do");
}

int main(void) {
  float x[1000], y[1000];
  double sum = 0;
  int i;
  for (i = 0; i < 1000; ++i) {
    x[i] = (float)i;
    y[i] = 1;
  }
  saxpy(1000, 2, x, y);
  saxpy(0, 2, x, y);
  for (i = 0; i < 1000; ++i) sum += y[i];
  printf("%s:%d: %.0f\n", __FILE__, __LINE__, sum);
  return 0;
}
/* CHECK: nothing to do
   CHECK: {{.*}}saxpy.c:30: 1000000
*/
