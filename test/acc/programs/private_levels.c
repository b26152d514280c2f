// private on gang, worker and vector loops: one copy for each gang, worker, lane that runs an iteration.
#include "acctest.h"
enum { G = 5, W = 7, V = 19 };
static int out[G][W][V], rows[G][W], heads[G];
int main(void) {
  int g, w, v;
#pragma acc parallel num_gangs(3) num_workers(2) vector_length(32) copyout(out, rows, heads)
  {
#pragma acc loop gang private(g)
    for (int i = 0; i < G; ++i) {
      g = i * 1000;
#pragma acc loop worker private(w)
      for (int j = 0; j < W; ++j) {
        w = g + j * 50;
#pragma acc loop vector private(v)
        for (int k = 0; k < V; ++k) {
          v = w + k;
          out[i][j][k] = v * 2;
        }
        rows[i][j] = w + 1;
      }
      heads[i] = g + 2;
    }
  }
  show("out", &out[0][0][0], G * W * V);
  show("rows", &rows[0][0], G * W);
  show("heads", heads, G);
  return 0;
}
