// Iterations of unequal length in fixed-point integers.
#include "acctest.h"
int main(void) {
  enum { H = 20, W = 30 };
  static unsigned char image[H][W];
#pragma acc parallel loop gang copyout(image)
  for (int y = 0; y < H; ++y) {
#pragma acc loop vector
    for (int x = 0; x < W; ++x) {
      long cr = (x - 20) * 3277 / 2, ci = (y - 10) * 3277 / 2, zr = 0, zi = 0;
      int t = 0;
      while (t < 40 && zr * zr + zi * zi < 4L << 30) {
        long next = zr * zr / 32768 - zi * zi / 32768 + cr;
        zi = 2 * zr * zi / 32768 + ci;
        zr = next;
        ++t;
      }
      image[y][x] = (unsigned char)t;
    }
  }
  printf("%08x %d %d\n", hash_of(image, sizeof image), image[10][20], image[0][0]);
  return 0;
}
