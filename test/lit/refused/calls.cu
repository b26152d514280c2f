// Calls and functions that have no place in the IR.
// RUN: %hone explain %s 2>&1 | FileCheck %s

struct Counter {
  int n;
  __device__ void bump(int k) { n += k; }
  __device__ static int limit() { return 3; }
};

// CHECK-LABEL: kernel `throughMember`
// CHECK-NEXT: left alone: call through a pointer to a member ({{.*}}:[[@LINE+1]])
__global__ void throughMember(Counter* c) { (c->*&Counter::bump)(1); }

typedef int (*Fn)(int);
__device__ Fn table[2];

// CHECK-LABEL: kernel `throughTable`
// CHECK-NEXT: left alone: call through a function pointer ({{.*}}:[[@LINE+1]])
__global__ void throughTable(int* x) { x[0] = table[1](x[1]); }

__device__ int operator""_twice(unsigned long long v) { return int(2 * v); }

// CHECK-LABEL: kernel `literalOperator`
// CHECK-NEXT: left alone: call of 'operator""_twice' ({{.*}}:[[@LINE+1]])
__global__ void literalOperator(int* x) { x[0] = 3_twice; }

__device__ Counter operator+(Counter a, Counter b) { return {a.n + b.n}; }

// CHECK-LABEL: kernel `namedOperator`
// CHECK-NEXT: left alone: call of 'operator+' ({{.*}}:[[@LINE+1]])
__global__ void namedOperator(Counter* c) { c[0] = operator+(c[1], c[2]); }

// CHECK-LABEL: kernel `namesMethod`
// CHECK-NEXT: left alone: member function used as a value ({{.*}}:[[@LINE+2]])
__global__ void namesMethod(Counter* c) {
  (void)c->limit;
  c->n = 1;
}

// CHECK-LABEL: kernel `printsNothing`
// CHECK-NEXT: left alone: null pointer given to printf ({{.*}}:[[@LINE+1]])
__global__ void printsNothing(int* x) { x[0] = printf("%p\n", nullptr); }

// CHECK-LABEL: kernel `printsTooMuch`
// CHECK-NEXT: left alone: printf with more arguments than its format names ({{.*}}:[[@LINE+1]])
__global__ void printsTooMuch(int v) { printf("one\n", v); }

// CHECK-LABEL: kernel `printsPadded`
// CHECK-NEXT: left alone: string argument of printf ({{.*}}:[[@LINE+1]])
__global__ void printsPadded() { printf("%*s\n", 10, "abc"); }

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual float edge() const { return 1; }
};

// CHECK-LABEL: kernel `pureCall`
// CHECK-NEXT: left alone: virtual function ({{.*}}:[[@LINE+1]])
__global__ void pureCall(void* p, float* x) { x[0] = ((Shape*)p)->area(); }

// CHECK-LABEL: kernel `virtualCall`
// CHECK-NEXT: left alone: virtual function 'Shape::edge' ({{.*}}:[[@LINE+1]])
__global__ void virtualCall(void* p, float* x) { x[0] = ((Shape*)p)->edge(); }

// CHECK-LABEL: kernel `destroys`
// CHECK-NEXT: left alone: implicit function 'Counter::~Counter' ({{.*}}:[[@LINE+1]])
__global__ void destroys(Counter* c) { c->~Counter(); }

// CHECK-LABEL: kernel `byReference`
// CHECK-NEXT: left alone: kernel parameter 'x' is a reference ({{.*}}:[[@LINE+1]])
__global__ void byReference(int& x) { x = 1; }

struct Holder {
  // CHECK-LABEL: kernel `Holder::inside`
  // CHECK-NEXT: left alone: kernel that is a class member ({{.*}}:[[@LINE+1]])
  __global__ static void inside(int* x) { x[0] = 1; }
};

__device__ int counted;
__device__ int& other = counted;

// CHECK-LABEL: kernel `throughReference`
// CHECK-NEXT: left alone: global reference 'other' ({{.*}}:[[@LINE+1]])
__global__ void throughReference(int* x) { x[0] = other; }

// CHECK-LABEL: kernel `foreignTable`
// CHECK-NEXT: left alone: static variable 'values' of another function, in '{{.*}}::Local::get' ({{.*}}:[[@LINE+4]])
__global__ void foreignTable(int* x) {
  static const int values[2] = {1, 2};
  struct Local {
    __device__ static int get(int i) { return values[i]; }
  };
  x[0] = Local::get(1);
}

// CHECK-LABEL: kernel `foreignConstant`
// CHECK-NEXT: left alone: variable 'n' captured from outside, in '{{.*}}::Local::get' ({{.*}}:[[@LINE+4]])
__global__ void foreignConstant(int* x) {
  const int n = 4;
  struct Local {
    __device__ static int get() { return n; }
  };
  x[0] = Local::get();
}

template <typename T>
struct Tally {
  static __device__ int n;
};
template <typename T>
__device__ int Tally<T>::n;

// CHECK-LABEL: kernel `tallies`
// CHECK-NEXT: left alone: static member 'Tally<int>::n' of a class template ({{.*}}:[[@LINE+1]])
__global__ void tallies(int* x) { x[0] = Tally<int>::n; }

// CHECK-LABEL: kernel `takesMemory`
// CHECK-NEXT: left alone: 'malloc' in device code ({{.*}}:[[@LINE+1]])
__global__ void takesMemory(void** p) { p[0] = malloc(4); }
