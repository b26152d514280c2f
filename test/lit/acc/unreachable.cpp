// Objects whose pointers lead to the host's memory: the region runs on the host, and the note says what to do.
// RUN: %hone acc -O0 %s -o %t 2> %t.notes && %t | FileCheck %s
// RUN: FileCheck --check-prefix=NOTE %s < %t.notes
#include <cstdio>
#include <vector>

int main() {
  std::vector<int> values(10, 1);
#pragma acc serial
  for (int i = 0; i < 10; ++i) values[i] += i;
  int sum = 0;
  for (int v : values) sum += v;
  std::printf("%d\n", sum);
}
// CHECK: 55
// NOTE: serial in main runs on the host: object 'values' of class 'std::vector{{.*}}', whose pointers lead to the host's memory; take the pointer to its data outside
