// Threads of a gang write and read the same rows before and behind a loop that only some gangs enter: barriers
// within it order nothing for the others.
#include "acctest.h"
enum { R = 30, C = 70 };
static int a[R][C], b[R][C], out[R];
static void clear(void) {
  memset(a, 0, sizeof a);
  memset(b, 0, sizeof b);
  memset(out, 0, sizeof out);
}
static void showAll(const char *what) {
  show(what, &a[0][0], R * C);
  show(what, &b[0][0], R * C);
  show(what, out, R);
}
static void counted(int gangs) {
#pragma acc parallel loop gang num_gangs(gangs) vector_length(64) copy(a, b, out)
  for (int r = 0; r < R; ++r) {
    int s = r;
#pragma acc loop vector
    for (int c = 0; c < C; ++c) a[r][c] = r * c;
    for (int t = 0; t < r % 3; ++t) {
#pragma acc loop vector reduction(+ : s)
      for (int c = 0; c < C; ++c) s += c + t;
    }
#pragma acc loop vector
    for (int c = 0; c < C; ++c) b[r][c] = a[r][C - 1 - c] + s;
    out[r] = s;
  }
}
static void whiles(int gangs) {
#pragma acc parallel loop gang num_gangs(gangs) vector_length(64) copy(a, b, out)
  for (int r = 0; r < R; ++r) {
    int left = r % 4, most = -1;
#pragma acc loop vector
    for (int c = 0; c < C; ++c) a[r][c] += 3 * c - r;
    while (left > 0) {
      --left;
#pragma acc loop vector reduction(max : most)
      for (int c = 0; c < C; ++c) most = (r * c + left) % 91 > most ? (r * c + left) % 91 : most;
    }
#pragma acc loop vector
    for (int c = 0; c < C; ++c) b[r][C - 1 - c] += a[r][c] ^ most;
    out[r] += most;
  }
}
// The loop that is skipped is itself shared out: gangs without iterations.
static void gangsWithout(int n) {
#pragma acc parallel num_gangs(8) vector_length(64) copy(a, b, out)
  {
    int own[C];
#pragma acc loop vector
    for (int c = 0; c < C; ++c) own[c] = 2 * c;
#pragma acc loop gang
    for (int r = 0; r < n; ++r) {
      int s = 0;
#pragma acc loop vector reduction(+ : s)
      for (int c = 0; c < C; ++c) s += own[c];
      out[r] += s;
    }
#pragma acc loop vector
    for (int c = 0; c < C; ++c) own[c] = own[c] * 3 + 1;
#pragma acc loop gang
    for (int r = 0; r < R; ++r) {
#pragma acc loop vector
      for (int c = 0; c < C; ++c) a[r][c] ^= own[C - 1 - c];
    }
  }
}
static void branches(int gangs) {
#pragma acc parallel loop gang num_gangs(gangs) vector_length(64) copy(a, b, out)
  for (int r = 0; r < R; ++r) {
    int s = 1;
#pragma acc loop vector
    for (int c = 0; c < C; ++c) a[r][c] += r + c;
    if (r % 3 == 1) {
      for (int t = 0; t < r % 2; ++t) {
#pragma acc loop vector reduction(+ : s)
        for (int c = 0; c < C; ++c) s += c;
      }
    } else if (r % 3 == 2) {
#pragma acc loop vector reduction(+ : s)
      for (int c = 0; c < C; ++c) s += c + 1;
    }
#pragma acc loop vector
    for (int c = 0; c < C; ++c) b[r][c] += a[r][C - 1 - c] - s;
    out[r] += s;
  }
}
// Workers have numbers of iterations of their own.
static void workers(int gangs) {
#pragma acc parallel loop gang num_gangs(gangs) num_workers(4) vector_length(32) copy(a, b, out)
  for (int g = 0; g < 3; ++g) {
#pragma acc loop worker
    for (int w = 0; w < R / 3; ++w) {
      const int r = g * (R / 3) + w;
      int s = 0;
#pragma acc loop vector
      for (int c = 0; c < C; ++c) a[r][c] += c;
      for (int t = 0; t < w % 3; ++t) {
#pragma acc loop vector reduction(+ : s)
        for (int c = 0; c < C; ++c) s += t + c;
      }
#pragma acc loop vector
      for (int c = 0; c < C; ++c) b[r][c] -= a[r][C - 1 - c] + s;
      out[r] ^= s;
    }
  }
}
int main(void) {
  static const int gangs[] = {1, 7, 30};
  for (int i = 0; i < 3; ++i) {
    clear();
    counted(gangs[i]);
    showAll("counted");
    whiles(gangs[i]);
    showAll("whiles");
    gangsWithout(gangs[i] - 1);
    showAll("gangs without");
    branches(gangs[i]);
    showAll("branches");
    workers(gangs[i]);
    showAll("workers");
  }
  return 0;
}
