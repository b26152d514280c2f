// Random access iterators and pointers as counters, auto, range by pointers; static data members.
#include "acctest.h"
struct Config {
  static int gain;
  static const int offsets[4];
};
int Config::gain = 3;
const int Config::offsets[4] = {1, -1, 2, -2};
int main() {
  FOR_SIZES(n) {
    int* a = new_ints(n, 1);
    int* const end = a + n;
#pragma acc parallel loop copy(a[0 : n])
    for (auto p = a; p < end; ++p) *p = *p * Config::gain + Config::offsets[(p - a) % 4];
    Config::gain += 1;
    show("a", a, n);
    free(a);
  }
}
