// Sections that begin far behind their pointer's element 0, beside other memory of the device: kernels get the
// pointer moved back by as much.
#include "acctest.h"

typedef struct {
  int n, *part;
} Holder;

static int grid_of_file[60][50];

// By another name than the variable's own, of a static array.
#define grid grid_of_file
static void named_otherwise(void) {
  int *b = new_ints(3000, 5);
  for (int i = 0; i < 3000; ++i) grid[i / 50][i % 50] = i;
  for (int from = 0; from < 60; from += 13) {
    const int count = 60 - from < 9 ? 60 - from : 9;
#pragma acc data copyin(b[0:3000])
#pragma acc data copy(grid[from:count][0:50])
    {
#pragma acc parallel loop gang vector copyin(grid[from:(count + 1) / 2][0:50])
      for (int i = from; i < from + (count + 1) / 2; ++i)
        for (int j = 0; j < 50; ++j) grid[i][j] = grid[i][j] * 3 + b[i * 50 + j];
    }
  }
  show("grid", &grid[0][0], 3000);
  free(b);
}
#undef grid

// By a member, which is attached, and by pointers to rows.
static void reached_by_pointers(void) {
  Holder h = {3000, new_ints(3000, 8)};
  int *b = new_ints(3000, 6), *rows[7];
  for (int r = 0; r < 7; ++r) rows[r] = new_ints(400, r);
  for (int from = 0; from < 2900; from += 611) {
#pragma acc data copyin(b[0:3000])
#pragma acc parallel loop copy(h, h.part[from:100])
    for (int i = from; i < from + 100; ++i) h.part[i] += b[i] * 2 + h.n;
  }
  for (int from = 0; from < 390; from += 77) {
#pragma acc data copyin(b[0:3000])
#pragma acc parallel loop copy(rows[0:7][from:9])
    for (int r = 0; r < 7; ++r)
      for (int i = from; i < from + 9; ++i) rows[r][i] -= b[i * r];
#pragma acc data copyin(b[0:3000])
#pragma acc parallel loop copy(rows[2:4][from:9])
    for (int r = 2; r < 6; ++r)
      for (int i = from; i < from + 9; ++i) rows[r][i] *= b[i + r];
  }
  show("part", h.part, 3000);
  for (int r = 0; r < 7; ++r) show("row", rows[r], 400);
  for (int r = 0; r < 7; ++r) free(rows[r]);
  free(h.part);
  free(b);
}

int main(void) {
  enum { N = 3000 };
  int *a = new_ints(N, 1), *b = new_ints(N, 2), *c = new_ints(N, 3);
  for (int from = 0; from < N; from += 611) {
    /* Of the device's memory what is brought last lies next to what comes then. */
#pragma acc enter data copyin(b[0:N], c[0:N])
    const int count = N - from < 100 ? N - from : 100;
#pragma acc parallel loop copy(a[from:count])
    for (int i = from; i < from + count; ++i) a[i] += b[i] * 2;
#pragma acc enter data copyin(a[from:count])
#pragma acc parallel loop present(a, c)
    for (int i = from; i < from + count; ++i) c[i] -= a[i];
#pragma acc exit data copyout(a[from:count])
#pragma acc exit data copyout(b[0:N], c[0:N])
  }
  named_otherwise();
  reached_by_pointers();
  show("a", a, N);
  show("b", b, N);
  show("c", c, N);
  free(a);
  free(b);
  free(c);
  return 0;
}
