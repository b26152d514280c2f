// Variables on the device whose names differ by their namespace or class alone, and routines that use them.
#include "acctest.h"
namespace first {
int arr[16];
#pragma acc declare create(arr)
#pragma acc routine seq
int get(int i) { return arr[i]; }
}  // namespace first
namespace second {
int arr[16];
#pragma acc declare create(arr)
inline int get(int i) { return arr[i]; }
struct Holder {
  static int arr[16];
#pragma acc declare create(arr)
};
int Holder::arr[16];
}  // namespace second
#pragma acc routine seq
int outside(int i) { return first::arr[i] - second::arr[i] + second::Holder::arr[i]; }
int main() {
  int o[16];
  for (int i = 0; i < 16; ++i) first::arr[i] = i, second::arr[i] = 100 * i, second::Holder::arr[i] = 7;
#pragma acc update device(first::arr, second::arr, second::Holder::arr)
#pragma acc parallel loop copyout(o)
  for (int i = 0; i < 16; ++i) o[i] = first::get(i) + 2 * second::get(i) + outside(i);
  show("o", o, 16);
}
