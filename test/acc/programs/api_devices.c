// Row A12: device types and numbers, where code runs, properties.
#include "acctest.h"
#ifdef _OPENACC
#include <openacc.h>
#endif
int main(void) {
  int ok = 1, there = 0, here = 1;
#ifdef _OPENACC
  acc_init(acc_device_default);
  ok = acc_get_num_devices(acc_device_not_host) >= 1 && acc_get_device_num(acc_get_device_type()) == 0;
  acc_set_device_num(0, acc_get_device_type());
  ok = ok && acc_get_property(0, acc_get_device_type(), acc_property_memory) > 0;
  here = acc_on_device(acc_device_host);
#pragma acc parallel num_gangs(1) copy(there)
  there = acc_on_device(acc_device_not_host);
  acc_shutdown(acc_device_default);
#else
  there = 1;
#endif
  printf("%d %d %d\n", ok, there, here);
  return 0;
}
