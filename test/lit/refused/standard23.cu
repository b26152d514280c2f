// What came with C++20 and later.
// RUN: %hone explain %s -- -std=c++23 2>&1 | FileCheck %s

// CHECK-LABEL: kernel `early`
// CHECK-NEXT: left alone: if consteval ({{.*}}:[[@LINE+2]])
__global__ void early(int* x) {
  if consteval {
    x[0] = 1;
  } else {
    x[0] = 2;
  }
}

struct Pair {
  int a, b;
};
auto [first, second] = Pair{1, 2};
struct Bound {
  int a = first;
};

// CHECK-LABEL: kernel `bound`
// CHECK-NEXT: left alone: 'first' is of a kind that has no place in the kernel IR ({{.*}}:[[@LINE-4]])
__global__ void bound(int* x) {
  Bound b{};
  x[0] = b.a;
}
