// What reductions go over that no device can put together.
typedef struct {
  int n : 3, m;
} bits;
void f(int n, int *a, bits d, int m) {
  int t[m];
  t[0] = 0;
#pragma acc parallel loop reduction(+ : d) copy(a[0:n])  // NOTE: reduction\(\+:d\) is over a bit-field
  for (int i = 0; i < n; ++i) d.m += a[i];
#pragma acc parallel loop reduction(+ : t) copy(a[0:n])  // NOTE: reduction\(\+:t\) is over a value that is no number
  for (int i = 0; i < n; ++i) t[0] += a[i];
}
