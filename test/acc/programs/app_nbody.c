// Pairs of bodies with structs: a sum over all others for each.
#include "acctest.h"
typedef struct { int x, y, m; } Body;
int main(void) {
  FOR_SIZES(n) {
    int count = n > 300 ? 120 : n;
    Body *b = (Body *)malloc(sizeof(Body) * (size_t)(count + 1));
    int *fx = new_ints(count, 0), *fy = new_ints(count, 0);
    for (int i = 0; i < count; ++i) b[i].x = i * 37 % 100, b[i].y = i * 53 % 100, b[i].m = i % 5 + 1;
#pragma acc parallel loop gang vector_length(64) copyin(b[0:count]) copyout(fx[0:count], fy[0:count])
    for (int i = 0; i < count; ++i) {
      int sx = 0, sy = 0;
      const Body me = b[i];
#pragma acc loop vector reduction(+ : sx, sy)
      for (int j = 0; j < count; ++j) {
        int dx = b[j].x - me.x, dy = b[j].y - me.y, r = dx * dx + dy * dy + 1;
        sx += dx * b[j].m * 1000 / r;
        sy += dy * b[j].m * 1000 / r;
      }
      fx[i] = sx;
      fy[i] = sy;
    }
    show("fx", fx, count);
    show("fy", fy, count);
    free(b); free(fx); free(fy);
  }
  return 0;
}
