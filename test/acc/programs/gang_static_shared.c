// The size of a gang's chunks is a variable that one thread changes through a pointer, before the loop and behind it.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    for (int round = 1; round < 4; ++round) {
      long sum = round;
#pragma acc parallel num_gangs(3) vector_length(64)
      {
        int size = 7, *where = &size;
        *where = round * 5;
#pragma acc loop gang(static : size) vector reduction(+ : sum)
        for (int i = 0; i < n; ++i) sum += i * round;
        *where = 1;
      }
      printf("%ld\n", sum);
    }
  }
  return 0;
}
