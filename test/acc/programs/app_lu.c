// Elimination without pivots in integers modulo a prime: shrinking loops.
#include "acctest.h"
enum { N = 21, P = 10007 };
#pragma acc routine seq
static int power(int b, int e) {
  long long r = 1, x = b;
  for (; e; e >>= 1) {
    if (e & 1) r = r * x % P;
    x = x * x % P;
  }
  return (int)r;
}
int main(void) {
  static int a[N][N];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) a[i][j] = (i * 131 + j * j * 17 + (i == j) * 5000) % P;
#pragma acc data copy(a)
  for (int k = 0; k < N; ++k) {
#pragma acc parallel loop gang vector
    for (int i = k + 1; i < N; ++i) a[i][k] = (int)((long long)a[i][k] * power(a[k][k], P - 2) % P);
#pragma acc parallel loop collapse(2)
    for (int i = k + 1; i < N; ++i)
      for (int j = k + 1; j < N; ++j) a[i][j] = (int)((a[i][j] + (long long)(P - a[i][k]) * a[k][j]) % P);
  }
  show("a", &a[0][0], N * N);
  return 0;
}
