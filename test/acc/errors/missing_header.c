#include "nowhere.h"  // EXPECT: needs "nowhere.h", which was not found; pass its folder with -I$
int main(void) {
#pragma acc parallel
  {
  }
}
