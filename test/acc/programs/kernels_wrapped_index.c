// Loops of kernels whose indices, conditions or ends wrap or are cut off at their width: the same element comes up again.
#include "acctest.h"
static void cut_off(int *a) {
#pragma acc kernels copy(a[0:400])
  for (int i = 0; i < 300; ++i) {
    unsigned char c = i;
    a[c] = a[c] * 2 + i;
  }
}
static void cut_off_64(int *a) {
#pragma acc kernels copy(a[0:400])
  for (long long i = 0; i < 300; ++i) a[(int)(i * 4294967296LL) + (int)(i / 100)] = (int)i;
}
static void wrapped_quotient(int *a) {
#pragma acc kernels copy(a[0:400])
  for (unsigned i = 0; i < 300; ++i) a[i * 2147483648u / 2147483648u] += (int)i;
}
static void wrapped_factor(int *a, unsigned n) {
#pragma acc kernels copy(a[0:400])
  for (unsigned i = 0; i < n; ++i) a[i * 1073741824u + (i & 3u)] = a[i * 1073741824u + (i & 3u)] * 3 + (int)i;
}
static void below_zero(int *a) {
#pragma acc kernels copy(a[0:400])
  for (size_t i = 0; i < 100; ++i) a[(i - 1) % 100] = (int)i;
}
static void wrapped_end(int *a, unsigned m) {
#pragma acc kernels copy(a[0:400])
  for (unsigned i = 0; i < 10; ++i)
    for (unsigned j = 0; j < m - 3u; ++j) {
      if (j >= 8) break;
      a[i * m + j] = a[i * m + j] * 2 + (int)i;
    }
}
static void wrapped_condition(int *a) {
#pragma acc kernels copy(a[0:400])
  for (unsigned i = 0; i < 40; ++i)
    if (i * 2147483648u == 0u) a[0] = a[0] * 3 + (int)i;
}
int main(void) {
  int *a = new_ints(400, 1);
  cut_off(a);
  show("cut off", a, 400);
  cut_off_64(a);
  show("cut off from 64 bits", a, 400);
  wrapped_quotient(a);
  show("quotient", a, 400);
  a[0] = 1;
  wrapped_end(a, 2);
  wrapped_end(a, 9);
  show("end", a, 400);
  below_zero(a);
  show("below zero", a, 400);
  a[0] = 1;
  wrapped_condition(a);
  show("condition", a, 400);
  wrapped_factor(a, 1);
  show("factor", a, 400);
  free(a);
  return 0;
}
