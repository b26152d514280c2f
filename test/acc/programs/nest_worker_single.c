// Code of one worker between worker loops, code of one lane between vector loops.
#include "acctest.h"
enum { G = 6, W = 9, V = 21 };
static int a[G][W][V], perWorker[G][W], perGang[G];
int main(void) {
  for (int i = 0; i < G * W * V; ++i) (&a[0][0][0])[i] = i % 13;
#pragma acc parallel num_gangs(4) num_workers(4) vector_length(32) copy(a) copyout(perWorker, perGang)
  {
#pragma acc loop gang
    for (int i = 0; i < G; ++i) {
      int scale = i + 1;
      perGang[i] = scale * 7;
#pragma acc loop worker
      for (int j = 0; j < W; ++j) {
        int add = scale * j;
        perWorker[i][j] = add;
#pragma acc loop vector
        for (int k = 0; k < V; ++k) a[i][j][k] = a[i][j][k] * scale + add;
        add += a[i][j][V - 1];
        perWorker[i][j] += add;
      }
      scale *= 5;
      for (int j = 0; j < W; ++j) perGang[i] += perWorker[i][j];
#pragma acc loop worker
      for (int j = 0; j < W; ++j) perWorker[i][j] += perGang[i] + scale;
    }
  }
  show("a", &a[0][0][0], G * W * V);
  show("perWorker", &perWorker[0][0], G * W);
  show("perGang", perGang, G);
  return 0;
}
