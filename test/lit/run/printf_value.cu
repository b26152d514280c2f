// What printf gives back in device code, and the conversions that it knows. The numbers are those of an H200 under CUDA 13:
// arguments parsed, widths among them; a conversion with a precision from an argument or with hh or z is not counted.
// RUN: %hone run %s 2>&1 | FileCheck %s
#include <cstdio>
__device__ int said(int v) { return printf("%d\n", v); }
__global__ void values(int* x, int v) {
  // CHECK: no arguments
  x[0] = printf("no arguments\n");
  // CHECK-NEXT: [   42]
  x[1] = printf("[%*d]\n", 5, 42);
  // CHECK-NEXT: [1.50]
  x[2] = printf("[%.*f]\n", 2, 1.5);
  // CHECK-NEXT: [44|255]
  x[3] = printf("[%hhd|%hhu]\n", 300, 511);
  // CHECK-NEXT: [0x1.8p+0|0X1P+1]
  x[4] = printf("[%a|%A]\n", 1.5, 2.0f);
  // CHECK-NEXT: [   ab|cd   |ef|100%]
  x[5] = printf("[%5s|%-5s|%.2s|%s]\n", "ab", "cd", "efgh", "100%");
  // CHECK-NEXT: [a]
  x[6] = printf("[%ls]\n", L"ab");
  // CHECK-NEXT: [1099511627776|3|0x10|1.500000e+00|1E-09|10|FF|+3| 3|0xff|00042]
  x[7] = printf("[%lld|%zu|%p|%e|%G|%o|%X|%+d|% d|%#x|%05d]\n", 1ll << 40, (size_t)3, (void*)16, 1.5, 1e-9, 8, 255, 3,
                3, 255, 42);
  // CHECK-NEXT: 7
  x[8] = said(v) + 10;
  // CHECK-NEXT: x 100%
  // CHECK-NEXT: counted
  if (printf("%c 100%%\n", 'x') == 1) printf("counted\n");
  // CHECK-NEXT: 0
  // CHECK-NEXT: 1
  // CHECK-NEXT: both
  int i = 0;
  while (i < 2 && printf("%d\n", i) > 0) ++i;
  x[9] = i == 2 ? printf("both\n") : printf("%d %d\n", i, i);
  // CHECK-NEXT: {{^  7$}}
  printf("%3d\n", v), x[10] = 1;
}
// CHECK-NEXT: 0 2 0 0 2 4 1 10 11 0 1
int main() {
  int* x;
  cudaMallocManaged(&x, 11 * sizeof(int));
  values<<<1, 1>>>(x, 7);
  cudaDeviceSynchronize();
  for (int i = 0; i < 11; ++i) std::printf("%d%c", x[i], i < 10 ? ' ' : '\n');
}
