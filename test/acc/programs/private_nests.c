// What is private for collapsed and tiled loops is each iteration's own, by whichever levels they are spread.
#include "acctest.h"

typedef struct {
  int all[3], last;
} Few;

static void flat(int n, int *out) {
  int own[6], scalar, m = 2 + n % 4, late[m], *part = new_ints(8, 3);
  Few few;
#pragma acc parallel loop collapse(2) private(own, scalar, few, late, part[0:4]) copyout(out[0:n * 4])
  for (int i = 0; i < n; ++i)
    for (int j = 3; j >= 0; --j) {
      for (int c = 0; c < 6; ++c) own[c] = i - j * c + 1;
      for (int c = 0; c < m; ++c) late[c] = own[c] * 2;
      scalar = own[(i + j) % 6];
      few.all[i % 3] = scalar + late[m - 1];
      few.last = own[5];
      for (int c = 0; c < 4; ++c) part[c] = few.all[i % 3] - c;
      out[i * 4 + j] = part[i % 4] + few.last * scalar + late[0];
    }
  show("flat", out, n * 4);
  free(part);
}

static void gangs(int n, int *out) {
  int own[6], scalar, m = 2 + n % 4, late[m], *part = new_ints(8, 3);
  Few few;
#pragma acc parallel loop collapse(2) gang private(own, scalar, few, late, part[0:4]) copyout(out[0:n * 4])
  for (int i = 0; i < n; ++i)
    for (int j = 3; j >= 0; --j) {
      for (int c = 0; c < 6; ++c) own[c] = i - j * c + 1;
      for (int c = 0; c < m; ++c) late[c] = own[c] * 2;
      scalar = own[(i + j) % 6];
      few.all[i % 3] = scalar + late[m - 1];
      few.last = own[5];
      for (int c = 0; c < 4; ++c) part[c] = few.all[i % 3] - c;
      out[i * 4 + j] = part[i % 4] + few.last * scalar + late[0];
    }
  show("gangs", out, n * 4);
  free(part);
}

static void three(int n, int *out) {
  int own[6], scalar, m = 2 + n % 4, late[m], *part = new_ints(8, 3);
  Few few;
#pragma acc parallel loop collapse(3) gang num_workers(1) private(own, scalar, few, late, part[0:4]) copyout(out[0:n * 12])
  for (int i = 0; i < n; ++i)
    for (int j = 3; j >= 0; --j)
      for (long k = 0; k < 5; k += 2) {
        for (int c = 0; c < 6; ++c) own[c] = i - j * c + (int)k;
        for (int c = 0; c < m; ++c) late[c] = own[c] * 2;
        scalar = own[(i + j) % 6];
        few.all[i % 3] = scalar + late[m - 1];
        few.last = own[5];
        for (int c = 0; c < 4; ++c) part[c] = few.all[i % 3] - c;
        out[(i * 4 + j) * 3 + (int)k / 2] = part[i % 4] + few.last * scalar + late[0];
      }
  show("three", out, n * 12);
  free(part);
}

static void wide(int n, int *out) {
  int own[6], scalar, m = 2 + n % 4, late[m], *part = new_ints(8, 3);
  Few few;
#pragma acc parallel loop collapse(3) gang vector private(own, scalar, few, late, part[0:4]) copyout(out[0:n * 12])
  for (int i = 0; i < n; ++i)
    for (int j = 3; j >= 0; --j)
      for (long k = 0; k < 5; k += 2) {
        for (int c = 0; c < 6; ++c) own[c] = i - j * c + (int)k;
        for (int c = 0; c < m; ++c) late[c] = own[c] * 2;
        scalar = own[(i + j) % 6];
        few.all[i % 3] = scalar + late[m - 1];
        few.last = own[5];
        for (int c = 0; c < 4; ++c) part[c] = few.all[i % 3] - c;
        out[(i * 4 + j) * 3 + (int)k / 2] = part[i % 4] + few.last * scalar + late[0];
      }
  show("wide", out, n * 12);
  free(part);
}

static void tiles(int n, int *out) {
  int own[6], scalar, m = 2 + n % 4, late[m], *part = new_ints(8, 3);
  Few few;
#pragma acc parallel loop tile(4, 2) gang private(own, scalar, few, late, part[0:4]) copyout(out[0:n * 4])
  for (int i = 0; i < n; ++i)
    for (int j = 3; j >= 0; --j) {
      for (int c = 0; c < 6; ++c) own[c] = i - j * c + 1;
      for (int c = 0; c < m; ++c) late[c] = own[c] * 2;
      scalar = own[(i + j) % 6];
      few.all[i % 3] = scalar + late[m - 1];
      few.last = own[5];
      for (int c = 0; c < 4; ++c) part[c] = few.all[i % 3] - c;
      out[i * 4 + j] = part[i % 4] + few.last * scalar + late[0];
    }
  show("tiles", out, n * 4);
  free(part);
}

static void bricks(int n, int *out) {
  int own[6], scalar, m = 2 + n % 4, late[m], *part = new_ints(8, 3);
  Few few;
#pragma acc parallel loop tile(4, 2, 3) num_workers(1) vector_length(32) private(own, scalar, few, late, part[0:4]) copyout(out[0:n * 12])
  for (int i = 0; i < n; ++i)
    for (int j = 3; j >= 0; --j)
      for (long k = 0; k < 5; k += 2) {
        for (int c = 0; c < 6; ++c) own[c] = i - j * c + (int)k;
        for (int c = 0; c < m; ++c) late[c] = own[c] * 2;
        scalar = own[(i + j) % 6];
        few.all[i % 3] = scalar + late[m - 1];
        few.last = own[5];
        for (int c = 0; c < 4; ++c) part[c] = few.all[i % 3] - c;
        out[(i * 4 + j) * 3 + (int)k / 2] = part[i % 4] + few.last * scalar + late[0];
      }
  show("bricks", out, n * 12);
  free(part);
}

static void row(int n, int *out) {
  int own[6], scalar, m = 2 + n % 4, late[m], *part = new_ints(8, 3);
  Few few;
#pragma acc parallel loop tile(5) private(own, scalar, few, late, part[0:4]) copyout(out[0:n])
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < 6; ++c) own[c] = i - 2 * c + 1;
    for (int c = 0; c < m; ++c) late[c] = own[c] * 2;
    scalar = own[(i + 2) % 6];
    few.all[i % 3] = scalar + late[m - 1];
    few.last = own[5];
    for (int c = 0; c < 4; ++c) part[c] = few.all[i % 3] - c;
    out[i] = part[i % 4] + few.last * scalar + late[0];
  }
  show("row", out, n);
  free(part);
}

int main(void) {
  FOR_SIZES(n) {
    int *out = new_ints(12 * n, 1);
    flat(n, out);
    gangs(n, out);
    three(n, out);
    wide(n, out);
    tiles(n, out);
    bricks(n, out);
    row(n, out);
    free(out);
  }
  return 0;
}
