// Vectors of the compiler's own, on which CUDA's vector types have no operators.
// RUN: %hone opt %s --recipe '' --diff 2>&1 | FileCheck %s --implicit-check-not=re-emitted
typedef float Floats __attribute__((vector_size(16)));
typedef int Ints __attribute__((vector_size(16)));

// CHECK: :[[@LINE+1]]: kernel `adds`: left alone: CUDA has no arithmetic on vector types
__global__ void adds(Floats* x) { x[0] = x[1] + x[2]; }

// CHECK: :[[@LINE+1]]: kernel `negates`: left alone: CUDA has no arithmetic on vector types
__global__ void negates(Floats* x) { x[0] = -x[1]; }

// CHECK: :[[@LINE+1]]: kernel `updates`: left alone: CUDA has no arithmetic on vector types
__global__ void updates(Floats* x) { x[0] += x[1]; }

// CHECK: :[[@LINE+1]]: kernel `converts`: left alone: CUDA has no conversion between vector types
__global__ void converts(Floats* x, Ints* y) { y[0] = __builtin_convertvector(x[0], Ints); }
