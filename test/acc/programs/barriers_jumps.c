// Loops around loops of lanes that are left or begun anew in the middle: what is written before the jump is
// read behind the loop, or in its next iteration, by other threads of the gang.
#include "acctest.h"
enum { R = 24, C = 70 };
static int a[R][C], b[R][C], out[R], limit[R];
static void showAll(const char *what) {
  show(what, &a[0][0], R * C);
  show(what, &b[0][0], R * C);
  show(what, out, R);
  show(what, limit, R);
}
static void breaks(int gangs) {
#pragma acc parallel loop gang num_gangs(gangs) vector_length(64) copy(a, b, out)
  for (int r = 0; r < R; ++r) {
    int s = 0;
    for (int t = 0; t < 5; ++t) {
#pragma acc loop vector
      for (int c = 0; c < C; ++c) a[r][c] += r + t * c;
      if (t == r % 4) break;
#pragma acc loop vector reduction(+ : s)
      for (int c = 0; c < C; ++c) s += a[r][C - 1 - c];
    }
#pragma acc loop vector
    for (int c = 0; c < C; ++c) b[r][c] += a[r][C - 1 - c] + s;
    out[r] += s;
  }
}
// The lanes' sums are put together in shared memory, left by break, and again behind the loop.
static void sumsAndBreaks(int gangs) {
#pragma acc parallel loop gang num_gangs(gangs) vector_length(64) copy(a, b, out)
  for (int r = 0; r < R; ++r) {
    int s = 0, last = 0;
    for (int t = 0; t < 4; ++t) {
      int one = 0;
#pragma acc loop vector reduction(+ : one)
      for (int c = 0; c < C; ++c) one += a[r][c] + t;
      s += one;
      if (s % 3 == r % 3) break;
      last = one;
      if (last % 5 == 0) continue;
#pragma acc loop vector reduction(max : last)
      for (int c = 0; c < C; ++c) last = b[r][c] > last ? b[r][c] : last;
    }
#pragma acc loop vector reduction(+ : s)
    for (int c = 0; c < C; ++c) s += b[r][c];
    out[r] += s - last;
  }
}
static void continues(int gangs) {
#pragma acc parallel loop gang num_gangs(gangs) vector_length(64) copy(a, b, out)
  for (int r = 0; r < R; ++r) {
    int s = 0;
    for (int t = 0; t < 4; ++t) {
#pragma acc loop vector
      for (int c = 0; c < C; ++c) b[r][c] += a[r][C - 1 - c] * (t + 1);
      if ((r + t) % 2) {
#pragma acc loop vector
        for (int c = 0; c < C; ++c) a[r][c] += t;
        continue;
      }
#pragma acc loop vector reduction(+ : s)
      for (int c = 0; c < C; ++c) s += a[r][c];
#pragma acc loop vector
      for (int c = 0; c < C; ++c) a[r][c] -= s;
    }
    out[r] += s;
  }
}
// The loop's condition reads what one thread has written before the jump.
static void conditions(int gangs) {
#pragma acc parallel loop gang num_gangs(gangs) vector_length(64) copy(a, b, out, limit)
  for (int r = 0; r < R; ++r) {
    limit[r] = r % 5;
    int t = 0, s = 0;
    while (t < limit[r]) {
      ++t;
      if (t % 2) {
        limit[r] -= 1;
        continue;
      }
#pragma acc loop vector reduction(+ : s)
      for (int c = 0; c < C; ++c) s += a[r][c] & t;
      limit[r] += s % 2;
    }
    limit[r] = limit[r] * 2 + s;
    do {
#pragma acc loop vector
      for (int c = 0; c < C; ++c) a[r][c] ^= limit[r];
      limit[r] /= 4;
      if (limit[r] % 3 == 0) continue;
#pragma acc loop vector
      for (int c = 0; c < C; ++c) b[r][c] += a[r][C - 1 - c];
    } while (limit[r] > 2);
    limit[r] += t;
    out[r] += s;
  }
}
static void switches(int gangs) {
#pragma acc parallel loop gang num_gangs(gangs) vector_length(64) copy(a, b, out)
  for (int r = 0; r < R; ++r) {
    int s = 0;
#pragma acc loop vector
    for (int c = 0; c < C; ++c) a[r][c] += r;
    switch (r % 5) {
      case 0:
#pragma acc loop vector reduction(+ : s)
        for (int c = 0; c < C; ++c) s += b[r][c];
        break;
      case 1:
        s = 3;
#pragma acc loop vector
        for (int c = 0; c < C; ++c) a[r][c] += 7;
        if (r % 2) break;
        /* fall through */
      case 2:
#pragma acc loop vector reduction(max : s)
        for (int c = 0; c < C; ++c) s = b[r][c] > s ? b[r][c] : s;
    }
#pragma acc loop vector
    for (int c = 0; c < C; ++c) b[r][c] += a[r][C - 1 - c] - s;
#pragma acc loop vector reduction(+ : s)
    for (int c = 0; c < C; ++c) s += b[r][c];
    out[r] += s;
  }
}
static void workers(int gangs) {
#pragma acc parallel loop gang num_gangs(gangs) num_workers(4) vector_length(32) copy(a, b, out)
  for (int g = 0; g < 2; ++g) {
#pragma acc loop worker
    for (int w = 0; w < R / 2; ++w) {
      const int r = g * (R / 2) + w;
      int s = 0;
      for (int t = 0; t < 5; ++t) {
#pragma acc loop vector
        for (int c = 0; c < C; ++c) a[r][c] += t * c;
        if (t == w % 4) break;
        if (t == w % 3) continue;
#pragma acc loop vector reduction(+ : s)
        for (int c = 0; c < C; ++c) s += a[r][C - 1 - c];
      }
      if (s % 2) continue;
#pragma acc loop vector reduction(+ : s)
      for (int c = 0; c < C; ++c) s += a[r][C - 1 - c];
      out[r] += s;
    }
  }
}
int main(void) {
  static const int gangs[] = {1, 5, 24};
  for (int i = 0; i < 3; ++i) {
    memset(a, i, sizeof a);
    memset(b, 0, sizeof b);
    memset(out, 0, sizeof out);
    breaks(gangs[i]);
    showAll("breaks");
    sumsAndBreaks(gangs[i]);
    showAll("sums and breaks");
    continues(gangs[i]);
    showAll("continues");
    conditions(gangs[i]);
    showAll("conditions");
    switches(gangs[i]);
    showAll("switches");
    workers(gangs[i]);
    showAll("workers");
  }
  return 0;
}
