/* Numbers that wrap or are cut off at their width: loops are parallel where that brings no element up twice, and else say so.
   RUN: %hone acc --explain %s | FileCheck %s
*/
void f(unsigned n, unsigned m, unsigned off, unsigned long k, int *restrict a, const int *restrict b) {
#pragma acc kernels copy(a[0:n]) copyin(b[0:n])
  {
    for (unsigned i = 0; i < n; ++i) a[i] += 1;
    for (unsigned i = 1; i < n - 1; ++i) a[i] = b[i - 1] + b[i + 1];
    for (unsigned i = 0; i < n - 5; ++i) a[i + 5] = b[i];
    for (unsigned i = 0; i < n; ++i) a[i + off] += 1;
    for (unsigned i = 0; i < n; ++i) a[n - 1 - i] += 1;
    for (unsigned long i = 1; i < k - 1; ++i) a[i] = b[i - 1] + b[i + 1];
    for (unsigned i = 0; i < n; ++i) a[2 * i] += 1;
    for (unsigned i = 0; i < 300; ++i) a[(unsigned char)i] += 1;
    for (unsigned i = 0; i < 200; ++i) a[(unsigned char)i] += 1;
    for (unsigned i = 0; i < 100; ++i)
      if ((i << 31) == 0) a[0] = i;
  }
}
/* CHECK: loop in line 7: gang vector
   CHECK: loop in line 8: gang vector
   CHECK: loop in line 9: gang vector
   CHECK: loop in line 10: gang vector
   CHECK: loop in line 11: gang vector
   CHECK: loop in line 12: gang vector
   CHECK: loop in line 13: seq: perhaps several iterations use one element as a[2 * i] (line 13): 32-bit unsigned arithmetic must not wrap
   CHECK: loop in line 14: seq: perhaps several iterations use one element as a[{{.*}}i] (line 14): 8-bit
   CHECK: loop in line 15: gang vector
   CHECK: loop in line 16: seq:
*/
