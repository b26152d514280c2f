// Instantiations that are imported, but cannot be written behind their template.
// RUN: cp %s %t.cu
// RUN: %hone opt %t.cu --recipe '' --diff 2>&1 >/dev/null | FileCheck %s --implicit-check-not=re-emitted

template <typename T>
__global__ void early(T* x);
void launchEarly(int* x) { early<int><<<1, 1>>>(x); }
// CHECK: :[[@LINE+2]]: kernel `early<int>`: left alone: it is used before the template's body
template <typename T>
__global__ void early(T* x) {
  x[0] = 1;
}

// CHECK: :[[@LINE+2]]: kernel `local<Kind>`: left alone: template argument 'Kind' is local to a function
template <typename E>
__global__ void local(int* x) {
  x[0] = int(E(1));
}
void launchLocal(int* x) {
  enum Kind { A, B };
  local<Kind><<<1, 1>>>(x);
}

// CHECK: :[[@LINE+2]]: kernel `later<inner::Later>`: left alone: template argument 'inner::Later' is declared after the template, where no new text can follow it
template <typename T>
__global__ void later(T* x) {
  x[0].a = 1;
}
#ifndef WITHOUT_LATER
namespace inner {
struct Later {
  int a;
};
}
#endif
template __global__ void later<inner::Later>(inner::Later*);

namespace first {
// CHECK: :[[@LINE+2]]: kernel `elsewhere<Other>`: left alone: template argument 'Other' is declared after the template, in another scope
template <typename T>
__global__ void elsewhere(T* x) {
  x[0].a = 1;
}
}
struct Other {
  int a;
};
template __global__ void first::elsewhere<Other>(Other*);

// CHECK: :[[@LINE+2]]: kernel `asked<Asked>`: left alone: #if chooses text of it, and a template argument is declared after it
template <typename T>
__global__ void asked(T* x) {
#ifdef FAST
  x[0].a = 1;
#else
  x[0].a = 2;
#endif
}
struct Asked {
  int a;
};
template __global__ void asked<Asked>(Asked*);

__device__ int somewhere;
// CHECK: :[[@LINE+2]]: kernel `pointed<&somewhere>`: left alone: a template argument is neither a type nor an integer nor a function
template <int* Where>
__global__ void pointed(int* x) {
  x[0] = *Where;
}
template __global__ void pointed<&somewhere>(int*);

// CHECK: :[[@LINE+2]]: kernel `packed<int, int>`: left alone: it has a parameter pack
template <typename... T>
__global__ void packed(int* x, T... v) {
  x[0] = (0 + ... + v);
}
template __global__ void packed<int, int>(int*, int, int);
