// Routines of lanes that are called where only some gangs or iterations come to, by routines that come before
// them in the text.
#include "acctest.h"
enum { R = 24, C = 70 };
static int a[R][C], b[R][C], out[R];
#pragma acc routine vector
static int sumOf(const int *row, int n);
#pragma acc routine worker
static void sumsOf(const int *rows, int *into, int m, int n) {
  int all = 0;
#pragma acc loop worker reduction(+ : all)
  for (int i = 0; i < m; ++i) {
    int s = sumOf(rows + i * n, n);
    if (s % 2) continue;
    s -= sumOf(rows + i * n, n / 2);
    all += s;
    for (int t = 0; t < i % 3; ++t) {
      s += sumOf(rows + i * n, n - t);
      if (s % 3 == 0) break;
    }
    into[i] = s;
  }
  into[0] += all;
}
#pragma acc routine vector
static int sumOf(const int *row, int n) {
  int s = 0;
#pragma acc loop vector reduction(+ : s)
  for (int i = 0; i < n; ++i) s += row[i];
  return s;
}
// Returns in the middle.
#pragma acc routine vector
static int stepsOf(int *row, int n) {
#pragma acc loop vector
  for (int i = 0; i < n; ++i) row[i] += i;
  if (row[1] % 3 == 0) return row[0];
  int s = sumOf(row, n);
  for (int t = 0; t < s % 4; ++t) {
#pragma acc loop vector
    for (int i = 0; i < n; ++i) row[i] ^= t + s;
    if (row[n - 1] % 2) return row[n - 1];
  }
  return s;
}
int main(void) {
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c) a[r][c] = (r * 31 + c * 7) % 50;
#pragma acc parallel loop gang num_gangs(3) num_workers(4) vector_length(32) copy(a, out)
  for (int g = 0; g < 4; ++g) sumsOf(a[g * 6], out + g * 6, 6, C);
  show("sums", out, R);
#pragma acc parallel loop gang num_gangs(7) vector_length(32) copy(a, b, out)
  for (int r = 0; r < R; ++r) {
    int s = 0;
    for (int t = 0; t < r % 4; ++t) s += stepsOf(a[r], C);
#pragma acc loop vector
    for (int c = 0; c < C; ++c) b[r][c] = a[r][C - 1 - c] + s;
    out[r] += s;
  }
  show("a", &a[0][0], R * C);
  show("b", &b[0][0], R * C);
  show("out", out, R);
  return 0;
}
