// Row A11: sums and extremes of all arithmetic types.
#include "acctest.h"
#define TEST(T, F)                                                                                              \
  {                                                                                                             \
    T *v = (T *)malloc(sizeof(T) * (size_t)(n + 1));                                                            \
    for (int i = 0; i < n; ++i) v[i] = (T)(a[i] & 63);                                                          \
    T sum = 1, most = 3, least = 60;                                                                            \
    _Pragma("acc parallel loop copyin(v[0:n]) reduction(+ : sum) reduction(max : most) reduction(min : least)") \
    for (int i = 0; i < n; ++i) {                                                                               \
      sum += v[i];                                                                                              \
      most = v[i] > most ? v[i] : most;                                                                         \
      least = v[i] < least ? v[i] : least;                                                                      \
    }                                                                                                           \
    printf(#T " " F " " F " " F "\n", sum, most, least);                                                        \
    free(v);                                                                                                    \
  }
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 2);
    TEST(unsigned char, "%d")
    TEST(signed char, "%d")
    TEST(short, "%d")
    TEST(unsigned short, "%d")
    TEST(unsigned, "%u")
    TEST(long, "%ld")
    TEST(unsigned long, "%lu")
    TEST(long long, "%lld")
    TEST(float, "%g")
    TEST(double, "%g")
    free(a);
  }
  return 0;
}
