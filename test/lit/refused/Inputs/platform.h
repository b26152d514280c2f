// A platform that has more than hone knows of.
#pragma once
#include <cuda_fp16.h>

namespace cooperative_groups {
class odd_group {
 public:
  __attribute__((device)) odd_group(int first, int last);
  __attribute__((device)) void turn();
  __attribute__((device)) static void stop();
  int width;
};
}  // namespace cooperative_groups

struct ulonglong2_16a {
  unsigned long long x, y;
  int mark;
};

__attribute__((device)) __half operator+(const __half&, const __half2&);
__attribute__((device)) int oracle(int);
