// Constructors, destructors and classes that have no place in the IR.
// RUN: %hone explain %s 2>&1 | FileCheck %s

struct Unnamed {
  union {
    int a;
    float b;
  };
  __device__ Unnamed() : a(0) {}
};

// CHECK-LABEL: kernel `setsUnnamed`
// CHECK-NEXT: left alone: initializer of an unnamed member, in 'Unnamed::Unnamed' ({{.*}}:[[@LINE-4]])
__global__ void setsUnnamed(int* x) {
  Unnamed u;
  x[0] = u.a;
}

struct Delegates {
  int n;
  __device__ Delegates(int k) : n(k) {}
  __device__ Delegates() : Delegates(3) {}
};

// CHECK-LABEL: kernel `delegates`
// CHECK-NEXT: left alone: delegating constructor, in 'Delegates::Delegates' ({{.*}}:[[@LINE-4]])
__global__ void delegates(int* x) {
  Delegates d;
  x[0] = d.n;
}

struct Base {
  int n;
  __device__ Base(int k) : n(k) {}
};
struct Inherits : Base {
  using Base::Base;
};

// CHECK-LABEL: kernel `inherits`
// CHECK-NEXT: left alone: inherited constructor, in 'Inherits::Base' ({{.*}}:[[@LINE-4]])
__global__ void inherits(int* x) {
  Inherits i(3);
  x[0] = i.n;
}

struct Plain {
  int n;
};
struct Diamond : virtual Plain {
  int m;
};

// CHECK-LABEL: kernel `sharesBase`
// CHECK-NEXT: left alone: class 'Diamond' with virtual bases ({{.*}}:[[@LINE+1]])
__global__ void sharesBase(Diamond* d) { d->m = 1; }

struct Guard {
  int* at;
  __device__ ~Guard() { *at = 0; }
  __device__ void touch() { *at = 1; }
};

// CHECK-LABEL: kernel `temporaryGuard`
// CHECK-NEXT: left alone: temporary object with a destructor ({{.*}}:[[@LINE+2]])
__global__ void temporaryGuard(int* x) {
  Guard{x}.touch();
}

__device__ void takes(Guard g) { *g.at = 3; }

// CHECK-LABEL: kernel `passesGuard`
// CHECK-NEXT: left alone: temporary object with a destructor ({{.*}}:[[@LINE+1]])
__global__ void passesGuard(Guard* from) { takes(*from); }

// CHECK-LABEL: kernel `ownsGuard`
// CHECK-NEXT: left alone: object 'guard' with a destructor ({{.*}}:[[@LINE+1]])
__global__ void ownsGuard(Guard guard) { *guard.at = 1; }

// A reference or a pointer to such an object ends no life.
__device__ void borrows(Guard& g) { *g.at = 3; }

// CHECK-LABEL: kernel `borrowsGuard`
// CHECK-NOT: left alone
__global__ void borrowsGuard(Guard* from) { borrows(*from); }
