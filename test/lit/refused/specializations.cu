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

// CHECK: :[[@LINE+2]]: kernel `later<Later>`: left alone: template argument 'Later' is declared after the template
template <typename T>
__global__ void later(T* x) {
  x[0].a = 1;
}
struct Later {
  int a;
};
template __global__ void later<Later>(Later*);

__device__ int somewhere;
// CHECK: :[[@LINE+2]]: kernel `pointed<&somewhere>`: left alone: a template argument is neither a type nor an integer
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
