// Constants: names are kept, values beyond 2^63 and constexpr functions of constants are evaluated.
// RUN: %hone explain --dump-ir %s | FileCheck %s
// RUN: %hone opt --recipe '' %s 2>/dev/null | FileCheck --check-prefix=TEXT %s

enum : unsigned long long { topBit = 0x8000000000000000ull };
constexpr unsigned long long allBits = ~0ull;
constexpr int log2Of(int n) { return n < 2 ? 0 : 1 + log2Of(n / 2); }
#define WIDTH (4 * 8)

// CHECK-LABEL: kernel masks
// CHECK: x[0] &= 9223372036854775808:u64
// CHECK: x[1] = 18446744073709551615
// TEXT-LABEL: void masks
// TEXT: x[0] &= topBit;
// TEXT: x[1] = allBits;
__global__ void masks(unsigned long long* x) {
  x[0] &= topBit;
  x[1] = allBits;
}

// CHECK-LABEL: kernel levels
// CHECK: x[0] = 5
// TEXT-LABEL: void levels
// TEXT: __shared__ int tile[WIDTH + 1];
// TEXT: tile[0] = WIDTH;
// TEXT: x[0] = log2Of(32);
__global__ void levels(int* x) {
  __shared__ int tile[WIDTH + 1];
  tile[0] = WIDTH;
  x[0] = log2Of(32);
  x[1] = tile[0];
}

#define TWICE_8 8 * 2

// A macro whose body is not in parentheses keeps its name only where that means the same.
// TEXT-LABEL: void divides
// TEXT: x[0] / (8 * 2)
// TEXT: x[8 * 2] = 1;
__global__ void divides(int* x) {
  x[0] = x[0] / (TWICE_8);
  x[TWICE_8] = 1;
}
