// host_data if_present of what is not present: the host's address.
#include "acctest.h"
static int with(int n) {
  int *a = new_ints(n, 1);
  int *seen = 0;
#pragma acc host_data use_device(a) if_present
  {
    seen = a;
  }
  printf("%d\n", seen == a);
#pragma acc data copy(a[0:n])
  {
#pragma acc host_data use_device(a) if (0)
    {
      seen = a;
    }
  }
  printf("%d\n", seen == a);
  free(a);
  return 0;
}
int main(void) {
  int status = 0;
  FOR_SIZES(n) {
    status |= with(n);
  }
  return status;
}
