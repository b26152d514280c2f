// Row A11: & | ^ on types of 8 to 64 bits.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 12);
    unsigned char c1 = 255, c2 = 0, c3 = 9;
    short s1 = -1, s2 = 1, s3 = 0;
    unsigned u1 = ~0u, u2 = 0, u3 = 1;
    unsigned long long l1 = ~0ull, l2 = 0, l3 = 5;
#pragma acc parallel loop copyin(a[0:n]) reduction(& : c1, s1, u1, l1) reduction(| : c2, s2, u2, l2) reduction(^ : c3, s3, u3, l3)
    for (int i = 0; i < n; ++i) {
      int x = a[i] * 129;
      c1 &= (unsigned char)(x | 3);
      c2 |= (unsigned char)(x & 0x55);
      c3 ^= (unsigned char)x;
      s1 &= (short)(x | 0x1010);
      s2 |= (short)(x & 0x7a);
      s3 ^= (short)x;
      u1 &= (unsigned)x | 0xf0000000u;
      u2 |= (unsigned)x & 0xffffu;
      u3 ^= (unsigned)x * 77777u;
      l1 &= ((unsigned long long)(unsigned)x << 20) | 1;
      l2 |= (unsigned long long)i << 40;
      l3 ^= (unsigned long long)(unsigned)x << (i % 32);
    }
    printf("%d %d %d %d %d %d %x %x %x %llx %llx %llx\n", c1, c2, c3, s1, s2, s3, u1, u2, u3, l1, l2, l3);
    free(a);
  }
  return 0;
}
