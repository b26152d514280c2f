// Types and declarations that have no place in the IR.
// RUN: %hone explain %s 2>&1 | FileCheck %s

struct __attribute__((packed)) Flags {
  unsigned long long ready : 33;
  unsigned long long count : 40;
};

// CHECK-LABEL: kernel `bits`
// CHECK-NEXT: left alone: bit-field 'count' of struct 'Flags', whose storage unit has more than 8 bytes ({{.*}}:[[@LINE-4]])
__global__ void bits(Flags* f) { f[0].count = 3; }

struct Shape {
  __device__ virtual float area() const { return 0; }
};

// CHECK-LABEL: kernel `virtuals`
// CHECK-NEXT: left alone: class 'Shape' with virtual functions
__global__ void virtuals(Shape* s, float* x) { x[0] = s->area(); }

struct View {
  int& at;
};

// CHECK-LABEL: kernel `holdsReference`
// CHECK-NEXT: left alone: member 'at' is a reference ({{.*}}:[[@LINE-4]])
__global__ void holdsReference(View v) { v.at = 1; }

// CHECK-LABEL: kernel `wide`
// CHECK-NEXT: left alone: type '{{.*}}' has no place in the kernel IR
__global__ void wide(__int128* x) { x[0] = 1; }

struct Counter {
  int n;
  __device__ Counter() : n(0) {}
};

// CHECK-LABEL: kernel `memberPointer`
// CHECK-NEXT: left alone: pointer to a member
__global__ void memberPointer(Counter* c, int Counter::*m) { c->*m = 1; }

// CHECK-LABEL: kernel `localStruct`
// CHECK-NEXT: left alone: struct declared inside a function
__global__ void localStruct(int* x) {
  struct Two {
    int a, b;
  };
  Two t{1, 2};
  x[0] = t.a + t.b;
}

// CHECK-LABEL: kernel `objects`
// CHECK-NEXT: left alone: array of objects with constructors
__global__ void objects(int* x) {
  Counter c[4];
  x[0] = c[0].n;
}

typedef bool Bools __attribute__((ext_vector_type(4)));

// CHECK-LABEL: kernel `manyBools`
// CHECK-NEXT: left alone: vector of bool ({{.*}}:[[@LINE+1]])
__global__ void manyBools(Bools* x) { x[1] = x[0]; }

template <typename T>
__global__ void nobody(T* x) {
  x[0] = 1;
}
// CHECK-LABEL: kernel `nobody
// CHECK-NEXT: left alone: template that nothing in this file instantiates ({{.*}}:[[@LINE-4]])

#define MAKE_KERNEL(NAME) \
  __global__ void NAME(int* x) { x[0] = 1; }
MAKE_KERNEL(made)
// CHECK-LABEL: kernel `made`
