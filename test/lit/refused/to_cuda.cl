// Imported from OpenCL, but not to be said in CUDA.
// RUN: not %hone opt %s --recipe '' --emit cuda 2>&1 | FileCheck %s --implicit-check-not=': emitted as'
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// CHECK: :[[@LINE+1]]: kernel `dimensions`: left alone: CUDA has no get_work_dim
kernel void dimensions(global int* x) { x[0] = get_work_dim(); }

struct Particle {
  float3 at;
  float mass;
};

// CHECK: :[[@LINE+1]]: kernel `laidOut`: left alone: struct Particle is laid out differently in CUDA
kernel void laidOut(struct Particle p, global float* x) { x[0] = p.mass; }

// CHECK: :[[@LINE+1]]: kernel `triples`: left alone: vectors of three take the room of four in OpenCL and of three in CUDA ('x')
kernel void triples(global int3* x) { x[1] = x[0]; }

// CHECK: :[[@LINE+1]]: kernel `halves`: left alone: CUDA has no vectors of 4 halves
kernel void halves(global half4* x) { x[1] = x[0]; }

kernel void wide(global int8* x) {
  // CHECK: :[[@LINE+1]]: kernel `wide`: left alone: CUDA has no vectors of 8 elements
  int8 v = x[0];
  x[1] = v;
}

// CHECK: :[[@LINE+1]]: kernel `prints`: left alone: CUDA's printf takes no vectors
kernel void prints(int4 v) { printf("%v4d\n", v); }

// CHECK: :[[@LINE+1]]: kernel `counts`: left alone: the value of printf, which OpenCL and CUDA count differently
kernel void counts(global int* x) { x[0] = printf("%d\n", x[1]); }

// CHECK: :[[@LINE+1]]: kernel `saturates`: left alone: CUDA has no mad_sat
kernel void saturates(global long* x) { x[0] = mad_sat(x[1], x[2], x[3]); }
