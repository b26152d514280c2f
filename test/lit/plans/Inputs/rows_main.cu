#include "rows.h"
void run(float* sums, const float* a, const float* w) {
  const int count = 333;
  rows<<<(count + 31) / 32, 32>>>(sums, a, w, count);
}
