/* host_data in preprocessed text, as C and as C++: the calls in its place leave lines and warnings alone.
   RUN: %hone acc -O0 -Wall -Wextra -Wshadow -Werror %s -o %t && %t | FileCheck %s
   RUN: %hone acc -O0 -Wall -Wextra -Wshadow -Werror -x c++ %s -o %t && %t | FileCheck %s
*/
#include <stdio.h>
#define DATA _Pragma("acc data copy(a[0:n])")

static int f(int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) a[i] = i;
  DATA
  {
#pragma acc host_data use_device(a)
    {
      sum = a != 0 ? __LINE__ : 0;
#pragma acc parallel loop deviceptr(a)
      for (int i = 0; i < n; ++i) a[i] *= 2;
      printf("%d %d\n", sum, __LINE__);
    }
  }
  printf("%d %d\n", a[99], __LINE__);
  return sum;
}

int main(void) {
  int a[100];
  return f(a, 100) == 0;
}
/* CHECK: 15 18
   CHECK: 198 21
*/
