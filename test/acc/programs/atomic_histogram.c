// A histogram through atomics, with members of structs and elements of rows.
#include "acctest.h"
typedef struct { int hits; double weight; } Bin;
static int with(int n) {
  int *a = new_ints(n, 1);
  Bin bins[16];
  int two[4][4] = {{0}};
  memset(bins, 0, sizeof bins);
#pragma acc parallel loop copyin(a[0:n]) copy(bins, two)
  for (int i = 0; i < n; ++i) {
    int b = (a[i] + 100) % 16;
#pragma acc atomic
    bins[b].hits++;
#pragma acc atomic
    bins[b].weight += a[i] * 0.25;
#pragma acc atomic
    two[b / 4][i % 4] += 1;
  }
  int hits[16];
  double w[16];
  for (int i = 0; i < 16; ++i) hits[i] = bins[i].hits, w[i] = bins[i].weight;
  show("hits", hits, 16);
  show_doubles("w", w, 16);
  show("two", &two[0][0], 16);
  free(a);
  return 0;
}
int main(void) {
  int status = 0;
  FOR_SIZES(n) {
    status |= with(n);
  }
  return status;
}
