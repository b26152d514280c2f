// Reductions of their own at each level, each used by the level above.
#include "acctest.h"
enum { G = 7, W = 6, V = 45 };
static int a[G][W][V], rows[G][W], heads[G];
int main(void) {
  for (int i = 0; i < G * W * V; ++i) (&a[0][0][0])[i] = (i * 31) % 101 - 50;
  int most = -1000000;
  long long total = 3;
#pragma acc parallel loop gang num_workers(4) vector_length(32) copyin(a) copyout(rows, heads) reduction(max : most) reduction(+ : total)
  for (int i = 0; i < G; ++i) {
    int gangSum = i, gangMin = 1000;
#pragma acc loop worker reduction(+ : gangSum) reduction(min : gangMin)
    for (int j = 0; j < W; ++j) {
      int rowSum = j, rowXor = 0;
#pragma acc loop vector reduction(+ : rowSum) reduction(^ : rowXor)
      for (int k = 0; k < V; ++k) {
        rowSum += a[i][j][k];
        rowXor ^= a[i][j][k];
      }
      rows[i][j] = rowSum * 2 + rowXor;
      gangSum += rowSum;
      if (rowSum < gangMin) gangMin = rowSum;
    }
    heads[i] = gangSum - gangMin;
    if (gangSum > most) most = gangSum;
    total += gangSum;
  }
  printf("%d %lld\n", most, total);
  show("rows", &rows[0][0], G * W);
  show("heads", heads, G);
  return 0;
}
